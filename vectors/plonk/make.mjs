// Makes the files of this folder with snarkjs: node make.mjs FOLDER-WITH-NODE_MODULES
//
// The draws of snarkjs' prover are replaced by powers: draw i is (i + 3)^40. Proofs are then functions of key and witness.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const snarkjs = require("snarkjs");
const { buildBn128, buildBls12381 } = createRequire(require.resolve("snarkjs"))("ffjavascript");

/** Little-endian bytes of a number. */
const le = (x, bytes) => Buffer.from(Array.from({ length: bytes }, (_, i) => Number((BigInt(x) >> BigInt(8 * i)) & 255n)));
const container = (magic, version, sections) =>
  Buffer.concat([
    Buffer.from(magic), le(version, 4), le(sections.length, 4),
    ...sections.flatMap(([id, body]) => [le(id, 4), le(body.length, 8), body]),
  ]);

/** A circuit's file. A constraint is three lists of [wire, coefficient] in the order in which they are to be written. */
function r1cs(r, { wires, outputs, inputs, secrets, constraints }) {
  const mod = (k) => ((BigInt(k) % r) + r) % r;
  const sum = (terms) => Buffer.concat([le(terms.length, 4), ...terms.flatMap(([w, k]) => [le(w, 4), le(mod(k), 32)])]);
  const head = Buffer.concat([
    le(32, 4), le(r, 32), le(wires, 4), le(outputs, 4), le(inputs, 4), le(secrets, 4), le(wires, 8), le(constraints.length, 4),
  ]);
  const body = Buffer.concat(constraints.flatMap((c) => c.map(sum)));
  const labels = Buffer.concat(Array.from({ length: wires }, (_, i) => le(i, 8)));
  return container("r1cs", 1, [[1, head], [2, body], [3, labels]]);
}

const wtns = (r, values) =>
  container("wtns", 2, [
    [1, Buffer.concat([le(32, 4), le(r, 32), le(values.length, 4)])],
    [2, Buffer.concat(values.map((x) => le(((x % r) + r) % r, 32)))],
  ]);

/** Sums of every length and kind on every side; the last wire of each constraint is its own. */
function mixed(r) {
  let state = 12345n;
  const draw = (below) => Number(((state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n)) >> 33n) % BigInt(below));
  const values = [1n, 0n, 0n, 17n, 23n, 5n, 7919n];
  const known = [0, 3, 4, 5, 6];
  const value = (terms) => terms.reduce((sum, [w, k]) => sum + values[w] * BigInt(k), 0n);
  const constraints = [];
  const sum = (length) => {
    const chosen = new Map();
    for (let i = 0; i < length; i++) chosen.set(known[draw(known.length)], draw(5) === 0 ? 0 : draw(200) - 100);
    return [...chosen];
  };
  for (let i = 0; i < 14; i++) {
    const wire = i === 12 ? 1 : i === 13 ? 2 : values.length;
    const constant = [[0, draw(9)]];
    const a = [sum(1 + draw(7)), [], constant, sum(2), sum(3)][draw(5)];
    const b = [sum(1 + draw(7)), [], constant, sum(1), a][draw(5)];
    const extra = sum(draw(6)).filter(([w]) => w !== wire);
    values[wire] = (((value(a) * value(b) - value(extra)) % r) + r) % r;
    constraints.push([a, b, [...extra, [wire, 1]]]);
    if (i < 12) known.push(wire);
  }
  // A term that cancels, and one that stands on both sides of a constant factor.
  constraints.push([[[0, 2]], [[3, 1]], [[3, 2]]]);
  constraints.push([[[4, 1], [3, -1]], [[0, 3]], [[4, 3], [3, -3]]]);
  return [{ wires: values.length, outputs: 1, inputs: 1, secrets: 4, constraints }, values];
}

const square = [[[1, 1]], [[1, 1]], [[2, 1]]];
const circuits = {
  mixed,
  silent: () => [{ wires: 3, outputs: 0, inputs: 0, secrets: 1, constraints: [square] }, [1n, 6n, 36n]],
  bare: () => [{ wires: 2, outputs: 0, inputs: 1, secrets: 0, constraints: [] }, [1n, 9n]],
};

for (const [name, build] of [["bn128", buildBn128], ["bls12381", buildBls12381]]) {
  const curve = await build();
  const folder = join(here, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const at = (file) => join(folder, file);
  const ptau = at("powers.ptau");
  await snarkjs.powersOfTau.newAccumulator(curve, 7, ptau + ".0");
  await snarkjs.powersOfTau.contribute(ptau + ".0", ptau, "vectors", "no secret");
  await snarkjs.powersOfTau.preparePhase2(ptau, ptau + ".1");
  const cube = (file) => readFileSync(join(here, "../circom/cube", name, file));
  writeFileSync(at("cube.r1cs"), cube("cube.r1cs"));
  writeFileSync(at("cube.wtns"), cube("witness.wtns"));
  for (const [circuit, make] of Object.entries(circuits)) {
    const [system, values] = make(curve.r);
    writeFileSync(at(`${circuit}.r1cs`), r1cs(curve.r, system));
    writeFileSync(at(`${circuit}.wtns`), wtns(curve.r, values));
  }
  const hashes = {};
  for (const circuit of ["cube", ...Object.keys(circuits)]) {
    const zkey = at(`${circuit}.zkey`);
    const made = await snarkjs.plonk.setup(at(`${circuit}.r1cs`), ptau + ".1", zkey);
    if (made === -1) { console.log(`${name} ${circuit}: snarkjs makes no key`); continue; }
    hashes[circuit] = createHash("blake2b512").update(readFileSync(zkey)).digest("hex");
    const vk = await snarkjs.zKey.exportVerificationKey(zkey);
    writeFileSync(at(`${circuit}.vk.json`), JSON.stringify(vk, null, 1));
    let draws = 0;
    const random = curve.Fr.random;
    curve.Fr.random = () => curve.Fr.exp(curve.Fr.e(3 + draws++), 40);
    try {
      const { proof, publicSignals } = await snarkjs.plonk.prove(zkey, at(`${circuit}.wtns`));
      if (draws !== 11 || !(await snarkjs.plonk.verify(vk, publicSignals, proof))) throw new Error("no proof");
      writeFileSync(at(`${circuit}.proof.json`), JSON.stringify(proof, null, 1));
      writeFileSync(at(`${circuit}.public.json`), JSON.stringify(publicSignals, null, 1));
    } catch (why) {
      console.log(`${name} ${circuit}: snarkjs makes no proof: ${why.message}`);
    }
    curve.Fr.random = random;
  }
  writeFileSync(at("zkeys.json"), JSON.stringify(hashes, null, 1));
  for (const suffix of [".0", ".1"]) rmSync(ptau + suffix);
  for (const file of ["cube.r1cs", "cube.wtns", ...Object.keys(circuits).map((circuit) => `${circuit}.zkey`)]) rmSync(at(file));
  await curve.terminate();
}
