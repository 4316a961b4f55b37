// What the tests of Plonk and fflonk share: keys against snarkjs' byte for byte, proofs both ways.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pairwright, readJson, snarkjs, tryPairwright, writeJson } from "./lib.mjs";

/** Powers of tau by us: { raw, prepared } paths. `snarkjs.test.mjs` compares their bytes and lets snarkjs verify them. */
export function powers(at, curve, power) {
  const [fresh, raw, prepared] = ["fresh", "raw", "prepared"].map((kind) => at.path(`${curve}-${power}-${kind}.ptau`));
  pairwright("powersoftau", "new", curve, power, fresh);
  pairwright("powersoftau", "contribute", fresh, raw);
  pairwright("powersoftau", "prepare", "phase2", raw, prepared);
  return { raw, prepared };
}

/** snarkjs' verdict; an exception inside it counts as a refusal. */
async function theyAccept(protocol, key, values, proof) {
  try {
    return await snarkjs[protocol].verify(key, values, proof);
  } catch {
    return false;
  }
}

/** The proof with one of its values changed. */
function otherProof(proof) {
  const less = (x) => String(BigInt(x) - 1n);
  if (proof.evaluations) return { ...proof, evaluations: { ...proof.evaluations, b: less(proof.evaluations.b) } };
  return { ...proof, eval_b: less(proof.eval_b) };
}

/** Both verifiers accept the proof and refuse it for other public inputs and with a word of it changed. */
async function bothAccept(protocol, { vkey, signals, proof, changed }) {
  const [key, values, pi] = [vkey, signals, proof].map(readJson);
  assert.equal(await theyAccept(protocol, structuredClone(key), values, structuredClone(pi)), true, "snarkjs refuses the proof");
  pairwright("verify", vkey, signals, proof);
  if (values.length > 0) {
    const others = [values[0] === "0" ? "1" : "0", ...values.slice(1)];
    writeJson(changed, others);
    assert.equal(await theyAccept(protocol, structuredClone(key), others, structuredClone(pi)), false);
    assert.equal(tryPairwright("verify", vkey, changed, proof).code, 1, "another public input must be a rejected proof");
  }
  const other = otherProof(pi);
  writeJson(changed, other);
  assert.equal(await theyAccept(protocol, structuredClone(key), values, other), false);
  assert.equal(tryPairwright("verify", vkey, signals, changed).code, 1, "another value must be a rejected proof");
}

/** A key whose powers we drew says so in a section of its own, which snarkjs reads past. */
export async function readsPastSecrets(protocol, { at, files, label }) {
  const [key, wtns] = [at.path(label, "local.zkey"), at.path(label, "local.wtns")];
  pairwright("setup", files.r1cs, "--unsafe-local", "--protocol", protocol, "-o", key);
  const vkey = await snarkjs.zKey.exportVerificationKey(key);
  await snarkjs.wtns.calculate(readJson(files.input), files.wasm, wtns);
  const { proof, publicSignals } = await snarkjs[protocol].prove(key, wtns);
  assert.equal(await theyAccept(protocol, vkey, publicSignals, proof), true, "snarkjs refuses its own proof");
}

/** Keys of both are the same bytes; each proves with the other's key, and each verifies both proofs. */
export async function bothWays(protocol, { at, files, ptau, label }) {
  const [theirs, ours] = [at.path(label, "theirs.zkey"), at.path(label, "ours.zkey")];
  await snarkjs[protocol].setup(files.r1cs, ptau.prepared, theirs);
  // Powers that are not prepared serve us as well.
  pairwright(protocol, "setup", files.r1cs, ptau.raw, ours);
  assert.ok(readFileSync(ours).equals(readFileSync(theirs)), "proving keys differ");
  const vkey = at.path(label, "vkey.json");
  pairwright("vkey", theirs, "-o", vkey);
  assert.deepEqual(readJson(vkey), JSON.parse(JSON.stringify(await snarkjs.zKey.exportVerificationKey(ours))));

  const wtns = at.path(label, "witness.wtns");
  if (files.wtns) pairwright("check", files.r1cs, files.wtns);
  else pairwright("witness", files.wasm, files.input, "-o", wtns);
  const witness = files.wtns ?? wtns;
  const changed = at.path(label, "changed.json");
  const made = { vkey, signals: at.path(label, "public.json"), proof: at.path(label, "proof.json"), changed };
  pairwright(protocol, "prove", theirs, witness, made.proof, made.signals, "--check");
  await bothAccept(protocol, made);
  const { proof, publicSignals } = await snarkjs[protocol].prove(ours, witness);
  assert.deepEqual(publicSignals, readJson(made.signals), "public inputs differ");
  const other = { vkey, signals: at.path(label, "public2.json"), proof: at.path(label, "proof2.json"), changed };
  writeJson(other.signals, publicSignals);
  writeJson(other.proof, proof);
  await bothAccept(protocol, other);
}
