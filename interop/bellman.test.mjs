// Ceremonies of Groth16 keys in bellman's form: both tools take turns, and both verify and use what comes of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  bundled, ceremony, curves, later, pairwright, readJson, scratch, snarkjs, snarkjsVerifies, stopSnarkjs, tryPairwright,
} from "./lib.mjs";

const at = scratch("bellman");
const ptau = {};
const second = later("the same on the second curve");
before(async () => {
  for (const curve of curves.slice(0, second ? 1 : 2)) ptau[curve] = (await ceremony(curve, 6, at)).prepared;
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

const same = (a, b) => assert.ok(readFileSync(a).equals(readFileSync(b)), `${a} and ${b} differ`);

for (const curve of curves) {
  test(`keys of both tools in bellman's form, ${curve}`, { skip: curve === "bn128" ? false : second }, async () => {
    const path = (name) => at.path(curve, name);
    const files = bundled("cube", "cube", curve);
    const engine = await snarkjs.curves.getCurveFromName(curve);
    const exported = async (key, name) => {
      await snarkjs.zKey.exportBellman(path(key), path(`${name}.theirs`));
      pairwright("zkey", "export", "bellman", path(key), path(name));
      same(path(name), path(`${name}.theirs`));
    };
    const imported = async (key, response, name, label) => {
      assert.notEqual(await snarkjs.zKey.importBellman(path(key), path(response), path(`${name}.theirs`), label), false);
      pairwright("zkey", "import", "bellman", path(key), path(response), path(name), "-n", label);
      same(path(name), path(`${name}.theirs`));
    };
    const verified = async (key) => {
      assert.equal(await snarkjs.zKey.verifyFromR1cs(files.r1cs, ptau[curve], path(key)), true);
      assert.equal(await snarkjs.zKey.verifyFromInit(path("0.zkey"), ptau[curve], path(key)), true);
      pairwright("zkey", "verify", "init", path("0.zkey"), ptau[curve], path(key));
      return pairwright("zkey", "verify", files.r1cs, ptau[curve], path(key)).out;
    };

    pairwright("zkey", "new", files.r1cs, ptau[curve], path("0.zkey"));
    // A first key, to which snarkjs contributes and then we, on one file.
    await exported("0.zkey", "0.mpcparams");
    await snarkjs.zKey.bellmanContribute(engine, path("0.mpcparams"), path("1.mpcparams"), "not random");
    pairwright("zkey", "bellman", "contribute", curve, path("1.mpcparams"), path("2.mpcparams"), "-e", "text");
    await imported("0.zkey", "2.mpcparams", "2.zkey", "by mail");
    assert.match(await verified("2.zkey"), /by mail/);

    // On with the key by both tools, then we on a file and snarkjs after us.
    pairwright("zkey", "contribute", path("2.zkey"), path("3.zkey"), "-n", "third");
    await snarkjs.zKey.contribute(path("3.zkey"), path("4.zkey"), "fourth", "not random");
    await verified("4.zkey");
    await exported("4.zkey", "4.mpcparams");
    pairwright("zkey", "bellman", "contribute", curve, path("4.mpcparams"), path("5.mpcparams"));
    await snarkjs.zKey.bellmanContribute(engine, path("5.mpcparams"), path("6.mpcparams"), "not random");
    await imported("4.zkey", "6.mpcparams", "6.zkey", "last");
    await verified("6.zkey");
    await snarkjs.zKey.beacon(path("6.zkey"), path("7.zkey"), "end", "00ff7f", 10);
    pairwright("zkey", "beacon", path("6.zkey"), path("7.ours.zkey"), "00ff7f", 10, "-n", "end");
    await verified("7.zkey");
    await verified("7.ours.zkey");

    // Proofs by both, each verified by the other.
    pairwright("witness", files.wasm, files.input, "-o", path("w.wtns"));
    pairwright("vkey", path("7.zkey"), "-o", path("vk.json"));
    pairwright("prove", path("7.zkey"), path("w.wtns"), "-o", path("proof.json"), "--public", path("public.json"));
    const [vkey, publicSignals, ours] = ["vk.json", "public.json", "proof.json"].map((name) => readJson(path(name)));
    assert.equal(await snarkjsVerifies(vkey, publicSignals, ours), true);
    const { proof } = await snarkjs.groth16.prove(path("7.zkey"), path("w.wtns"));
    assert.equal(await snarkjsVerifies(vkey, publicSignals, proof), true);

    // A response that brings nothing: snarkjs writes a key, we do not.
    const nothing = tryPairwright("zkey", "import", "bellman", path("4.zkey"), path("4.mpcparams"), path("no.zkey"));
    assert.equal(nothing.code, 1, nothing.err);
    assert.match(nothing.err, /no contribution that the key does not have/);
    assert.notEqual(await snarkjs.zKey.importBellman(path("4.zkey"), path("4.mpcparams"), path("no.zkey"), ""), false);
    // A response to an older key, in both tools.
    const older = tryPairwright("zkey", "import", "bellman", path("4.zkey"), path("2.mpcparams"), path("no.zkey"));
    assert.equal(older.code, 1, older.err);
    assert.equal(await snarkjs.zKey.importBellman(path("4.zkey"), path("2.mpcparams"), path("no.zkey"), ""), false);
  });
}
