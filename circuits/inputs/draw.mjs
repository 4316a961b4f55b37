// Reproducible numbers: the same seed and labels give the same value.
import { createHash } from "node:crypto";

/** A number of 512 bits; reduced modulo a field it is uniform up to a bias below 2^-250. */
export function draw(...labels) {
  return BigInt(`0x${createHash("sha512").update(labels.join(" ")).digest("hex")}`);
}

/** The numbers 0 to n - 1 in an order that depends on the labels. */
export function shuffled(n, ...labels) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Number(draw(...labels, i) % BigInt(i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
