// Files encrypted to rounds of drand's beacons, by us and by tlock-js, each opened by the other; no network is asked.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pairwright, root, scratch, tryPairwright } from "./lib.mjs";

const inside = (path) => createRequire(import.meta.url)(`tlock-js/${path}.js`);
const { encryptAge, decryptAge } = inside("age/age-encrypt-decrypt");
const { encodeArmor, decodeArmor } = inside("age/armor");
const { createTimelockEncrypter, hashedRoundNumber } = inside("drand/timelock-encrypter");
const ibe = inside("crypto/ibe");

// The fourth scheme, on BN254, is not in tlock-js.
const schemes = ["pedersen-bls-unchained", "bls-unchained-on-g1", "bls-unchained-g1-rfc9380"];
const folder = scratch("tlock");
after(folder.remove);

for (const scheme of schemes) {
  describe(scheme, () => {
    const known = JSON.parse(readFileSync(join(root, "vectors/tlock", `${scheme}.json`), "utf8"));
    const { info, beacon } = known;
    const at = (name) => folder.path(scheme, name);
    writeFileSync(at("chain.json"), JSON.stringify(info));
    writeFileSync(at("beacon.json"), JSON.stringify(beacon));
    const network = {
      chain: () => ({ info: async () => ({ public_key: info.public_key, schemeID: scheme, hash: info.chain_hash }) }),
    };
    const signature = Buffer.from(beacon.signature, "hex");
    /** What tlock-js' own decrypter does once it has the beacon. */
    const unwrap = async (stanzas) => {
      const { args, body } = stanzas.find(({ type }) => type === "tlock");
      assert.deepEqual(args, [String(beacon.round), info.chain_hash]);
      const point = info.public_key.length / 2;
      const half = (body.length - point) / 2;
      const [U, V, W] = [body.subarray(0, point), body.subarray(point, point + half), body.subarray(point + half)];
      return point === 48 ? ibe.decryptOnG1(signature, { U, V, W }) : ibe.decryptOnG2(signature, { U, V, W });
    };

    test("the identity of a round is the same", () => {
      assert.equal(Buffer.from(hashedRoundNumber(beacon.round)).toString("hex"), known.identity);
    });

    // Around the length of a piece. (tlock-js writes no piece at all for an empty text, which age has never allowed.)
    for (const length of [1, 1000, 65535, 65536, 65537, 150000]) {
      const text = Buffer.from(Array.from({ length }, (_, i) => (i * 31) & 255));
      test(`ours is opened by theirs, ${length} bytes`, async () => {
        writeFileSync(at("text"), text);
        const encrypt = ["tlock", "encrypt", at("text"), "--chain", at("chain.json"), "--round", beacon.round];
        pairwright(...encrypt, "-o", at("ours.age"));
        const file = readFileSync(at("ours.age")).toString("binary");
        assert.deepEqual(await decryptAge(file, unwrap), text);
        pairwright(...encrypt, "--armor", "-o", at("armored.age"));
        const armored = readFileSync(at("armored.age"), "utf8");
        assert.deepEqual(await decryptAge(decodeArmor(armored), unwrap), text);
      });
      test(`theirs is opened by ours, ${length} bytes`, async () => {
        const file = await encryptAge(text, createTimelockEncrypter(network, beacon.round));
        writeFileSync(at("theirs.age"), Buffer.from(file, "binary"));
        writeFileSync(at("armored.age"), encodeArmor(file));
        for (const name of ["theirs.age", "armored.age"]) {
          const decrypt = ["tlock", "decrypt", at(name), "--chain", at("chain.json"), "--beacon", at("beacon.json")];
          pairwright(...decrypt, "-o", at("back"));
          assert.deepEqual(readFileSync(at("back")), text);
        }
      });
    }

    test("a changed file of theirs is refused", async () => {
      const file = await encryptAge(Buffer.from("until then"), createTimelockEncrypter(network, beacon.round));
      const bytes = Buffer.from(file, "binary");
      bytes[bytes.length - 1] ^= 1;
      writeFileSync(at("changed.age"), bytes);
      const decrypt = ["tlock", "decrypt", at("changed.age"), "--chain", at("chain.json")];
      const { code, err } = tryPairwright(...decrypt, "--beacon", at("beacon.json"), "-o", at("none"));
      assert.equal(code, 1);
      assert.match(err, /piece 0 of the payload was changed/);
    });
  });
}
