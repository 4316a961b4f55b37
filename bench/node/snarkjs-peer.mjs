// Measures snarkjs on a key and a witness of ours, in turns with whoever holds its standard input:
//
//     node snarkjs-peer.mjs KEY.zkey WITNESS.wtns
//
// Both files are read into memory, one proof is verified, "ready" is printed, and then each line, a number of threads and
// a number of runs, is answered with the seconds of so many proofs; the number of threads it cannot choose. snarkjs is the interop tests' own, from interop/node_modules; it divides its work among as
// many worker threads as there are cores, which stay up between proofs.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const snarkjs = createRequire(new URL("../../interop/package.json", import.meta.url))("snarkjs");

const [zkeyPath, wtnsPath] = process.argv.slice(2);
if (!wtnsPath) {
  console.error("usage: node snarkjs-peer.mjs KEY.zkey WITNESS.wtns");
  process.exit(2);
}
const memory = (path) => ({ type: "mem", data: new Uint8Array(readFileSync(path)) });
const [zkey, wtns] = [memory(zkeyPath), memory(wtnsPath)];

const verificationKey = await snarkjs.zKey.exportVerificationKey(zkey);
const protocol = snarkjs[verificationKey.protocol];
const { proof, publicSignals } = await protocol.prove(zkey, wtns);
if (!(await protocol.verify(verificationKey, publicSignals, proof))) {
  console.error("snarkjs refuses its own proof");
  process.exit(1);
}
console.log("ready");

for await (const line of createInterface({ input: process.stdin })) {
  const runs = Number(line.split(" ")[1] ?? 1);
  const begin = process.hrtime.bigint();
  for (let run = 0; run < runs; run++) await protocol.prove(zkey, wtns);
  console.log(Number(process.hrtime.bigint() - begin) / 1e9);
}
process.exit(0);
