// Plonk: our keys against snarkjs' byte for byte, proofs both ways, on both curves.
import { after, before, describe, test } from "node:test";
import { bothWays, powers, readsPastSecrets } from "./gates.mjs";
import { bundled, compile, curves, later, scratch, stopSnarkjs, writeJson } from "./lib.mjs";

const at = scratch("plonk");
const ptau = {};
before(() => {
  for (const curve of curves) ptau[curve] = powers(at, curve, 9);
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

for (const curve of curves) {
  describe(curve, () => {
    for (const [folder, name] of [["cube", "cube"], ["chain", "chain250"]]) {
      test(`${name}: one key, proofs both ways`, async () => {
        const files = bundled(folder, name, curve);
        const label = `${curve}/${name}`;
        await bothWays("plonk", { at, files, ptau: ptau[curve], label });
        if (name === "cube") await readsPastSecrets("plonk", { at, files, label });
      });
    }
  });
}

describe("circomlib on bn128", { skip: later("snarkjs takes three quarters of a minute for it") }, () => {
  test("Poseidon, whose long sums become additions: one key, proofs both ways", async () => {
    const files = compile("circuits/circomlib_poseidon.circom", "bn128", at.path("poseidon"));
    files.input = at.path("poseidon", "input.json");
    writeJson(files.input, { inputs: ["1234567890123456789", "42"] });
    await bothWays("plonk", { at, files, ptau: powers(at, "bn128", 12), label: "poseidon" });
  });
});
