// The curve and the signatures of ../edwards/edwards.circom, on integers.
import { draw } from "./draw.mjs";
import { constants } from "./poseidon.mjs";

const inverse = (x, p) => {
  let [a, b, s, t] = [((x % p) + p) % p, p, 1n, 0n];
  while (a > 1n) {
    const q = b / a;
    [a, b, s, t] = [b - q * a, a, t - q * s, s];
  }
  return ((s % p) + p) % p;
};

/** Keys and signatures over the scalar field `p` of `curve`. Not constant-time: for test data only. */
export function signatures(curve, p, hash) {
  const read = (name) => constants(`edwards/constants_${curve}.circom`, `edwards_${name}_${curve}`);
  const [[a], [d], [order], generator] = ["a", "d", "order", "generator"].map(read);
  const mod = (x) => ((x % p) + p) % p;

  // Projective (U, V, Z); the law is complete, so it doubles as well.
  const add = ([u1, v1, z1], [u2, v2, z2]) => {
    const z = (z1 * z2) % p;
    const [uu, vv, zz] = [(u1 * u2) % p, (v1 * v2) % p, (z * z) % p];
    const e = (((d * uu) % p) * vv) % p;
    const [f, g] = [zz - e, zz + e];
    return [mod(z * f * ((u1 + v1) * (u2 + v2) - uu - vv)), mod(z * g * (vv - a * uu)), mod(f * g)];
  };
  const multiply = (k) => {
    let out = [0n, 1n, 1n];
    for (const bit of k.toString(2)) {
      out = add(out, out);
      if (bit === "1") out = add(out, [...generator, 1n]);
    }
    const z = inverse(out[2], p);
    return [(out[0] * z) % p, (out[1] * z) % p];
  };

  return {
    key(...labels) {
      const secret = draw("key", ...labels) % order;
      const key = multiply(secret);
      return { secret, key, keyHash: hash(...key) };
    },
    sign({ secret, keyHash }, message) {
      const nonce = draw("nonce", secret, message) % order;
      const commitment = multiply(nonce);
      const challenge = hash(hash(hash(...commitment), keyHash), message);
      return { commitment, response: (nonce + challenge * secret) % order };
    },
  };
}
