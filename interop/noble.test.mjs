// Group law, encodings and pairings against @noble/curves, on BLS12-381 and BN254.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { ask } from "./oracle.mjs";

const peers = { bls12381: bls12_381, bn128: bn254 };
const hex = (n) => n.toString(16);
const int = (text) => BigInt(`0x${text}`);

/** Scalars on the edges and a few without pattern. */
function scalars(order, count) {
  const drawn = Array.from({ length: count }, (_, i) =>
    int(createHash("sha512").update(`noble ${i}`).digest("hex")) % order);
  return [0n, 1n, 2n, 3n, (1n << 64n) - 1n, 1n << 128n, order >> 1n, order - 2n, order - 1n, ...drawn];
}

/** An affine point of noble's as text, coefficients lowest first; likewise a reply of ours. */
function text(point) {
  if (point.is0()) return "infinity";
  const { x, y } = point.toAffine();
  return (typeof x === "bigint" ? [x, y] : [x.c0, x.c1, y.c0, y.c1]).map(hex).join(" ");
}
function ours({ infinity, x, y, error }) {
  if (error) return `error: ${error}`;
  return infinity ? "infinity" : [...x, ...y].map((c) => hex(int(c))).join(" ");
}

/** An element of noble's Fp12 as text, lowest tower coefficient first; likewise a reply of ours. */
const target = ({ c0, c1 }) =>
  [c0, c1].flatMap((six) => [six.c0, six.c1, six.c2]).flatMap((two) => [two.c0, two.c1]).map(hex).join(" ");
const ourTarget = ({ coords, error }) => (error ? `error: ${error}` : coords.map((c) => hex(int(c))).join(" "));

for (const [curve, peer] of Object.entries(peers)) {
  const order = peer.fields.Fr.ORDER;
  const base = { g1: peer.G1.Point.BASE, g2: peer.G2.Point.BASE };

  describe(curve, () => {
    for (const group of ["g1", "g2"]) {
      test(`${group}: multiples of the generator, by every form of the group law`, () => {
        const ks = scalars(order, group === "g1" ? 24 : 12);
        for (const form of ["jacobian", "projective"]) {
          const replies = ask(ks.map((k) => ({ curve, op: "mul", group, form, k: hex(k) })));
          ks.forEach((k, i) => assert.equal(ours(replies[i]), text(base[group].multiplyUnsafe(k)), `${form}: ${k}`));
        }
      });

      test(`${group}: sums, with equal, opposite and neutral operands`, () => {
        const ks = scalars(order, 2);
        const pairs = ks.flatMap((a) => ks.map((b) => [a, b])).concat([[5n, 5n], [5n, order - 5n]]);
        for (const form of ["jacobian", "xyzz", "projective"]) {
          const replies = ask(pairs.map(([a, b]) => ({ curve, op: "add", group, form, a: hex(a), b: hex(b) })));
          pairs.forEach(([a, b], i) => {
            const sum = base[group].multiplyUnsafe(a).add(base[group].multiplyUnsafe(b));
            assert.equal(ours(replies[i]), text(sum), `${form}: ${a} + ${b}`);
          });
        }
      });
    }

    test("pairing: all twelve coefficients", () => {
      const pairs = [[1n, 1n], [2n, 3n], [order - 1n, 1n], [1n, order - 1n], ...scalars(order, 6).slice(9).map((k, i) => [k, k + BigInt(i)])];
      const replies = ask(pairs.map(([a, b]) => ({ curve, op: "pairing", pairs: [[hex(a), hex(b % order)]] })));
      pairs.forEach(([a, b], i) => {
        const e = peer.pairing(base.g1.multiply(a), base.g2.multiply(b % order));
        assert.equal(ourTarget(replies[i]), target(e), `e(${a} G1, ${b} G2)`);
      });
    });

    test("pairing: products of several, and a product that is one", () => {
      const lists = [
        [[2n, 3n], [5n, 7n]],
        [[2n, 3n], [order - 6n, 1n]],
        [[11n, 13n], [17n, 19n], [23n, 29n], [0n, 5n], [5n, 0n]],
      ];
      const replies = ask(lists.map((pairs) => ({ curve, op: "pairing", pairs: pairs.map((pair) => pair.map(hex)) })));
      lists.forEach((pairs, i) => {
        const finite = pairs.filter(([a, b]) => a !== 0n && b !== 0n);
        const e = peer.pairingBatch(finite.map(([a, b]) => ({ g1: base.g1.multiply(a), g2: base.g2.multiply(b) })));
        assert.equal(ourTarget(replies[i]), target(e));
      });
      assert.equal(ourTarget(replies[1]), ["1", ...Array(11).fill("0")].join(" "));
    });
  });
}

describe("bls12381 encodings in the IETF form", () => {
  const { G1, G2, fields } = bls12_381;
  const base = { g1: G1.Point, g2: G2.Point };

  for (const group of ["g1", "g2"]) {
    for (const compressed of [true, false]) {
      test(`${group}, ${compressed ? "compressed" : "uncompressed"}: written and read`, () => {
        const ks = scalars(fields.Fr.ORDER, 8);
        const wanted = ks.map((k) => Buffer.from(base[group].BASE.multiplyUnsafe(k).toBytes(compressed)).toString("hex"));
        const written = ask(ks.map((k) => ({ curve: "bls12381", op: "encode", group, k: hex(k), compressed })));
        assert.deepEqual(written.map(({ bytes }) => bytes), wanted);
        const read = ask(wanted.map((bytes) => ({ curve: "bls12381", op: "decode", group, bytes })));
        ks.forEach((k, i) => assert.equal(ours(read[i]), text(base[group].BASE.multiplyUnsafe(k)), String(k)));
      });
    }
  }

  test("points of the curve outside the subgroup are refused", () => {
    // y^2 = x^3 + 4 at small x: a random point of the curve is in the subgroup with probability 1/h
    const bytes = [];
    for (let x = 0n; bytes.length < 6; x++) {
      let y;
      try {
        y = fields.Fp.sqrt(fields.Fp.add(fields.Fp.pow(x, 3n), 4n));
      } catch {
        continue;
      }
      assert.equal(G1.Point.fromAffine({ x, y }).isTorsionFree(), false);
      const larger = y > fields.Fp.neg(y);
      const raw = Buffer.from(x.toString(16).padStart(96, "0"), "hex");
      raw[0] |= 0x80 | (larger ? 0x20 : 0);
      bytes.push(raw.toString("hex"));
    }
    for (const { error } of ask(bytes.map((b) => ({ curve: "bls12381", op: "decode", group: "g1", bytes: b })))) {
      assert.match(error ?? "accepted", /subgroup/);
    }
  });
});
