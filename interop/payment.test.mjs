// Payments that a regulator can open: the circuit's witness by circom's calculator, the proof by snarkjs, the encrypted key
// by tlock-js, and every number of a payment again from what its parties keep.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { createRequire } from "node:module";
import { join } from "node:path";
import { poseidon, Tree } from "../circuits/inputs/poseidon.mjs";
import { bundled, later, pairwright, readJson, scratch, snarkjs, snarkjsVerifies, stopSnarkjs } from "./lib.mjs";

const ibe = createRequire(import.meta.url)("tlock-js/crypto/ibe.js");
const at = scratch("payment");
after(async () => {
  await stopSnarkjs();
  at.remove();
});

test("circom's calculator gives our witness", async () => {
  const files = bundled("payment", "payment12", "bls12381");
  await snarkjs.wtns.calculate(readJson(files.input), files.wasm, at.path("theirs.wtns"));
  pairwright("witness", files.wasm, files.input, "-o", at.path("ours.wtns"));
  assert.ok(readFileSync(at.path("ours.wtns")).equals(readFileSync(at.path("theirs.wtns"))), "witness bytes differ");
});

describe("a payment", { skip: later("a quarter of a minute of keys and proofs") }, () => {
  const kept = at.path("kept");
  const { p, hash } = poseidon("bls12381");
  const read = (name) => readJson(join(kept, `${name}.json`));
  const number = (hex) => BigInt(`0x${hex}`);
  const members = ["nullifier", "to_note", "change_note", "ciphertext", "key_hash", "root", "registry"];
  before(() => pairwright("payment", "demo", "--device", "cpu", "--keep", kept));

  test("is proved as snarkjs verifies it, for these values and no others", async () => {
    const paid = read("payment-0");
    const values = [...members.map((name) => number(paid[name])), BigInt(paid.fee), number(paid.digest)].map(String);
    assert.ok(await snarkjsVerifies(read("payment-vk"), values, paid.proof));
    for (let i = 0; i < values.length; i++) {
      const other = values.with(i, String((BigInt(values[i]) + 1n) % p));
      assert.ok(!(await snarkjsVerifies(read("payment-vk"), other, paid.proof)), `value ${i}`);
    }
  });

  test("says what its parties' files say", () => {
    const paid = read("payment-0");
    const [spendingKey, note] = [number(read("alice").spending_key), read("alice-note-0")];
    const owner = hash(spendingKey, 1n);
    assert.equal(owner, number(read("alice-address").owner));
    const commit = (to, { value, blinding }) => hash(hash(to, BigInt(value)), number(blinding));
    const notes = read("ledger").notes.map(number);
    const spent = commit(owner, note);
    const position = notes.indexOf(spent);
    assert.ok(position >= 0);
    assert.equal(number(paid.nullifier), hash(hash(spendingKey, 2n), hash(spent, BigInt(position))));
    assert.equal(number(paid.to_note), commit(number(read("bob-address").owner), read("payment-0-bob")));
    assert.equal(number(paid.change_note), commit(owner, read("payment-0-alice")));
    assert.equal(note.value, read("payment-0-bob").value + read("payment-0-alice").value + paid.fee);
    assert.ok(read("ledger").nullifiers.includes(paid.nullifier));

    // The roots: of the notes before this payment, and of the payers.
    const before = notes.slice(0, notes.indexOf(number(paid.to_note)));
    const fill = (tree, leaves) => leaves.forEach((leaf, i) => tree.set(i, leaf)) ?? tree.root;
    assert.equal(number(paid.root), fill(new Tree(12, hash), before));
    assert.equal(number(paid.registry), fill(new Tree(8, hash), read("payers").leaves.map(number)));
  });

  test("is opened by tlock-js with the regulator's key", async () => {
    const paid = read("payment-0");
    const bytes = Buffer.from(paid.encrypted_key, "hex");
    const [U, V, W] = [bytes.subarray(0, 96), bytes.subarray(96, 128), bytes.subarray(128)];
    const key = number(Buffer.from(await ibe.decryptOnG2(Buffer.from(read("regulator").key, "hex"), { U, V, W })).toString("hex"));
    assert.equal(number(paid.key_hash), hash(key, 3n));
    const found = (number(paid.ciphertext) + p - hash(key, number(paid.nullifier))) % p;
    const digest = (tag, ...parts) => {
      const sum = createHash("sha256").update(tag);
      for (const part of parts) {
        const length = Buffer.alloc(8);
        length.writeBigUInt64BE(BigInt(part.length));
        sum.update(length).update(part);
      }
      return number(sum.digest("hex").slice(0, 62));
    };
    const identity = (name) => digest("pairwright payment identity v1", Buffer.from(name));
    assert.equal(found, identity("Alice"));
    assert.deepEqual(read("registry").payers.filter(({ name }) => identity(name) === found).map(({ name }) => name), ["Alice"]);
    const parts = [paid.authority, paid.period].map((text) => Buffer.from(text));
    assert.equal(number(paid.digest), digest("pairwright payment digest v1", ...parts, bytes));
  });
});
