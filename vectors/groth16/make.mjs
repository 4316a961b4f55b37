// Makes the files of this folder with snarkjs: node make.mjs FOLDER-WITH-NODE_MODULES
//
// The draws of snarkjs' prover are replaced by powers: draw i is (i + 3)^40. Proofs are then functions of key and witness.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const snarkjs = require("snarkjs");
const { buildBn128, buildBls12381 } = createRequire(require.resolve("snarkjs"))("ffjavascript");

for (const [name, build] of [["bn128", buildBn128], ["bls12381", buildBls12381]]) {
  const curve = await build();
  const at = (file) => join(here, "../circom/cube", name, file);
  let draws = 0;
  curve.Fr.random = () => curve.Fr.exp(curve.Fr.e(3 + draws++), 40);
  const { proof } = await snarkjs.groth16.prove(at("cube.zkey"), at("witness.wtns"));
  if (draws !== 2) throw new Error(`${draws} draws`);
  writeFileSync(join(here, `${name}.proof.json`), JSON.stringify(proof, null, 1));
  await curve.terminate();
}
