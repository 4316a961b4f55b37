// Our files and proofs against snarkjs, in both directions, on both curves.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import {
  bundled, ceremony, compile, compileToProgram, curves, later, noCompiler, pairwright, readJson, root, scratch, snarkjs, snarkjsVerifies,
  stopSnarkjs, tryPairwright, tryPairwrightWith, writeJson, writeText,
} from "./lib.mjs";

const at = scratch("snarkjs");
const ptau = {};
before(async () => {
  for (const curve of curves) ptau[curve] = await ceremony(curve, 8, at);
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

/** The witness by us: the bytes snarkjs writes, accepted by both checkers. Returns its path. */
async function witness(files, label) {
  const [theirs, ours] = [at.path(label, "theirs.wtns"), at.path(label, "ours.wtns")];
  await snarkjs.wtns.calculate(readJson(files.input), files.wasm, theirs);
  pairwright("witness", files.wasm, files.input, "-o", ours);
  assert.ok(readFileSync(ours).equals(readFileSync(theirs)), "witness bytes differ");
  pairwright("check", files.r1cs, ours);
  assert.equal(await snarkjs.wtns.check(files.r1cs, ours), true);
  return ours;
}

/** A prepared file of powers without the last of its Lagrange points in G1, 2^(power + 1) of them. */
function withoutLastLevel(file, power) {
  let at = 12;
  for (;;) {
    const [id, size] = [file.readUInt32LE(at), Number(file.readBigUInt64LE(at + 4))];
    const [start, end] = [at + 12, at + 12 + size];
    if (id === 12) {
      const points = (4 << power) - 1;
      const kept = ((2 << power) - 1) * (size / points);
      const head = Buffer.from(file.subarray(0, start));
      head.writeBigUInt64LE(BigInt(kept), at + 4);
      return Buffer.concat([head, file.subarray(start, start + kept), file.subarray(end)]);
    }
    at = end;
  }
}

/** Contributions of both tools follow each other in one ceremony; what has no secrets has equal bytes. */
for (const curve of curves) {
  test(`powers of tau of both tools, ${curve}`, async () => {
    const path = (name) => at.path(`powers-${curve}`, name);
    const [engine, beacon] = [await snarkjs.curves.getCurveFromName(curve), "00ff7f"];
    await snarkjs.powersOfTau.newAccumulator(engine, 5, path("theirs_0.ptau"));
    pairwright("powersoftau", "new", curve, 5, path("ours_0.ptau"));
    await snarkjs.powersOfTau.beacon(path("theirs_0.ptau"), path("theirs_b.ptau"), "b", beacon, 11);
    pairwright("powersoftau", "beacon", path("ours_0.ptau"), path("ours_b.ptau"), beacon, 11, "--name", "b");
    for (const step of ["0", "b"]) {
      const [ours, theirs] = [`ours_${step}.ptau`, `theirs_${step}.ptau`].map((name) => readFileSync(path(name)));
      assert.ok(ours.equals(theirs), `step ${step} has other bytes`);
    }
    pairwright("powersoftau", "contribute", path("theirs_b.ptau"), path("1.ptau"), "--name", "ours");
    assert.equal(await snarkjs.powersOfTau.verify(path("1.ptau")), true);
    await snarkjs.powersOfTau.contribute(path("1.ptau"), path("2.ptau"), "theirs", "some text");
    const told = JSON.parse(pairwright("powersoftau", "verify", path("2.ptau"), "--json").out);
    assert.deepEqual(told.contributions.map((made) => made.name), ["b", "ours", "theirs"]);
    pairwright("powersoftau", "beacon", path("2.ptau"), path("3.ptau"), beacon, 10);
    pairwright("powersoftau", "prepare", "phase2", path("3.ptau"), path("4.ptau"));
    assert.equal(await snarkjs.powersOfTau.verify(path("4.ptau")), true);
    // A file of the old form lacks the Lagrange points of the largest domain.
    const prepared = readFileSync(path("4.ptau"));
    writeFileSync(path("old.ptau"), withoutLastLevel(prepared, 5));
    await snarkjs.powersOfTau.convert(path("old.ptau"), path("theirs.ptau"));
    pairwright("powersoftau", "convert", path("old.ptau"), path("ours.ptau"));
    assert.ok(readFileSync(path("ours.ptau")).equals(readFileSync(path("theirs.ptau"))), "convert has other bytes");
    await snarkjs.powersOfTau.truncate(path("4.ptau"), path("theirs_4_"));
    pairwright("powersoftau", "truncate", path("4.ptau"));
    for (const power of ["01", "02", "03", "04"]) {
      const [ours, theirs] = [`4_${power}.ptau`, `theirs_4_${power}.ptau`].map((name) => readFileSync(path(name)));
      assert.ok(ours.equals(theirs), `power ${power} has other bytes`);
    }
  });
}

/** Contributions of both tools to one key; a beacon's key has equal bytes. */
for (const curve of curves) {
  test(`contributions of both tools to a key, ${curve}`, async () => {
    const path = (name) => at.path(`key-${curve}`, name);
    const folder = join(root, "vectors", "circom");
    const [r1cs, powers] = [join(folder, "cube", curve, "cube.r1cs"), join(folder, "ptau", `${curve}.4.prepared.ptau`)];
    await snarkjs.zKey.newZKey(r1cs, powers, path("0.zkey"));
    for (const line of [["groth16", "setup"], ["zkey", "new"]]) {
      pairwright(...line, r1cs, powers, path("ours_0.zkey"));
      assert.ok(readFileSync(path("ours_0.zkey")).equals(readFileSync(path("0.zkey"))), "the first key has other bytes");
    }
    await snarkjs.zKey.beacon(path("0.zkey"), path("theirs.zkey"), "b", "00ff7f", 10);
    pairwright("zkey", "beacon", path("0.zkey"), path("ours.zkey"), "00ff7f", 10, "--name", "b");
    assert.ok(readFileSync(path("ours.zkey")).equals(readFileSync(path("theirs.zkey"))), "other bytes");
    pairwright("zkey", "contribute", path("theirs.zkey"), path("1.zkey"), "--name", "ours");
    assert.equal(await snarkjs.zKey.verifyFromR1cs(r1cs, powers, path("1.zkey")), true);
    await snarkjs.zKey.contribute(path("1.zkey"), path("2.zkey"), "theirs", "some text");
    const told = JSON.parse(pairwright("zkey", "verify", r1cs, powers, path("2.zkey"), "--json").out);
    assert.deepEqual(told.contributions.map((made) => made.name), ["b", "ours", "theirs"]);
    assert.equal(tryPairwright("zkey", "verify", r1cs, powers, path("0.zkey")).code, 1);
  });
}

/** Both verifiers accept the proof and refuse it for other public inputs. */
async function bothAccept({ vkey, signals, proof }, label) {
  const [key, values, pi] = [vkey, signals, proof].map(readJson);
  assert.equal(await snarkjs.groth16.verify(key, values, pi), true, "snarkjs refuses the proof");
  pairwright("verify", vkey, signals, proof);

  const others = [values[0] === "0" ? "1" : "0", ...values.slice(1)];
  const changed = at.path(label, "changed.json");
  writeJson(changed, others);
  assert.equal(await snarkjsVerifies(key, others, pi), false);
  assert.equal(tryPairwright("verify", vkey, changed, proof).code, 1, "another public input must be a rejected proof");
}

/** From one zkey: our proof and snarkjs' proof, and the same verification key from both. */
async function proveBothWays(zkey, files, wtns, label) {
  const theirKey = await snarkjs.zKey.exportVerificationKey(zkey);
  const vkey = at.path(label, "vkey.json");
  pairwright("vkey", zkey, "-o", vkey);
  assert.deepEqual(readJson(vkey), JSON.parse(JSON.stringify(theirKey)), "verification keys differ");

  const ours = { vkey, signals: at.path(label, "public.json"), proof: at.path(label, "proof.json") };
  pairwright("prove", zkey, wtns, "-o", ours.proof, "--public", ours.signals);
  await bothAccept(ours, label);

  const fromJson = { vkey, signals: at.path(label, "public2.json"), proof: at.path(label, "proof2.json") };
  pairwright("prove", zkey, "--wasm", files.wasm, "--input", files.input, "-o", fromJson.proof, "--public", fromJson.signals);
  assert.deepEqual(readJson(fromJson.signals), readJson(ours.signals));
  await bothAccept(fromJson, label);

  const made = await snarkjs.groth16.prove(zkey, wtns);
  assert.deepEqual(made.publicSignals, readJson(ours.signals), "public inputs differ");
  const theirs = { vkey, signals: at.path(label, "public3.json"), proof: at.path(label, "proof3.json") };
  writeJson(theirs.signals, made.publicSignals);
  writeJson(theirs.proof, made.proof);
  await bothAccept(theirs, label);
  return readJson(ours.signals);
}

/** A key by us from a ptau: snarkjs finds it well made, and both prove with it. */
async function ourSetup(files, curve, wtns, label, pot) {
  const zkey = at.path(label, "ours.zkey");
  pairwright("setup", files.r1cs, "--ptau", pot, "-o", zkey);
  assert.equal(await snarkjs.zKey.verifyFromR1cs(files.r1cs, ptau[curve].prepared, zkey), true, "snarkjs zkey verify");
  return proveBothWays(zkey, files, wtns, label);
}

/** A key by snarkjs with a contribution: both prove with it, and so does the modelled chip. */
async function theirSetup(files, curve, wtns, label) {
  const [initial, zkey] = [at.path(label, "initial.zkey"), at.path(label, "theirs.zkey")];
  await snarkjs.zKey.newZKey(files.r1cs, ptau[curve].prepared, initial);
  for (const args of [["prove", initial, wtns], ["vkey", initial], ["inspect", initial]]) {
    const refused = tryPairwright(...args, ...(args[0] === "inspect" ? [] : ["-o", at.path(label, "unsafe.json")]));
    assert.equal(refused.code, 2, "a key without a contribution must be refused");
    assert.match(refused.err, /nobody has contributed to this key/);
  }
  await snarkjs.zKey.contribute(initial, zkey, "interop", "not random: a test");
  const signals = await proveBothWays(zkey, files, wtns, label);
  const chip = { vkey: at.path(label, "vkey.json"), signals: at.path(label, "public4.json"), proof: at.path(label, "proof4.json") };
  pairwright("prove", zkey, wtns, "--device", "chip", "-o", chip.proof, "--public", chip.signals);
  await bothAccept(chip, label);
  return signals;
}

/** A key by us from local randomness, for circuits whose ptau would take snarkjs minutes. */
async function localSetup(files, wtns, label) {
  const zkey = at.path(label, "local.zkey");
  pairwright("setup", files.r1cs, "--unsafe-local", "-o", zkey);
  return proveBothWays(zkey, files, wtns, label);
}

const driver = process.env.PAIRWRIGHT_OPENCL_DRIVER;
test("snarkjs accepts a proof of an OpenCL device", { skip: driver ? false : "there is no OpenCL driver" }, async () => {
  const files = bundled("cube", "cube", "bn128");
  const [wtns, label] = [await witness(files, "opencl"), "opencl"];
  const [zkey, vkey] = [at.path(label, "local.zkey"), at.path(label, "vkey.json")];
  pairwright("setup", files.r1cs, "--unsafe-local", "-o", zkey);
  pairwright("vkey", zkey, "-o", vkey);
  const device = { vkey, signals: at.path(label, "public.json"), proof: at.path(label, "proof.json") };
  const [report, args] = [at.path(label, "report.json"), ["prove", zkey, wtns, "--device", "opencl"]];
  const proved = tryPairwrightWith(JSON.parse(driver), ...args, "-o", device.proof, "--public", device.signals, "--report", report);
  assert.equal(proved.code, 0, proved.err);
  const machines = readJson(report).operators.filter((call) => call.operator.startsWith("msm")).map((call) => call.cost.machine);
  assert.deepEqual(machines, Array(5).fill("opencl"), "the device computes all sums");
  await bothAccept(device, label);
});

for (const curve of curves) {
  describe(curve, () => {
    // What differs between the curves is in the other tests.
    const once = { skip: curve === "bn128" ? false : later("the same on the second curve") };
    for (const [folder, name] of [["cube", "cube"], ["chain", "chain250"]]) {
      test(`${name}: our key, their key, proofs both ways`, name === "cube" ? {} : once, async () => {
        const files = bundled(folder, name, curve);
        const wtns = await witness(files, `${curve}/${name}`);
        const fromOurs = await ourSetup(files, curve, wtns, `${curve}/${name}/ours`, ptau[curve].prepared);
        const fromTheirs = await theirSetup(files, curve, wtns, `${curve}/${name}/theirs`);
        assert.deepEqual(fromOurs, fromTheirs);
      });
    }

    test("powers are prepared to snarkjs' bytes, and serve both", async () => {
      const ours = at.path(curve, "prepared-by-us.ptau");
      pairwright("powersoftau", "prepare", "phase2", ptau[curve].raw, ours);
      assert.ok(readFileSync(ours).equals(readFileSync(ptau[curve].prepared)), "prepared powers differ");
      assert.equal(await snarkjs.powersOfTau.verify(ours), true, "snarkjs powersoftau verify");
      const files = bundled("cube", "cube", curve);
      const wtns = await witness(files, `${curve}/prepared`);
      await ourSetup(files, curve, wtns, `${curve}/prepared`, ours);
      const again = tryPairwright("powersoftau", "prepare", "phase2", ours, at.path(curve, "twice.ptau"));
      assert.equal(again.code, 2);
      assert.match(again.err, /prepared for phase 2 already/);
    });

    const unable = noCompiler();
    test("cube: circom's C++ calculator gives the same witness", { skip: unable }, () => {
      const files = bundled("cube", "cube", curve);
      const program = compileToProgram("circuits/cube/cube.circom", curve, at.path(curve, "cpp", "out"));
      const [ours, theirs] = [at.path(curve, "cpp", "ours.wtns"), at.path(curve, "cpp", "theirs.wtns")];
      pairwright("witness", files.wasm, files.input, "-o", ours);
      pairwright("witness", program, files.input, "--engine", "native", "--r1cs", files.r1cs, "-o", theirs);
      assert.ok(readFileSync(ours).equals(readFileSync(theirs)), "witness bytes differ");
    });

    test("chain250: a raw ptau gives an equally good key", once, async () => {
      const files = bundled("chain", "chain250", curve);
      const wtns = await witness(files, `${curve}/raw`);
      await ourSetup(files, curve, wtns, `${curve}/raw`, ptau[curve].raw);
    });

    test("merkle20: local key, proofs both ways", once, async () => {
      const files = bundled("merkle", "merkle20", curve);
      const wtns = await witness(files, `${curve}/merkle20`);
      const signals = await localSetup(files, wtns, `${curve}/merkle20`);
      assert.deepEqual(signals, [readJson(files.input).root]);
    });

    test("the same seed gives the same proof, no seed another", () => {
      const files = bundled("cube", "cube", curve);
      const [zkey, wtns] = [at.path(curve, "seed.zkey"), at.path(curve, "seed.wtns")];
      pairwright("setup", files.r1cs, "--unsafe-local", "-o", zkey);
      pairwright("witness", files.wasm, files.input, "-o", wtns);
      const proofs = [["--seed", "00ff".repeat(16)], ["--seed", "00ff".repeat(16)], [], []].map((extra, i) => {
        const proof = at.path(curve, `seed-proof-${i}.json`);
        pairwright("prove", zkey, wtns, "-o", proof, "--public", at.path(curve, `seed-public-${i}.json`), ...extra);
        return readFileSync(proof, "utf8");
      });
      assert.equal(proofs[0], proofs[1]);
      assert.equal(new Set(proofs).size, 3);
    });

    test("batch-verify takes snarkjs' and our proofs, and no list with a false one", async () => {
      const files = bundled("cube", "cube", curve);
      const [zkey, vkey] = [at.path(curve, "batch.zkey"), at.path(curve, "batch-vkey.json")];
      pairwright("setup", files.r1cs, "--unsafe-local", "-o", zkey);
      pairwright("vkey", zkey, "-o", vkey);
      const lines = [];
      for (let i = 0; i < 6; i++) {
        const [input, signals, proof] = ["input", "public", "proof"].map((kind) => at.path(curve, `batch-${kind}-${i}.json`));
        writeJson(input, { x: String(i) });
        if (i % 2 === 0) {
          pairwright("prove", zkey, "--wasm", files.wasm, "--input", input, "-o", proof, "--public", signals);
        } else {
          const made = await snarkjs.groth16.fullProve(readJson(input), files.wasm, zkey);
          writeJson(signals, made.publicSignals);
          writeJson(proof, made.proof);
        }
        lines.push(`${signals} ${proof}`);
      }
      const list = at.path(curve, "batch.txt");
      writeText(list, lines);
      pairwright("batch-verify", vkey, list);
      // the public input of proof 1 beside proof 2
      const swapped = at.path(curve, "batch-false.txt");
      writeText(swapped, [...lines.slice(1), `${at.path(curve, "batch-public-1.json")} ${at.path(curve, "batch-proof-2.json")}`]);
      assert.equal(tryPairwright("batch-verify", vkey, swapped).code, 1);
    });
  });
}

describe("circomlib on bn128", () => {
  test("Poseidon: the hash that derive/poseidon.py computes, key and proofs both ways", async () => {
    const files = compile("circuits/circomlib_poseidon.circom", "bn128", at.path("circomlib", "poseidon"));
    files.input = at.path("circomlib", "poseidon", "input.json");
    writeJson(files.input, { inputs: ["1234567890123456789", "42"] });
    const wtns = await witness(files, "circomlib/poseidon");
    const signals = await ourSetup(files, "bn128", wtns, "circomlib/poseidon/ours", ptau.bn128.prepared);
    await theirSetup(files, "bn128", wtns, "circomlib/poseidon/theirs");
    const script = join(root, "derive/poseidon.py");
    const python = spawnSync("python3", ["-B", script, "--hash", "bn128", "1234567890123456789", "42"], { encoding: "utf8" });
    assert.deepEqual(signals, [python.stdout.trim()], python.stderr);
  });

  const sha256 = { skip: later("26,000 constraints, by both tools") };
  test("SHA-256 of eight bytes: the digest that Node computes, local key, proofs both ways", sha256, async () => {
    const files = compile("circuits/circomlib_sha256.circom", "bn128", at.path("circomlib", "sha256"));
    const message = Buffer.from("membship");
    const bits = (bytes) => [...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")]);
    files.input = at.path("circomlib", "sha256", "input.json");
    writeJson(files.input, { in: bits(message) });
    const wtns = await witness(files, "circomlib/sha256");
    const signals = await localSetup(files, wtns, "circomlib/sha256");
    assert.deepEqual(signals, [...bits(createHash("sha256").update(message).digest()), ...bits(message)]);
  });
});
