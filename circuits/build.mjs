#!/usr/bin/env node
// Compiles the circuits for both curves with the pinned npm circom2 of ../interop.
//
//   npm ci --prefix interop && node circuits/build.mjs            write the bundled circuits, <folder>/<curve>/*
//   npm ci --prefix interop && node circuits/build.mjs --check    make them again, compare bytes, exit 1 when stale
//
//   node circuits/build.mjs apps [--size small|full] [--curve bls12381] [--only NAME] [--out target/circuits]
//       the applications with their inputs, at the sizes of a test or of 2^16, 2^17 and 2^20 constraints:
//       <out>/<curve>/NAME.r1cs, NAME.wasm, NAME.input.json and NAME.public.json (the public values to expect)
//
// The compiler reads files below its working directory only, so it runs in this folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inputs } from "./inputs/inputs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(here, "../interop/node_modules/circom2");
const both = ["bn128", "bls12381"];
/** What is checked in: folder, circuit, curves, and whether the inputs are made as well. */
const bundled = [
  ["merkle", "merkle20", both, false],
  ["cube", "cube", both, false],
  ["chain", "chain250", both, false],
  ["asserts", "asserts", both, false],
  ["apps/merkle", "tree8", both, true],
  ["apps/sudoku", "sudoku1", both, true],
  ["apps/rollup", "rollup1", ["bls12381"], true],
  ["payment", "payment12", ["bls12381"], true],
];
const applications = {
  small: [["apps/merkle", "tree8"], ["apps/merkle", "sha2"], ["apps/sudoku", "sudoku1"], ["apps/rollup", "rollup1"]],
  full: [["apps/merkle", "tree256"], ["apps/merkle", "sha4"], ["apps/sudoku", "sudoku90"], ["apps/rollup", "rollup36"]],
};

/** Compiles `folder/name.circom` over `curve`; returns [extension, bytes] pairs. */
function compile(folder, name, curve) {
  const out = mkdtempSync(join(tmpdir(), "pairwright-circuits-"));
  try {
    const args = [join(compiler, "cli.js"), `${folder}/${name}.circom`, "--r1cs", "--wasm", "--O2", "--prime", curve, "-o", out];
    const run = spawnSync(process.execPath, args, { cwd: here, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`circom2 ${args.slice(1).join(" ")}\n${run.stdout}${run.stderr}`);
    return [["r1cs", readFileSync(join(out, `${name}.r1cs`))], ["wasm", readFileSync(join(out, `${name}_js`, `${name}.wasm`))]];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Writes the bundled files, or with `check` compares them; returns how many are stale. */
function bundle(check) {
  let stale = 0;
  const place = (path, bytes) => {
    const target = join(here, path);
    if (!check) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      console.log(`${String(bytes.length).padStart(9)}  circuits/${path}`);
    } else if (!existsSync(target) || !readFileSync(target).equals(bytes)) {
      stale += 1;
      console.error(`stale: circuits/${path}; run node circuits/build.mjs`);
    }
  };
  for (const [folder, name, curves, withInputs] of bundled) {
    for (const curve of curves) {
      for (const [extension, bytes] of compile(folder, name, curve)) place(`${folder}/${curve}/${name}.${extension}`, bytes);
      if (!withInputs) continue;
      const made = inputs(name, curve);
      place(`${folder}/${curve}/input.json`, Buffer.from(made.input));
      place(`${folder}/${curve}/public.json`, Buffer.from(made.public));
    }
  }
  return stale;
}

/** Compiles the applications of a size and makes their inputs. */
function apps({ size, curve, only, out }) {
  const wanted = applications[size].filter(([, name]) => !only || name === only);
  if (wanted.length === 0) throw new Error(`no ${only} among the ${size} ones: ${applications[size].map(([, name]) => name)}`);
  const folder = join(out, curve);
  mkdirSync(folder, { recursive: true });
  for (const [source, name] of wanted) {
    const place = (extension, bytes) => {
      const path = join(folder, `${name}.${extension}`);
      writeFileSync(path, bytes);
      console.log(`${String(bytes.length).padStart(10)}  ${path}`);
    };
    for (const [extension, bytes] of compile(source, name, curve)) place(extension, bytes);
    const made = inputs(name, curve);
    place("input.json", Buffer.from(made.input));
    place("public.json", Buffer.from(made.public));
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean", default: false },
    size: { type: "string", default: "small" },
    curve: { type: "string", default: "bls12381" },
    only: { type: "string" },
    out: { type: "string", default: join(here, "../target/circuits") },
  },
});
if (!existsSync(compiler)) {
  console.error("circom2 is not installed: run npm ci --prefix interop");
  process.exit(2);
}
if (positionals[0] === "apps" && applications[values.size] && both.includes(values.curve)) {
  apps(values);
} else if (positionals.length === 0) {
  process.exit(bundle(values.check) ? 1 : 0);
} else {
  console.error("usage: build.mjs [--check] | apps [--size small|full] [--curve bn128|bls12381] [--only NAME] [--out DIR]");
  process.exit(2);
}
