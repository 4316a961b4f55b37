// Keystores of EIP-2335 against @chainsafe/bls-keystore: each opens what the other has written.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { Keystore } from "@chainsafe/bls-keystore";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { later, pairwright, readJson, scratch, tryPairwright, writeJson, writeText } from "./lib.mjs";

const { path, remove } = scratch("keystores");
after(remove);

/** Composed, decomposed, compatible, outside of the basic plane, with control codes and blanks. */
const all = ["plain", " two  blanks ", "\u00e9\u0301\u212b", "\ufb01\u2460\u{1f511}", "a\u0007b\u0085c", "\ufdfa"];
/** Those that their slow scrypt opens in every run: blanks, and a composed sign beside its parts. */
const few = later("two seconds of scrypt for every password") ? all.slice(1, 3) : all;

test("what is written here is opened there", async () => {
  const [secret, keystore] = [path("secret.json"), path("keystore.json")];
  pairwright("bls", "keygen", "-o", secret);
  for (const [index, password] of all.entries()) {
    writeText(path("password"), [password]);
    const kdf = index % 2 === 0 ? "pbkdf2" : "scrypt";
    const options = ["--kdf", kdf, "--cost", "12", "--password-file", path("password"), "--force"];
    pairwright("bls", "keystore", "encrypt", secret, "-o", keystore, ...options);
    const theirs = Keystore.parse(readFileSync(keystore, "utf8"));
    const key = Buffer.from(await theirs.decrypt(password)).toString("hex");
    assert.equal(key, readJson(secret).secret_key, password);
    await assert.rejects(theirs.decrypt(`${password}x`));
  }
});

test("what is written there is opened here", async () => {
  for (const password of few) {
    // Below the order of the group.
    const secret = Buffer.concat([Buffer.from([1]), randomBytes(31)]);
    const { G1 } = bls12_381;
    const pubkey = G1.Point.BASE.multiply(BigInt(`0x${secret.toString("hex")}`)).toBytes(true);
    const theirs = await Keystore.create(password, secret, pubkey, "m/12381/3600/1/0/0", "theirs");
    writeJson(path("theirs.json"), theirs.toObject());
    writeText(path("password"), [password]);
    const line = ["bls", "keystore", "decrypt", path("theirs.json"), "-o", path("clear.json"), "--force"];
    pairwright(...line, "--password-file", path("password"));
    const clear = readJson(path("clear.json"));
    assert.equal(clear.secret_key, secret.toString("hex"), password);
    assert.deepEqual([clear.path, clear.public_key], ["m/12381/3600/1/0/0", Buffer.from(pubkey).toString("hex")]);
    writeText(path("password"), [`${password}x`]);
    assert.equal(tryPairwright(...line, "--password-file", path("password")).code, 1);
  }
});
