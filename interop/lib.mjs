// What the interop tests share: paths, our command, circom, snarkjs and a scratch folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as snarkjs from "snarkjs";

export { snarkjs };
export const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);
export const curves = ["bn128", "bls12381"];

/** Scalar-field moduli, as decimal strings in the files are compared with them. */
export const scalarModulus = {
  bn128: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
  bls12381: 52435875175126190479447740508185965837690552500527637822603658699938581184513n,
};
export const baseModulus = {
  bn128: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
  bls12381: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
};

/** The path of the command under test: PAIRWRIGHT_BIN, else the newest of the release and the debug build. */
export function findBinary() {
  if (process.env.PAIRWRIGHT_BIN) return process.env.PAIRWRIGHT_BIN;
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const name = process.platform === "win32" ? "pairwright.exe" : "pairwright";
  const built = ["release", "debug"].map((profile) => join(target, profile, name)).filter(existsSync);
  built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (built.length === 0) throw new Error("no pairwright binary: run cargo build -p pairwright-cli, or set PAIRWRIGHT_BIN");
  return built[0];
}

/** Runs `pairwright ...args` to its end; never throws on an exit code. */
export function tryPairwright(...args) {
  return tryPairwrightWith({}, ...args);
}

/** The same with more variables of the environment. A device's driver may compile kernels for a minute first. */
export function tryPairwrightWith(variables, ...args) {
  const env = { ...process.env, ...variables };
  const run = spawnSync(findBinary(), args.map(String), { encoding: "utf8", timeout: 600_000, maxBuffer: 1 << 26, env });
  if (run.error) throw run.error;
  if (run.signal) throw new Error(`pairwright ${args.join(" ")} was killed by ${run.signal}\n${run.stderr}`);
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** Runs `pairwright ...args` and fails unless it exits with 0. */
export function pairwright(...args) {
  const result = tryPairwright(...args);
  if (result.code !== 0) throw new Error(`pairwright ${args.join(" ")} exited with ${result.code}\n${result.out}${result.err}`);
  return result;
}

/** Says why a test waits for `cargo x interop --full`; false there, so that `{ skip: later("…") }` runs it. */
export const later = (why) => (process.env.PAIRWRIGHT_FULL ? false : `full: ${why}`);

/** A scratch folder, and a function that empties it. */
export function scratch(label) {
  const folder = mkdtempSync(join(tmpdir(), `pairwright-${label}-`));
  return {
    folder,
    path: (...parts) => {
      const full = join(folder, ...parts);
      mkdirSync(dirname(full), { recursive: true });
      return full;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
export const writeText = (path, lines) => writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
export const writeJson = (path, value) => writeFileSync(path, JSON.stringify(value));

/** Compiles a circuit below this folder with circom2; circomlib is on the include path. */
export function compile(source, curve, out) {
  mkdirSync(out, { recursive: true });
  const cli = join(here, "node_modules/circom2/cli.js");
  const args = [cli, source, "--r1cs", "--wasm", "--sym", "--O2", "--prime", curve, "-l", "node_modules", "-o", out];
  const run = spawnSync(process.execPath, args, { cwd: here, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`circom2 ${source}\n${run.stdout}${run.stderr}`);
  const name = source.split("/").at(-1).replace(/\.circom$/, "");
  const [r1cs, sym] = ["r1cs", "sym"].map((kind) => join(out, `${name}.${kind}`));
  return { r1cs, sym, wasm: join(out, `${name}_js`, `${name}.wasm`) };
}

/** Why circom's C++ cannot be compiled here, or false: it needs GMP and a JSON library that npm does not have. */
export function noCompiler() {
  const source = "#include <gmp.h>\n#include <nlohmann/json.hpp>\nint main() { mpz_t x; mpz_init(x); }\n";
  const run = spawnSync("g++", ["-std=c++11", "-x", "c++", "-", "-o", "/dev/null", "-lgmp"], { input: source });
  return run.status === 0 ? false : "NOT CHECKED: g++ with GMP and nlohmann/json is not there";
}

/** Makes a program of a circuit of the repository, by circom's C++; returns its path. */
export function compileToProgram(source, curve, out) {
  mkdirSync(out, { recursive: true });
  const cli = join(here, "node_modules/circom2/cli.js");
  const args = [cli, source, "--c", "--no_asm", "--O2", "--prime", curve, "-o", out];
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  const name = source.split("/").at(-1).replace(/\.circom$/, "");
  const folder = join(out, `${name}_cpp`);
  const made = run.status === 0 ? spawnSync("make", ["-C", folder], { encoding: "utf8" }) : run;
  if (made.status !== 0) throw new Error(`circom2 --c ${source}\n${made.stdout}${made.stderr}`);
  return join(folder, name);
}

/** A bundled circuit's files. */
export function bundled(folder, name, curve) {
  const at = join(root, "circuits", folder, curve);
  return { r1cs: join(at, `${name}.r1cs`), wasm: join(at, `${name}.wasm`), input: join(at, "input.json") };
}

/** A phase-1 ceremony by snarkjs of one contribution: { raw, prepared } paths. */
export async function ceremony(curve, power, at) {
  const engine = await snarkjs.curves.getCurveFromName(curve);
  const [fresh, raw, prepared] = ["fresh", "raw", "prepared"].map((kind) => at.path(`${curve}-${power}-${kind}.ptau`));
  await snarkjs.powersOfTau.newAccumulator(engine, power, fresh);
  await snarkjs.powersOfTau.contribute(fresh, raw, "interop", "not random: a test");
  await snarkjs.powersOfTau.preparePhase2(raw, prepared);
  return { raw, prepared };
}

/** snarkjs keeps worker threads per curve; without this the process never ends. */
export async function stopSnarkjs() {
  for (const curve of curves) await globalThis[`curve_${curve}`]?.terminate();
}

/** snarkjs' verdict; an exception inside it counts as a refusal. */
export async function snarkjsVerifies(vkey, publicSignals, proof) {
  try {
    return await snarkjs.groth16.verify(vkey, publicSignals, proof);
  } catch {
    return false;
  }
}

/** A point of the curve whose order divides the cofactor: r times a point outside the subgroup. */
export function torsion(Point, y2, xs, r = scalarModulus.bls12381) {
  const Fp = Point.Fp;
  for (const x of xs) {
    let y;
    try {
      y = Fp.sqrt(y2(Fp, x));
    } catch {
      continue;
    }
    const p = Point.fromAffine({ x, y });
    const t = p.multiplyUnsafe(r - 1n).add(p);
    if (!t.equals(Point.ZERO)) return t;
  }
  throw new Error("no torsion point found");
}
