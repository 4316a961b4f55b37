// The Poseidon of ../poseidon/poseidon.circom, and Merkle trees, on integers.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The integers that a function of a constants file returns, in order. */
export function constants(file, name) {
  const text = readFileSync(join(here, "..", file), "utf8");
  const body = text.slice(text.indexOf(`function ${name}()`));
  return body.slice(body.indexOf("return"), body.indexOf("}")).match(/\d+/g).map(BigInt);
}

/** The scalar field's modulus and the 2-to-1 hash over it. */
export function poseidon(curve) {
  const file = `poseidon/constants_${curve}.circom`;
  const rounds = constants(file, `poseidon_round_constants_${curve}`);
  const mds = constants(file, `poseidon_mds_${curve}`);
  const p = BigInt(readFileSync(join(here, "..", file), "utf8").match(/r = (\d+)/)[1]);
  const [T, HALF, ROUNDS] = [3, 4, rounds.length / 3];
  const fifth = (x) => {
    const square = (x * x) % p;
    return (((square * square) % p) * x) % p;
  };
  const hash = (left, right) => {
    let state = [0n, left, right];
    for (let r = 0; r < ROUNDS; r++) {
      state = state.map((x, i) => (x + rounds[T * r + i]) % p);
      const full = r < HALF || r >= ROUNDS - HALF;
      state = state.map((x, i) => (full || i === 0 ? fifth(x) : x));
      state = [0, 1, 2].map((i) => (mds[T * i] * state[0] + mds[T * i + 1] * state[1] + mds[T * i + 2] * state[2]) % p);
    }
    return state[0];
  };
  return { p, hash };
}

/** A tree of 2^depth leaves, of which those that were never set are 0. */
export class Tree {
  constructor(depth, hash) {
    this.depth = depth;
    this.hash = hash;
    this.empty = [0n];
    for (let level = 0; level < depth; level++) this.empty.push(hash(this.empty[level], this.empty[level]));
    this.nodes = this.empty.map(() => new Map());
  }
  node(level, index) {
    return this.nodes[level].get(index) ?? this.empty[level];
  }
  set(index, leaf) {
    this.nodes[0].set(index, leaf);
    for (let level = 1; level <= this.depth; level++) {
      index = Math.floor(index / 2);
      this.nodes[level].set(index, this.hash(this.node(level - 1, 2 * index), this.node(level - 1, 2 * index + 1)));
    }
  }
  get root() {
    return this.node(this.depth, 0);
  }
  /** Which child each node of the path is (1: the right one), and its sibling. */
  path(index) {
    const [bits, siblings] = [[], []];
    for (let level = 0; level < this.depth; level++) {
      bits.push(index % 2);
      siblings.push(this.node(level, index + 1 - 2 * (index % 2)));
      index = Math.floor(index / 2);
    }
    return { bits, siblings };
  }
}
