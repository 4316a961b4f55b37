// One payment for ../payment/payment.circom.
import { draw } from "./draw.mjs";
import { poseidon, Tree } from "./poseidon.mjs";

/**
 * The inputs of Payment(notes, payers), and the public values that the circuit has to give. Members of `wrong` replace
 * inputs: what the circuit must refuse.
 */
export function payment(curve, seed, notes, payers, wrong = {}) {
  const { p, hash } = poseidon(curve);
  const [element, amount] = [(...labels) => draw(...labels, seed) % p, (...labels) => draw(...labels, seed) >> 450n];
  const note = (owner, value, blinding) => hash(hash(owner, value), blinding);

  const spending_key = element("spending key");
  const owner = hash(spending_key, 1n);
  const [to_value, change_value, fee] = ["to", "change", "fee"].map((name) => amount("value", name));
  const value = to_value + change_value + fee;
  const blinding = element("blinding");
  const tree = new Tree(notes, hash);
  const position = Number(draw("position", seed) % BigInt(2 ** notes));
  for (let i = 0; i < position && i < 8; i++) tree.set(i, element("another note", i));
  tree.set(position, note(owner, value, blinding));
  const { bits: note_bits, siblings: note_siblings } = tree.path(position);

  const identity = element("identity");
  const registry = new Tree(payers, hash);
  const place = Number(draw("payer", seed) % BigInt(2 ** payers));
  registry.set(place ^ 1, element("another payer"));
  registry.set(place, hash(identity, owner));
  const { bits: payer_bits, siblings: payer_siblings } = registry.path(place);

  const [to_owner, to_blinding, change_blinding, key, digest] = ["to", "to blinding", "change blinding", "key", "digest"].map((name) => element(name));
  const nullifier = hash(hash(spending_key, 2n), hash(note(owner, value, blinding), BigInt(position)));
  return {
    input: {
      root: tree.root, registry: registry.root, fee, digest,
      spending_key, value, blinding, note_bits, note_siblings,
      to_owner, to_value, to_blinding, change_blinding,
      identity, payer_bits, payer_siblings, key,
      ...wrong,
    },
    public: [
      nullifier, note(to_owner, to_value, to_blinding), note(owner, change_value, change_blinding),
      (identity + hash(key, nullifier)) % p, hash(key, 3n), tree.root, registry.root, fee, digest,
    ],
  };
}
