// What our verifier must refuse. snarkjs 0.7.6 accepts most of it, which is asserted where it holds:
// these are the reasons why ours is strict, and why snarkjs is no oracle for negative cases.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import {
  baseModulus, bundled, curves, pairwright, readJson, scalarModulus, scratch, snarkjsVerifies, stopSnarkjs, torsion,
  tryPairwright, writeJson,
} from "./lib.mjs";

const at = scratch("refused");
const made = {};
before(() => {
  for (const curve of curves) {
    const files = bundled("cube", "cube", curve);
    const [zkey, vkey, signals, proof] = ["zkey", "vkey", "public", "proof"].map((kind) => at.path(curve, kind));
    pairwright("setup", files.r1cs, "--unsafe-local", "-o", zkey);
    pairwright("vkey", zkey, "-o", vkey);
    pairwright("prove", zkey, "--wasm", files.wasm, "--input", files.input, "-o", proof, "--public", signals);
    made[curve] = { vkey: readJson(vkey), signals: readJson(signals), proof: readJson(proof) };
  }
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

/** Applies `change` to a copy of a good (vkey, signals, proof) and returns both verdicts. */
async function verdicts(curve, change) {
  const copy = structuredClone(made[curve]);
  change(copy);
  const paths = ["vkey", "signals", "proof"].map((kind) => at.path(curve, `changed-${kind}.json`));
  paths.forEach((path, i) => writeJson(path, [copy.vkey, copy.signals, copy.proof][i]));
  return { ours: tryPairwright("verify", ...paths), theirs: await snarkjsVerifies(copy.vkey, copy.signals, copy.proof) };
}

/**
 * Refused by us, without a crash and with a message that `says` why. `code` is 1 where the files are in order but the
 * proof proves nothing (its points included), 2 where a file is not what it should be.
 */
async function refused(curve, change, { code, says, snarkjsAccepts }) {
  const { ours, theirs } = await verdicts(curve, change);
  assert.equal(theirs, snarkjsAccepts, "snarkjs' verdict has changed");
  assert.equal(ours.code, code, `expected exit code ${code}, got ${ours.code}: ${ours.out}${ours.err}`);
  assert.match(ours.err, says);
}

const { G1, G2 } = bls12_381;
const add = (list, index, value) => { list[index] = String(BigInt(list[index]) + value); };

const t1 = torsion(G1.Point, (F, x) => F.add(F.pow(x, 3n), 4n), [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
const t1of3 = G1.Point.fromAffine({ x: 0n, y: 2n });
const t2 = torsion(
  G2.Point,
  (F, x) => F.add(F.mul(F.sqr(x), x), F.fromBigTuple([4n, 4n])),
  [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((i) => G2.Point.Fp.fromBigTuple([i, 1n])),
);

const g1Of = ([x, y]) => G1.Point.fromAffine({ x: BigInt(x), y: BigInt(y) });
const g1Json = (p) => [String(p.toAffine().x), String(p.toAffine().y), "1"];
const fp2 = ([c0, c1]) => G2.Point.Fp.fromBigTuple([BigInt(c0), BigInt(c1)]);
const fp2Json = ({ c0, c1 }) => [String(c0), String(c1)];
const g2Of = ([x, y]) => G2.Point.fromAffine({ x: fp2(x), y: fp2(y) });
const g2Json = (p) => [fp2Json(p.toAffine().x), fp2Json(p.toAffine().y), ["1", "0"]];

for (const curve of curves) {
  describe(curve, () => {
    const q = baseModulus[curve];
    const r = scalarModulus[curve];

    test("the unchanged proof is accepted by both", async () => {
      const { ours, theirs } = await verdicts(curve, () => {});
      assert.equal(ours.code, 0, ours.err);
      assert.equal(theirs, true);
    });
    for (const [part, index] of [["pi_a", 0], ["pi_a", 1], ["pi_c", 0], ["pi_c", 1]]) {
      test(`${part}[${index}] + q: coordinate not reduced`, () =>
        refused(curve, ({ proof }) => add(proof[part], index, q), { code: 2, says: /modulus/, snarkjsAccepts: true }));
    }
    test("pi_b[0][1] + q: coordinate not reduced", () =>
      refused(curve, ({ proof }) => add(proof.pi_b[0], 1, q), { code: 2, says: /modulus/, snarkjsAccepts: true }));
    test("public input + r: an alias of the same value", () =>
      refused(curve, ({ signals }) => add(signals, 0, r), { code: 2, says: /modulus/, snarkjsAccepts: false }));
    test("public input - r: a negative alias", () =>
      refused(curve, ({ signals }) => add(signals, 0, -r), { code: 2, says: /decimal/, snarkjsAccepts: false }));
    test("public input + 1: another statement", () =>
      refused(curve, ({ signals }) => add(signals, 0, 1n), { code: 1, says: /rejected/, snarkjsAccepts: false }));
    test("pi_a negated: a valid point, a false proof", () =>
      refused(curve, ({ proof }) => { proof.pi_a[1] = String(q - BigInt(proof.pi_a[1])); }, { code: 1, says: /rejected/, snarkjsAccepts: false }));
    test("pi_a and pi_c exchanged", () =>
      refused(curve, ({ proof }) => { [proof.pi_a, proof.pi_c] = [proof.pi_c, proof.pi_a]; }, { code: 1, says: /rejected/, snarkjsAccepts: false }));
    test("pi_a off the curve", () =>
      refused(curve, ({ proof }) => add(proof.pi_a, 1, proof.pi_a[1] === String(q - 1n) ? -1n : 1n), { code: 1, says: /not on the curve/, snarkjsAccepts: false }));
    test("a public input too many", () =>
      refused(curve, ({ signals }) => signals.push("1"), { code: 1, says: /2 public values/, snarkjsAccepts: false }));
    test("no public input", () => refused(curve, ({ signals }) => signals.pop(), { code: 1, says: /0 public values/, snarkjsAccepts: false }));
    test("a proof of the other curve", () =>
      refused(curve, (all) => { all.proof = made[curves.find((name) => name !== curve)].proof; }, { code: 2, says: /curve/, snarkjsAccepts: false }));
    test("a proof of another protocol", () =>
      refused(curve, ({ proof }) => { proof.protocol = "plonk"; }, { code: 2, says: /plonk/, snarkjsAccepts: true }));
    test("a key that counts its public inputs wrongly", () =>
      refused(curve, ({ vkey }) => { vkey.nPublic = 2; }, { code: 2, says: /IC/, snarkjsAccepts: true }));
    test("all points at infinity", () =>
      refused(curve, ({ proof }) => {
        proof.pi_a = ["0", "1", "0"];
        proof.pi_b = [["0", "0"], ["1", "0"], ["0", "0"]];
        proof.pi_c = ["0", "1", "0"];
      }, { code: 1, says: /rejected/, snarkjsAccepts: false }));
  });
}

describe("bls12381: points of the cofactor's torsion added", () => {
  for (const [label, t] of [["order 3", t1of3], ["the torsion part of a random point", t1]]) {
    for (const part of ["pi_a", "pi_c"]) {
      test(`${part} + ${label}`, () =>
        refused("bls12381", ({ proof }) => { proof[part] = g1Json(g1Of(proof[part]).add(t)); }, { code: 1, says: /pi_[ac].*subgroup/, snarkjsAccepts: true }));
    }
  }
  test("pi_b + the torsion part of a random point", () =>
    refused("bls12381", ({ proof }) => { proof.pi_b = g2Json(g2Of(proof.pi_b).add(t2)); }, { code: 1, says: /pi_b.*subgroup/, snarkjsAccepts: false }));
  test("IC[1] of the key + order 3", () =>
    refused("bls12381", ({ vkey }) => { vkey.IC[1] = g1Json(g1Of(vkey.IC[1]).add(t1of3)); }, { code: 2, says: /IC.*subgroup/, snarkjsAccepts: true }));
  test("the torsion points are what they are said to be", () => {
    assert.ok(t1of3.double().add(t1of3).equals(G1.Point.ZERO));
    for (const p of [t1, t2, t1of3]) {
      assert.throws(() => p.assertValidity());
      assert.equal(p.isTorsionFree(), false);
    }
  });
});
