// Solidity contracts: compiled and run in process. They accept proofs and nothing else, take the calls of snarkjs' contracts,
// and cost no more gas than these.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { call, cancun, compileContract, compiler, gasOf } from "./evm.mjs";
import {
  baseModulus, bundled, compile, curves, here, later, pairwright, readJson, root, scalarModulus, scratch, snarkjs, stopSnarkjs,
  torsion, tryPairwright, writeJson,
} from "./lib.mjs";

const at = scratch("contracts");
after(async () => {
  await stopSnarkjs();
  at.remove();
  print();
});

/** What differs between protocols. Values are the scalars of a proof; the rest of its words are points. */
const protocols = {
  groth16: { contract: "Groth16Verifier", points: ["G1", "G2", "G1"], values: 0, setup: ["--unsafe-local"] },
  plonk: { contract: "PlonkVerifier", points: Array(9).fill("G1"), values: 6, setup: [] },
  fflonk: { contract: "FflonkVerifier", points: Array(4).fill("G1"), values: 16, setup: [] },
};
/** fflonk is known on BN254 alone. */
const pairs = curves.flatMap((curve) => Object.keys(protocols).map((protocol) => [curve, protocol]))
  .filter(([curve, protocol]) => protocol !== "fflonk" || curve === "bn128");
/** Circuits by their number of public values. */
const circuits = { 0: "silent", 1: "cube", 2: "mixed", 9: "many" };
const isBn = (curve) => curve === "bn128";
const wordsOf = (text) => text.match(/0x[0-9a-f]{64}/g).map(BigInt);
const lowest = (1n << 256n) - 1n;

/** A circuit's constraints and witness. */
function circuit(name, curve) {
  const made = { r1cs: at.path(curve, `${name}.r1cs`), wtns: at.path(curve, `${name}.wtns`) };
  if (name === "cube") {
    const files = bundled("cube", "cube", curve);
    if (!existsSync(made.wtns)) pairwright("witness", files.wasm, files.input, "-o", made.wtns);
    return { ...made, r1cs: files.r1cs };
  }
  const known = join(root, "vectors", "plonk", curve, name);
  if (existsSync(`${known}.r1cs`)) return { r1cs: `${known}.r1cs`, wtns: `${known}.wtns` };
  if (!existsSync(made.wtns)) {
    const files = compile(`circuits/${name}.circom`, curve, at.path(curve, "compiled"));
    const input = at.path(curve, "input.json");
    writeJson(input, { x: [1, 2, 3, 4, 5, 6, 7, "12345678901234567890"], y: 11 });
    pairwright("witness", files.wasm, input, "-o", made.wtns);
    return { ...made, r1cs: files.r1cs };
  }
  return { ...made, r1cs: at.path(curve, "compiled", `${name}.r1cs`) };
}

/** A key, a proof, the contract and the arguments of its call, by our command. */
function make(curve, protocol, count) {
  const name = circuits[count];
  const path = (kind) => at.path(curve, protocol, name, kind);
  const { r1cs, wtns } = circuit(name, curve);
  const { setup } = protocols[protocol];
  const powers = protocol === "fflonk" ? at.path("powers.ptau") : join(root, "vectors", "plonk", curve, "powers.ptau");
  const how = setup.length > 0 ? setup : ["--protocol", protocol, "--ptau", powers];
  const [zkey, vkey, contract, proof, signals] = ["zkey", "vkey.json", "verifier.sol", "proof.json", "public.json"].map(path);
  pairwright("setup", r1cs, ...how, "-o", zkey);
  pairwright("vkey", zkey, "-o", vkey);
  pairwright(protocol, "prove", zkey, wtns, proof, signals);
  pairwright("zkey", "export", "solidityverifier", zkey, contract);
  const calldata = pairwright("zkey", "export", "soliditycalldata", signals, proof).out.trimEnd();
  const words = wordsOf(calldata);
  // The list of no values is one of any length: where it begins, and its length.
  if (count === 0) words.push(32n * BigInt(words.length + 1), 0n);
  return { curve, protocol, count, zkey, vkey, proof, signals, calldata, words, source: readFileSync(contract, "utf8") };
}

