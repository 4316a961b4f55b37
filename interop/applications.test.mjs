// The applications under circuits/apps: inputs and public values come from circuits/inputs, which knows nothing of
// circom, and the parts that the bundled files leave out (Baby Jubjub, SHA-256) are compiled here.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { rollup } from "../circuits/inputs/rollup.mjs";
import { node } from "../circuits/inputs/sha256.mjs";
import { puzzle, solutions } from "../circuits/inputs/sudoku.mjs";
import { bundled, later, pairwright, readJson, root, scratch, snarkjs, stopSnarkjs, tryPairwright, writeText } from "./lib.mjs";

const at = scratch("applications");
after(async () => {
  await stopSnarkjs();
  at.remove();
});

const decimal = (value) => JSON.stringify(value, (_, x) => (typeof x === "bigint" ? String(x) : x));

describe("inputs", () => {
  test("a node is SHA-256 without the padding", () => {
    for (const message of ["", "abc", "x".repeat(55)]) {
      const block = Buffer.alloc(64);
      block.write(message);
      block[message.length] = 0x80;
      block.writeUInt32BE(8 * message.length, 60);
      assert.deepEqual(node(block), createHash("sha256").update(message).digest(), message);
    }
  });

  test("a puzzle has one solution, and needs all of its clues", () => {
    const { clues, solution } = puzzle("interop", 1);
    assert.deepEqual(solutions(clues, 2), [solution]);
    clues.forEach((clue, c) => clue && assert.ok(solutions(clues.with(c, 0), 2).length > 1));
  });
});

describe("compiled at the size of a test, on bn128", () => {
  for (const name of ["tree8", "sha2", "sudoku1", "rollup1"]) {
    // circom takes more than half a minute for SHA-256.
    const when = { skip: name === "sudoku1" ? false : later("circom takes three quarters of a minute for all of them") };
    test(`${name}: snarkjs' witness, and the public values of the inputs`, when, async () => {
      const args = ["circuits/build.mjs", "apps", "--size", "small", "--curve", "bn128", "--only", name, "--out", at.folder];
      const run = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      assert.equal(run.status, 0, run.stderr);
      const file = (ending) => join(at.folder, "bn128", `${name}.${ending}`);
      await snarkjs.wtns.calculate(readJson(file("input.json")), file("wasm"), file("theirs.wtns"));
      pairwright("witness", file("wasm"), file("input.json"), "-o", file("wtns"));
      assert.ok(readFileSync(file("wtns")).equals(readFileSync(file("theirs.wtns"))), "witness bytes differ");
      pairwright("check", file("r1cs"), file("wtns"));
      const expected = readJson(file("public.json"));
      const wires = await snarkjs.wtns.exportJson(file("wtns"));
      assert.deepEqual(wires.slice(1, 1 + expected.length).map(String), expected);
    });
  }
});

describe("transfers", () => {
  const files = bundled("apps/rollup", "rollup1", "bls12381");
  const run = (choices, seed) => {
    const made = rollup("bls12381", seed, 1, 2, choices);
    writeText(at.path("transfer.json"), [decimal(made.input)]);
    return tryPairwright("witness", files.wasm, at.path("transfer.json"), "-o", at.path("transfer.wtns"));
  };
  test("to oneself, of everything, and of nothing, are good", () => {
    for (const choices of [{ toSelf: () => true }, { amount: (balance) => balance }, { amount: () => 0n }]) {
      const { code, err } = run(choices, 2);
      assert.equal(code, 0, err);
      pairwright("check", files.r1cs, at.path("transfer.wtns"));
    }
  });
  test("of more than there is, or of less than nothing, are refused although they are signed", () => {
    const r = 52435875175126190479447740508185965837690552500527637822603658699938581184513n;
    for (const amount of [(balance) => balance + 1n, () => r - 1n, () => 1n << 64n]) {
      const { code, err } = run({ amount }, 3);
      assert.equal(code, 2);
      assert.match(err, /assert failed: template Bits/);
    }
  });
});
