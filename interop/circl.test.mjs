// Attribute-based encryption by our command and by Cloudflare's CIRCL (Go): each reads the keys and opens the files of the other,
// and both refuse the same ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { pairwright, scratch, tryPairwright } from "./lib.mjs";

const peer = process.env.PAIRWRIGHT_CIRCL;
const skip = peer ? false : "CIRCL was not built: PAIRWRIGHT_CIRCL names no program";
const folder = scratch("circl");
after(folder.remove);

/** A policy, attributes that satisfy it, and attributes that do not. */
const cases = [
  ["role: doctor", { role: "doctor" }, { role: "nurse" }],
  ["role: doctor and ward: 3", { role: "doctor", ward: "3" }, { role: "doctor", ward: "4" }],
  ["role: doctor or (ward: 3 and site: north)", { role: "nurse", ward: "3", site: "north" }, { role: "nurse", ward: "3", site: "south" }],
  ["not role: nurse", { role: "doctor" }, { role: "nurse" }],
  ["role: doctor and not (site: north or site: west)", { role: "doctor", site: "south" }, { role: "doctor", site: "west" }],
];

const ours = {
  setup: (publicKey, master) => pairwright("abe", "setup", "--key", master, "--public", publicKey),
  keygen: (master, key, held) => {
    const attributes = Object.entries(held).flatMap(([name, value]) => ["--attribute", `${name}: ${value}`]);
    pairwright("abe", "keygen", master, ...attributes, "-o", key);
  },
  encrypt: (publicKey, policy, message, ciphertext) =>
    pairwright("abe", "encrypt", message, "--public", publicKey, "--policy", policy, "-o", ciphertext),
  decrypt: (key, ciphertext, message) => tryPairwright("abe", "decrypt", ciphertext, "--key", key, "-o", message).code,
};

const circl = (...args) => {
  const run = spawnSync(peer, args, { encoding: "utf8", timeout: 60_000 });
  if (run.error) throw run.error;
  return run;
};
const succeed = (...args) => assert.equal(circl(...args).status, 0, args.join(" "));
const theirs = {
  setup: (...files) => succeed("setup", ...files),
  keygen: (master, key, held) =>
    succeed("keygen", master, key, ...Object.entries(held).map(([name, value]) => `${name}=${value}`)),
  encrypt: (...files) => succeed("encrypt", ...files),
  decrypt: (...files) => circl("decrypt", ...files).status,
};

const tools = { ours, theirs };
// Who makes the system, who the key, who encrypts, who opens: everything but one tool alone.
const turns = [
  ["ours", "theirs", "theirs", "ours"],
  ["ours", "ours", "ours", "theirs"],
  ["theirs", "ours", "theirs", "ours"],
  ["theirs", "theirs", "ours", "theirs"],
];

for (const turn of turns) {
  describe(turn.join(", "), { skip }, () => {
    const [maker, deriver, sealer, opener] = turn.map((name) => tools[name]);
    const at = (name) => folder.path(turn.join("-"), name);
    const message = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 37) & 255));
    test("a system", () => {
      maker.setup(at("public"), at("master"));
      writeFileSync(at("message"), message);
    });
    cases.forEach(([policy, held, other], index) =>
      test(policy, () => {
        const of = (name) => at(`${index}-${name}`);
        deriver.keygen(at("master"), of("key"), held);
        deriver.keygen(at("master"), of("other"), other);
        sealer.encrypt(at("public"), policy, at("message"), of("sealed"));
        assert.equal(opener.decrypt(of("key"), of("sealed"), of("opened")), 0);
        assert.deepEqual(readFileSync(of("opened")), message);
        assert.equal(opener.decrypt(of("other"), of("sealed"), of("refused")), 1);
        const damaged = readFileSync(of("sealed"));
        damaged[damaged.length - 1] ^= 1;
        writeFileSync(of("damaged"), damaged);
        assert.notEqual(opener.decrypt(of("key"), of("damaged"), of("refused")), 0);
      }),
    );
  });
}