const made = {};
before(() => {
  pairwright("powersoftau", "new", "bn128", "10", at.path("new.ptau"));
  pairwright("powersoftau", "contribute", at.path("new.ptau"), at.path("powers.ptau"));
  for (const [curve, protocol] of pairs) {
    for (const count of Object.keys(circuits).map(Number)) {
      const it = make(curve, protocol, count);
      it.contract = compileContract(it.source, protocols[protocol].contract);
      made[`${curve} ${protocol} ${count}`] = it;
    }
  }
});
const get = (curve, protocol, count) => made[`${curve} ${protocol} ${count}`];

/** The groups of words of a proof: { what, first, size, kind }, for coordinates, scalars and public values. */
function fields(curve, protocol, count) {
  const { points, values } = protocols[protocol];
  const size = isBn(curve) ? 1 : 2;
  const list = [];
  let first = 0;
  const add = (what, kind, width) => {
    list.push({ what, first, size: width, kind });
    first += width;
  };
  points.forEach((group, i) => {
    for (let c = 0; c < (group === "G1" ? 2 : 4); c++) add(`coordinate ${c} of point ${i}`, "base", size);
  });
  for (let i = 0; i < values; i++) add(`value ${i}`, "scalar", 1);
  for (let i = 0; i < count; i++) add(`public value ${i}`, "scalar", 1);
  return list;
}

/** The words with the number of a field changed; undefined where there is no such number. */
function changed(words, { first, size }, change) {
  const old = words.slice(first, first + size).reduce((sum, word) => (sum << 256n) + word, 0n);
  const number = change(old);
  if (number < 0n || number >> (256n * BigInt(size))) return undefined;
  const parts = size === 1 ? [number] : [number >> 256n, number & lowest];
  return words.toSpliced(first, size, ...parts);
}

/** Where the points of a proof begin, with their number of words. */
function pointsOf(curve, protocol) {
  let first = 0;
  return protocols[protocol].points.map((group) => {
    const size = (group === "G1" ? 2 : 4) * (isBn(curve) ? 1 : 2);
    first += size;
    return { first: first - size, size, group };
  });
}

/** A point of noble's as the words of a contract. */
function encode(curve, p) {
  const { x, y } = p.toAffine();
  if (isBn(curve)) return [x, y].flatMap((c) => (typeof c === "bigint" ? [c] : [c.c1, c.c0]));
  return [x, y].flatMap((c) => (typeof c === "bigint" ? [c] : [c.c0, c.c1])).flatMap((c) => [c >> 256n, c & lowest]);
}
function decode(curve, { group }, words) {
  const { [group]: side } = isBn(curve) ? bn254 : bls12_381;
  const numbers = isBn(curve) ? words : words.flatMap((w, i) => (i % 2 ? [] : [(w << 256n) + words[i + 1]]));
  const pair = ([a, b]) => (isBn(curve) ? { c0: b, c1: a } : { c0: a, c1: b });
  const [x, y] = group === "G1" ? numbers : [pair(numbers.slice(0, 2)), pair(numbers.slice(2))];
  return side.Point.fromAffine({ x, y });
}

/** A point of the curve whose order divides the cofactor. */
function outside(curve, group) {
  const { Point } = (isBn(curve) ? bn254 : bls12_381)[group];
  const { Fp } = Point;
  const cube = (x) => Fp.mul(Fp.sqr(x), x);
  const small = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];
  if (group === "G1") return torsion(Point, (F, x) => F.add(cube(x), 4n), small);
  const b = isBn(curve) ? Fp.div(Fp.fromBigTuple([3n, 0n]), Fp.fromBigTuple([9n, 1n])) : Fp.fromBigTuple([4n, 4n]);
  return torsion(Point, (F, x) => F.add(cube(x), b), small.map((i) => Fp.fromBigTuple([i, 1n])), scalarModulus[curve]);
}

async function refused({ contract }, words, why) {
  // False and not a revert, with little more gas than an honest proof takes.
  const { accepted } = await call(contract, words, { gasLimit: 400_000n });
  assert.equal(accepted, false, why);
}

