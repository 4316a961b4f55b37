// A batch of signed transfers for ../apps/rollup/rollup.circom.
import { draw, shuffled } from "./draw.mjs";
import { signatures } from "./edwards.mjs";
import { poseidon, Tree } from "./poseidon.mjs";

const usual = {
  /** The amount, of a balance and a random number. */
  amount: (balance, random) => random % (balance + 1n),
  /** Whether the transfer goes to its sender: the last one of a batch does. */
  toSelf: (i, count) => i > 0 && i === count - 1,
};

/**
 * The inputs of Rollup(count, depth), and the public values that the circuit has to give. All signatures are good;
 * with other choices than the usual ones there are transfers that the circuit must refuse.
 */
export function rollup(curve, seed, count, depth, choices = {}) {
  const { amount: amountOf, toSelf } = { ...usual, ...choices };
  const { p, hash } = poseidon(curve);
  const scheme = signatures(curve, p, hash);
  const tree = new Tree(depth, hash);
  const leafOf = (a) => hash(a.keyHash, hash(a.balance, a.nonce));

  const places = new Set();
  const owners = Math.min(2 ** depth - 1, 2 * count);
  for (let i = 0; places.size < owners; i++) places.add(Number(draw("place", seed, i) % BigInt(2 ** depth)));
  const accounts = [...places].map((place, i) => ({
    place,
    ...scheme.key(curve, seed, i),
    balance: draw("balance", seed, i) >> 450n, // 62 bits
    nonce: draw("nonce", seed, i) % 1000n,
  }));
  for (const account of accounts) tree.set(account.place, leafOf(account));

  const input = { root: tree.root };
  const push = (name, value) => (input[name] ??= []).push(value);
  let transfers = 0n;
  for (let i = 0; i < count; i++) {
    const order = shuffled(owners, "pair", seed, i);
    const from = accounts[order[0]];
    const to = toSelf(i, count) ? from : accounts[order[1]];
    const amount = amountOf(from.balance, draw("amount", seed, i));
    const message = hash(hash(BigInt(from.place), BigInt(to.place)), hash(amount, from.nonce));
    const { commitment, response } = scheme.sign(from, message);
    push("amount", amount);
    push("commitment", commitment);
    push("response", response);

    const step = (role, account, change) => {
      const { bits, siblings } = tree.path(account.place);
      push(`${role}_bits`, bits);
      push(`${role}_siblings`, siblings);
      push(`${role}_balance`, account.balance);
      push(`${role}_nonce`, account.nonce);
      change();
      tree.set(account.place, leafOf(account));
    };
    push("from_key", from.key);
    step("from", from, () => ((from.balance -= amount), from.nonce++));
    push("to_key_hash", to.keyHash);
    step("to", to, () => (to.balance += amount));
    transfers = hash(transfers, message);
  }
  return { input, public: [tree.root, transfers, input.root] };
}
