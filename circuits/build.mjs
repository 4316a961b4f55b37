#!/usr/bin/env node
// Compiles the bundled circuits for both curves with the pinned npm circom2 of ../interop.
//
//   npm ci --prefix interop && node circuits/build.mjs            write circuits/<name>/<curve>/*.{r1cs,wasm}
//   npm ci --prefix interop && node circuits/build.mjs --check    compile again, compare bytes, exit 1 when stale
//
// The compiler reads files below its working directory only, so it runs in this folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(here, "../interop/node_modules/circom2");
const circuits = [["merkle", "merkle20"], ["cube", "cube"], ["chain", "chain250"], ["asserts", "asserts"]];
const curves = ["bn128", "bls12381"];

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

const check = process.argv.includes("--check");
if (!existsSync(compiler)) {
  console.error("circom2 is not installed: run npm ci --prefix interop");
  process.exit(2);
}
let stale = 0;
for (const [folder, name] of circuits) {
  for (const curve of curves) {
    mkdirSync(join(here, folder, curve), { recursive: true });
    for (const [extension, bytes] of compile(folder, name, curve)) {
      const path = join(folder, curve, `${name}.${extension}`);
      const target = join(here, path);
      if (!check) {
        writeFileSync(target, bytes);
        console.log(`${String(bytes.length).padStart(9)}  circuits/${path}`);
      } else if (!existsSync(target) || !readFileSync(target).equals(bytes)) {
        stale += 1;
        console.error(`stale: circuits/${path}; run node circuits/build.mjs`);
      }
    }
  }
}
process.exit(stale ? 1 : 0);