for (const [curve, protocol] of pairs) {
  describe(`${protocol} on ${curve}`, () => {
    // Curve and protocol each have these tests without the other.
    const both = { skip: !isBn(curve) && protocol !== "groth16" ? later("many calls of the longest contracts") : false };
    // Other compilers' options are of the text that all contracts share.
    const once = { skip: curve === "bn128" && protocol === "groth16" ? false : later("the compiler takes two seconds for each") };
    for (const count of Object.keys(circuits).map(Number)) {
      const long = { skip: protocol === "plonk" && !isBn(curve) && count > 1 ? both.skip : false };
      test(`${count} public values: the proof is accepted, other values are not`, long, async () => {
        const it = get(curve, protocol, count);
        assert.deepEqual(await call(it.contract, it.words).then((r) => r.accepted), true);
        for (const field of fields(curve, protocol, count).slice(-count, count ? undefined : 0)) {
          for (const change of [(x) => x + 1n, (x) => x - 1n, (x) => x + scalarModulus[curve]]) {
            const words = changed(it.words, field, change);
            if (words) await refused(it, words, field.what);
          }
        }
        if (count === 0) await refused(it, [...it.words.with(-1, 1n), 0n], "a value where there is none");
      });
    }

    test("no word can be another", both, async () => {
      const it = get(curve, protocol, 1);
      const modulus = { base: baseModulus[curve], scalar: scalarModulus[curve] };
      let tried = 0;
      for (const field of fields(curve, protocol, 1)) {
        const p = modulus[field.kind];
        for (const change of [(x) => x + 1n, (x) => x - 1n, (x) => x + p, (x) => p - x, () => lowest]) {
          const words = changed(it.words, field, change);
          if (!words || words.every((word, i) => word === it.words[i])) continue;
          await refused(it, words, `${field.what}: ${change}`);
          tried += 1;
        }
      }
      assert.ok(tried > 3 * fields(curve, protocol, 1).length);
      if (isBn(curve)) return;
      // The 16 bytes above a coordinate are zero.
      for (const { kind, first } of fields(curve, protocol, 1)) {
        if (kind === "base") await refused(it, it.words.with(first, it.words[first] + (1n << 128n)), "padding");
      }
    });

    test("no point can be infinity, off its curve or outside of its subgroup", both, async () => {
      const it = get(curve, protocol, 1);
      for (const point of pointsOf(curve, protocol)) {
        const { first, size, group } = point;
        const put = (words) => it.words.toSpliced(first, size, ...words);
        await refused(it, put(Array(size).fill(0n)), "infinity");
        await refused(it, put(Array(size).fill(1n)), "off the curve");
        const old = decode(curve, point, it.words.slice(first, first + size));
        assert.deepEqual(put(encode(curve, old)), it.words, "words and point");
        await refused(it, put(encode(curve, old.negate())), "its negative");
        // G1 of BN254 is the whole curve.
        if (isBn(curve) && group === "G1") continue;
        await refused(it, put(encode(curve, old.add(outside(curve, group)))), "with a point of the cofactor's order");
      }
    });

    test("without the optimiser, by way of the intermediate language, inherited and called twice", once, async () => {
      const { source, words } = get(curve, protocol, 2);
      const { contract } = protocols[protocol];
      for (const how of [{ enabled: false }, { viaIR: true }]) {
        const other = compileContract(source, contract, how);
        assert.equal((await call(other, words)).accepted, true);
        assert.equal((await call(other, words.with(-1, 7n))).accepted, false);
      }
      const [list] = source.match(/(?<=function verifyProof\()[^)]*/);
      const names = list.split(",").map((parameter) => parameter.trim().split(" ").at(-1)).join(", ");
      const heir = `${source}
        contract Heir is ${contract} {
          function twice(${list}) public view returns (bool) {
            bytes memory before = abi.encode(${names});
            bool first = verifyProof(${names});
            bytes memory behind = abi.encode(${names});
            return first && verifyProof(${names}) && keccak256(before) == keccak256(behind);
          }
        }`;
      const compiled = compileContract(heir, "Heir");
      compiled.functions = Object.fromEntries(Object.entries(compiled.functions).filter(([name]) => name.startsWith("twice")));
      assert.equal((await call(compiled, words)).accepted, true);
      assert.equal((await call(compiled, words.with(-1, 7n))).accepted, false);
    });

    test("a verification key gives the contract of its proving key", () => {
      const { vkey, source } = get(curve, protocol, 1);
      const other = at.path("other.sol");
      pairwright("zkey", "export", "solidityverifier", vkey, other);
      assert.equal(readFileSync(other, "utf8"), source);
    });

    if (isBn(curve)) beside(protocol);
    else {
      test("a chain without EIP-2537 accepts nothing", async () => {
        for (const count of [0, 1, 9]) {
          const { contract, words } = get(curve, protocol, count);
          assert.equal((await call(contract, words, { on: cancun })).accepted, false);
        }
      });
    }
  });
}

