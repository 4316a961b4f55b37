#!/usr/bin/env node
// Inputs of the circuits in ../apps and ../payment, computed from a seed without circom.
//
//   node circuits/inputs/inputs.mjs NAME [--curve bls12381] [--seed 1]             input.json
//   node circuits/inputs/inputs.mjs NAME [--curve bls12381] [--seed 1] --public    the public values to expect
import { fileURLToPath } from "node:url";
import { draw } from "./draw.mjs";
import { payment } from "./payment.mjs";
import { poseidon, Tree } from "./poseidon.mjs";
import { rollup } from "./rollup.mjs";
import { node } from "./sha256.mjs";
import { puzzle } from "./sudoku.mjs";

/** The inputs of PoseidonTree(depth). */
function poseidonTree(curve, seed, depth) {
  const { p, hash } = poseidon(curve);
  const tree = new Tree(depth, hash);
  const leaves = Array.from({ length: 2 ** depth }, (_, i) => draw("leaf", seed, i) % p);
  leaves.forEach((leaf, i) => tree.set(i, leaf));
  return { input: { leaves }, public: [tree.root] };
}

/** The inputs of Sha256Membership(depth), for one of the leaves of a whole tree. */
function sha256Membership(curve, seed, depth) {
  const bytes = (i) => Buffer.from(draw("leaf", seed, i).toString(16).padStart(128, "0").slice(0, 64), "hex");
  const toBits = (buffer) => [...buffer].flatMap((byte) => Array.from({ length: 8 }, (_, i) => (byte >> (7 - i)) & 1));
  let level = Array.from({ length: 2 ** depth }, (_, i) => bytes(i));
  let index = Number(draw("index", seed) % BigInt(level.length));
  const input = { leaf: toBits(level[index]), siblings: [], bits: [] };
  while (level.length > 1) {
    input.siblings.push(toBits(level[index ^ 1]));
    input.bits.push(index & 1);
    level = level.filter((_, i) => i % 2 === 0).map((left, i) => node(Buffer.concat([left, level[2 * i + 1]])));
    index >>= 1;
  }
  const root = level[0].toString("hex");
  return { input, public: [BigInt(`0x${root.slice(0, 32)}`), BigInt(`0x${root.slice(32)}`)] };
}

/** The inputs of SudokuBatch(count). */
function sudokuBatch(curve, seed, count) {
  const { hash } = poseidon(curve);
  const batch = Array.from({ length: count }, (_, i) => puzzle("sudoku", seed, i));
  const pack = (digits) => digits.reduceRight((sum, digit) => 16n * sum + BigInt(digit), 0n);
  const puzzles = batch.reduce((sum, { clues }) => hash(sum, hash(pack(clues.slice(0, 41)), pack(clues.slice(41)))), 0n);
  const is = (digit) => Array.from({ length: 9 }, (_, d) => Number(digit === d + 1));
  return {
    input: { clues: batch.map((p) => p.clues), is: batch.map((p) => p.solution.map(is)) },
    public: [puzzles],
  };
}

const circuits = {
  payment12: (curve, seed) => payment(curve, seed, 12, 8),
  tree8: (curve, seed) => poseidonTree(curve, seed, 3),
  tree256: (curve, seed) => poseidonTree(curve, seed, 8),
  sha2: (curve, seed) => sha256Membership(curve, seed, 1),
  sha4: (curve, seed) => sha256Membership(curve, seed, 2),
  rollup1: (curve, seed) => rollup(curve, seed, 1, 2),
  rollup36: (curve, seed) => rollup(curve, seed, 36, 20),
  sudoku1: (curve, seed) => sudokuBatch(curve, seed, 1),
  sudoku90: (curve, seed) => sudokuBatch(curve, seed, 90),
};

/** Decimal strings for numbers that JSON's readers might round. */
const text = (value) => `${JSON.stringify(value, (_, x) => (typeof x === "bigint" ? String(x) : x))}\n`;

/** `{input, public}` of a circuit by name: the text of input.json, and of public.json as the prover has to write it. */
export function inputs(name, curve, seed = 1) {
  const made = circuits[name](curve, seed);
  return { input: text(made.input), public: text(made.public) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, ...rest] = process.argv.slice(2);
  const option = (flag, otherwise) => (rest.includes(flag) ? rest[rest.indexOf(flag) + 1] : otherwise);
  const curve = option("--curve", "bls12381");
  if (!circuits[name] || !["bn128", "bls12381"].includes(curve)) {
    console.error(`usage: inputs.mjs ${Object.keys(circuits).join("|")} [--curve bn128|bls12381] [--seed N] [--public]`);
    process.exit(2);
  }
  const made = inputs(name, curve, option("--seed", 1));
  process.stdout.write(rest.includes("--public") ? made.public : made.input);
}
