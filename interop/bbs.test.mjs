// BBS signatures against @digitalbazaar/bbs-signatures: keys, signatures and proofs in both directions, and refusals.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import * as peer from "@digitalbazaar/bbs-signatures";
import { pairwright, readJson, scratch, tryPairwright, writeJson } from "./lib.mjs";

const suites = {
  "sha-256": ["BBS_BLS12381G1_XMD:SHA-256_SSWU_RO_", peer.CIPHERSUITES.BLS12381_SHA256],
  "shake-256": ["BBS_BLS12381G1_XOF:SHAKE-256_SSWU_RO_", peer.CIPHERSUITES.BLS12381_SHAKE256],
};
const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const hex = (array) => Buffer.from(array).toString("hex");
const nonce = "6e6f6e6365";
const header = "a header";
const messages = ["name", "", "1815-12-10", "London", "ü", "six"];

/** The peer's verdict: it answers false or throws. */
async function accepts(verdict) {
  try {
    return (await verdict) === true;
  } catch {
    return false;
  }
}

for (const [name, [id, ciphersuite]] of Object.entries(suites)) {
  describe(name, async () => {
    const { path, remove } = scratch("bbs");
    after(remove);
    const [secret, open, list, signature, proof] =
      ["secret", "public", "messages", "signature", "proof"].map((file) => path(`${file}.json`));
    const document = (type, members) => ({ type: `pairwright bbs ${type}`, version: 1, ...members });
    writeJson(list, document("messages", { header, messages }));
    pairwright("bbs", "keygen", "--ciphersuite", name, "-o", secret, "--public", open);
    const secretKey = bytes(readJson(secret).secret_key);
    const publicKey = bytes(readJson(open).public_key);
    const signed = { publicKey, header: utf8(header), messages: messages.map(utf8), ciphersuite };
    const choices = [[], [0], [1, 4], [0, 1, 2, 3, 4, 5]];

    test("the same public key and the same signature", async () => {
      assert.equal(hex(await peer.secretKeyToPublicKey({ secretKey, ciphersuite })), hex(publicKey));
      pairwright("bbs", "sign", secret, list, "-o", signature);
      assert.equal(readJson(signature).signature, hex(await peer.sign({ ...signed, secretKey })));
      assert.ok(await accepts(peer.verifySignature({ ...signed, signature: bytes(readJson(signature).signature) })));
    });

    test("their proofs are accepted here", async () => {
      for (const disclosedMessageIndexes of choices) {
        const made = await peer.deriveProof({
          ...signed,
          signature: bytes(readJson(signature).signature),
          presentationHeader: bytes(nonce),
          disclosedMessageIndexes,
        });
        const shown = {
          ciphersuite: id,
          encoding: "utf-8",
          header,
          presentation_header: nonce,
          disclosed: disclosedMessageIndexes.map((index) => ({ index, message: messages[index] })),
          proof: hex(made),
        };
        writeJson(proof, document("proof", shown));
        pairwright("bbs", "verify-proof", open, proof, "--presentation-header", nonce);
        writeJson(proof, document("proof", { ...shown, header: "another" }));
        assert.equal(tryPairwright("bbs", "verify-proof", open, proof).code, 1);
      }
    });

    test("our proofs are accepted there, and refused with something else", async () => {
      for (const indexes of choices) {
        const disclose = indexes.length === 0 ? [] : ["--disclose", indexes.join()];
        pairwright("bbs", "prove", open, list, signature, ...disclose, "--presentation-header", nonce, "-o", proof);
        const shown = {
          publicKey,
          header: utf8(header),
          presentationHeader: bytes(nonce),
          disclosedMessages: indexes.map((index) => utf8(messages[index])),
          disclosedMessageIndexes: indexes,
          proof: bytes(readJson(proof).proof),
          ciphersuite,
        };
        assert.ok(await accepts(peer.verifyProof(shown)));
        assert.ok(!(await accepts(peer.verifyProof({ ...shown, presentationHeader: utf8("x") }))));
        assert.ok(!(await accepts(peer.verifyProof({ ...shown, header: utf8("x") }))));
      }
    });
  });
}