/** Tests with snarkjs' contract, which is made from its own template. */
function beside(protocol) {
  const { contract } = protocols[protocol];
  // The compiler has warnings for their text.
  const theirs = async ({ zkey }) => {
    const template = readFileSync(join(here, "node_modules", "snarkjs", "templates", `verifier_${protocol}.sol.ejs`), "utf8");
    return compileContract(await snarkjs.zKey.exportSolidityVerifier(zkey, { [protocol]: template }), contract, { warnings: true });
  };

  test("the same function as snarkjs' contract, for the same calls, and no more gas", async () => {
    for (const count of [1, 2, 9]) {
      const it = get("bn128", protocol, count);
      const other = await theirs(it);
      const [name] = Object.keys(it.contract.functions);
      assert.equal(other.functions[name], it.contract.functions[name], name);
      const snarkjs = { code: other.code, functions: it.contract.functions };
      for (const words of [it.words, it.words.with(0, 1n), it.words.with(-1, it.words.at(-1) + 1n), it.words.with(-1, lowest)]) {
        assert.equal((await call(it.contract, words)).accepted, (await call(snarkjs, words)).accepted);
      }
      it.beside = await gasOf(snarkjs, it.words);
      assert.ok((await gasOf(it.contract, it.words)) <= it.beside, `${count} values`);
    }
  });

  test("the arguments of a call are snarkjs' text", async () => {
    for (const count of [0, 1, 2, 9]) {
      const { proof, signals, calldata } = get("bn128", protocol, count);
      const [pi, values] = [proof, signals].map(readJson);
      const given = protocol === "fflonk" ? [values, pi] : [pi, values];
      const text = await snarkjs[protocol].exportSolidityCallData(...given);
      assert.equal(calldata, text);
      assert.equal(pairwright("generatecall", signals, proof).out, `${text}\n`);
    }
  });
}

test("a key that anybody can forge proofs for has no contract", () => {
  const key = at.path("first.zkey");
  const contract = at.path("first.sol");
  pairwright("groth16", "setup", bundled("cube", "cube", "bn128").r1cs, join(root, "vectors/plonk/bn128/powers.ptau"), key);
  const { code, err } = tryPairwright("zkey", "export", "solidityverifier", key, contract);
  assert.equal(code, 2);
  assert.match(err, /nobody has contributed/);
  assert.ok(!existsSync(contract));
  rmSync(key);
});

/** Prints what calls cost, as a table for `bench/results`. */
async function print() {
  console.log(`\nExecution gas (${compiler}), without the 21,000 of a transaction and its calldata:\n`);
  console.log("| public values | curve | protocol | gas | snarkjs | bytes of code |\n|---|---|---|---|---|---|");
  for (const { curve, protocol, count, contract, words, beside } of Object.values(made)) {
    const grouped = (n) => (n === undefined ? "" : n.toLocaleString("en"));
    const gas = grouped(await gasOf(contract, words));
    console.log(`| ${count} | ${curve} | ${protocol} | ${gas} | ${grouped(beside)} | ${grouped(contract.code.length)} |`);
  }
}
