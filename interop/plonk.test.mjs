// Plonk: our keys against snarkjs' byte for byte, proofs both ways, on both curves.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import {
  bundled, compile, curves, pairwright, readJson, scratch, snarkjs, stopSnarkjs, tryPairwright, writeJson,
} from "./lib.mjs";

const at = scratch("plonk");
const ptau = {};
before(async () => {
  for (const curve of curves) ptau[curve] = await powers(curve, 9);
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

/** Powers of tau by snarkjs, prepared by us, which is faster and gives its bytes: { raw, prepared } paths. */
async function powers(curve, power) {
  const engine = await snarkjs.curves.getCurveFromName(curve);
  const [fresh, raw, prepared] = ["fresh", "raw", "prepared"].map((kind) => at.path(`${curve}-${power}-${kind}.ptau`));
  await snarkjs.powersOfTau.newAccumulator(engine, power, fresh);
  await snarkjs.powersOfTau.contribute(fresh, raw, "interop", "not random: a test");
  pairwright("powersoftau", "prepare", "phase2", raw, prepared);
  return { raw, prepared };
}

/** snarkjs' verdict; an exception inside it counts as a refusal. */
async function theyAccept(key, values, proof) {
  try {
    return await snarkjs.plonk.verify(key, values, proof);
  } catch {
    return false;
  }
}

/** Both verifiers accept the proof and refuse it for other public inputs and with a word of it changed. */
async function bothAccept({ vkey, signals, proof }, label) {
  const [key, values, pi] = [vkey, signals, proof].map(readJson);
  assert.equal(await theyAccept(key, values, pi), true, "snarkjs refuses the proof");
  pairwright("verify", vkey, signals, proof);
  const changed = at.path(label, "changed.json");
  if (values.length > 0) {
    const others = [values[0] === "0" ? "1" : "0", ...values.slice(1)];
    writeJson(changed, others);
    assert.equal(await theyAccept(key, others, pi), false);
    assert.equal(tryPairwright("verify", vkey, changed, proof).code, 1, "another public input must be a rejected proof");
  }
  const other = { ...pi, eval_b: String(BigInt(pi.eval_b) - 1n) };
  writeJson(changed, other);
  assert.equal(await theyAccept(key, values, other), false);
  assert.equal(tryPairwright("verify", vkey, signals, changed).code, 1, "another value must be a rejected proof");
}

/** Keys of both are the same bytes; each proves with the other's key, and each verifies both proofs. */
async function bothWays(files, curve, label, { theyProve = true } = {}) {
  const [theirs, ours] = [at.path(label, "theirs.zkey"), at.path(label, "ours.zkey")];
  await snarkjs.plonk.setup(files.r1cs, ptau[curve].prepared, theirs);
  // Powers that are not prepared serve us as well.
  pairwright("plonk", "setup", files.r1cs, ptau[curve].raw, ours);
  assert.ok(readFileSync(ours).equals(readFileSync(theirs)), "proving keys differ");
  const vkey = at.path(label, "vkey.json");
  pairwright("vkey", theirs, "-o", vkey);
  assert.deepEqual(readJson(vkey), JSON.parse(JSON.stringify(await snarkjs.zKey.exportVerificationKey(ours))));

  const wtns = at.path(label, "witness.wtns");
  pairwright("witness", files.wasm, files.input, "-o", wtns);
  const made = { vkey, signals: at.path(label, "public.json"), proof: at.path(label, "proof.json") };
  pairwright("plonk", "prove", theirs, wtns, made.proof, made.signals, "--check");
  await bothAccept(made, label);
  if (!theyProve) return;
  const { proof, publicSignals } = await snarkjs.plonk.prove(ours, wtns);
  assert.deepEqual(publicSignals, readJson(made.signals), "public inputs differ");
  const other = { vkey, signals: at.path(label, "public2.json"), proof: at.path(label, "proof2.json") };
  writeJson(other.signals, publicSignals);
  writeJson(other.proof, proof);
  await bothAccept(other, label);
}

for (const curve of curves) {
  describe(curve, () => {
    for (const [folder, name] of [["cube", "cube"], ["chain", "chain250"]]) {
      test(`${name}: one key, proofs both ways`, async () => {
        await bothWays(bundled(folder, name, curve), curve, `${curve}/${name}`);
      });
    }
  });
}

describe("circomlib on bn128", () => {
  test("Poseidon, whose long sums become additions: one key, proofs both ways", async () => {
    const files = compile("circuits/circomlib_poseidon.circom", "bn128", at.path("poseidon"));
    files.input = at.path("poseidon", "input.json");
    writeJson(files.input, { inputs: ["1234567890123456789", "42"] });
    ptau.bn128 = await powers("bn128", 12);
    await bothWays(files, "bn128", "poseidon");
  });
});
