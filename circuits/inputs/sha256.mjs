// The compression function of SHA-256 (FIPS 180-4) on one block, from the initial state.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);

/** floor(2^32 x) modulo 2^32 for the root x of p of this degree. */
function fraction(p, degree) {
  let root = 0n;
  for (let bit = 1n << 36n; bit; bit >>= 1n) {
    if ((root + bit) ** degree <= BigInt(p) << (32n * degree)) root += bit;
  }
  return Number(root & 0xffffffffn);
}
const initial = primes.slice(0, 8).map((p) => fraction(p, 2n));
const round = primes.map((p) => fraction(p, 3n));
const rotate = (x, n) => (x >>> n) | (x << (32 - n));

/** 32 bytes from a block of 64. */
export function node(block) {
  const w = Array.from({ length: 16 }, (_, t) => block.readUInt32BE(4 * t));
  for (let t = 16; t < 64; t++) {
    const [x, y] = [w[t - 15], w[t - 2]];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w.push((s1 + w[t - 7] + s0 + w[t - 16]) | 0);
  }
  let [a, b, c, d, e, f, g, h] = initial;
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + round[t] + w[t]) | 0;
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  const out = Buffer.alloc(32);
  [a, b, c, d, e, f, g, h].forEach((x, i) => out.writeUInt32BE((x + initial[i]) >>> 0, 4 * i));
  return out;
}
