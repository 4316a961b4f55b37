// fflonk: our keys against snarkjs' byte for byte, proofs both ways. Long sums that become additions are in `mixed`.
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bothWays, powers, readsPastSecrets } from "./gates.mjs";
import { bundled, later, scratch, stopSnarkjs } from "./lib.mjs";

const at = scratch("fflonk");
// The chain of 250 needs 2^12 powers, which take twenty seconds to prepare.
const chain = later("powers that are eight times as many");
let ptau;
before(() => {
  ptau = powers(at, "bn128", chain ? 9 : 12);
});
after(async () => {
  await stopSnarkjs();
  at.remove();
});

for (const [folder, name] of [["cube", "cube"], ["chain", "chain250"]]) {
  test(`${name}: one key, proofs both ways`, { skip: name === "cube" ? false : chain }, async () => {
    const files = bundled(folder, name, "bn128");
    await bothWays("fflonk", { at, files, ptau, label: name });
    if (name === "cube") await readsPastSecrets("fflonk", { at, files, label: name });
  });
}

for (const name of ["mixed", "silent", "bare"]) {
  test(`${name}: sums of all kinds, no public values, no constraints`, async () => {
    const file = (ending) => join(import.meta.dirname, "../vectors/plonk/bn128", `${name}.${ending}`);
    await bothWays("fflonk", { at, files: { r1cs: file("r1cs"), wtns: file("wtns") }, ptau, label: name });
  });
}
