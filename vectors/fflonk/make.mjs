// Makes the files of this folder with snarkjs: node make.mjs FOLDER-WITH-NODE_MODULES
//
// The draws of snarkjs' prover are replaced by powers: draw i is (i + 3)^40. Proofs are then functions of key and witness.
// The powers of tau are those of a public beacon, so that they need not be kept.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const snarkjs = require("snarkjs");
const { buildBn128 } = createRequire(require.resolve("snarkjs"))("ffjavascript");

const curve = await buildBn128();
const folder = mkdtempSync(join(tmpdir(), "fflonk-"));
const [fresh, raw, ptau] = ["fresh", "raw", "ptau"].map((name) => join(folder, name));
await snarkjs.powersOfTau.newAccumulator(curve, 9, fresh);
await snarkjs.powersOfTau.beacon(fresh, raw, "vectors", "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20", 10);
await snarkjs.powersOfTau.preparePhase2(raw, ptau);

const source = (circuit, ending) =>
  circuit === "cube"
    ? join(here, "../circom/cube/bn128", ending === "r1cs" ? "cube.r1cs" : "witness.wtns")
    : join(here, "../plonk/bn128", `${circuit}.${ending}`);
const hashes = { ptau: createHash("blake2b512").update(readFileSync(raw)).digest("hex") };
for (const circuit of ["cube", "mixed", "silent", "bare"]) {
  const zkey = circuit === "cube" ? join(here, "cube.zkey") : join(folder, "zkey");
  const made = await snarkjs.fflonk.setup(source(circuit, "r1cs"), ptau, zkey);
  if (made === -1) { console.log(`${circuit}: snarkjs makes no key`); continue; }
  hashes[circuit] = createHash("blake2b512").update(readFileSync(zkey)).digest("hex");
  const vk = await snarkjs.zKey.exportVerificationKey(zkey);
  const text = (name, value) => writeFileSync(join(here, `${circuit}.${name}.json`), JSON.stringify(value, null, 1));
  text("vk", vk);
  let draws = 0;
  const random = curve.Fr.random;
  curve.Fr.random = () => curve.Fr.exp(curve.Fr.e(3 + draws++), 40);
  try {
    const { proof, publicSignals } = await snarkjs.fflonk.prove(zkey, source(circuit, "wtns"));
    if (draws !== 9 || !(await snarkjs.fflonk.verify(vk, publicSignals, proof))) throw new Error("no proof");
    text("proof", proof);
    text("public", publicSignals);
  } catch (why) {
    console.log(`${circuit}: snarkjs makes no proof: ${why.message}`);
  }
  curve.Fr.random = random;
}
writeFileSync(join(here, "hashes.json"), JSON.stringify(hashes, null, 1));
rmSync(folder, { recursive: true });
await curve.terminate();
