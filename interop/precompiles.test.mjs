// Precompiled contracts against @ethereumjs/evm, Prague's rules: outputs, failures and gas of calls that are drawn or damaged.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { createAddressFromString } from "@ethereumjs/util";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { tryPairwright } from "./lib.mjs";

const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });

/** What an EVM answers: the output in hexadecimal, or null, and the gas. */
async function theirs(address, data) {
  const to = createAddressFromString(`0x${address.toString(16).padStart(40, "0")}`);
  const { execResult } = await evm.runCall({ to, data: Buffer.from(data, "hex"), gasLimit: 30_000_000n });
  const { returnValue, exceptionError, executionGasUsed } = execResult;
  return exceptionError ? { out: null } : { out: Buffer.from(returnValue).toString("hex"), gas: Number(executionGasUsed) };
}

function ours(command, name, data) {
  const run = tryPairwright("--json", command, name, `0x${data}`);
  assert.ok([0, 1].includes(run.code), run.out + run.err);
  const { output, gas } = JSON.parse(run.out);
  return run.code === 0 ? { out: output, gas } : { out: null };
}

const word = (n, bytes) => n.toString(16).padStart(2 * bytes, "0");
const below = (n) => BigInt(`0x${randomBytes(64).toString("hex")}`) % n;
const scalar = () => randomBytes(32).toString("hex");
const damaged = (hex) => {
  const at = Math.floor(Math.random() * hex.length);
  return hex.slice(0, at) + ((parseInt(hex[at], 16) + 1) % 16).toString(16) + hex.slice(at + 1);
};

const bls = bls12_381;
const order = bls.fields.Fr.ORDER;
const coordinates = (c) => (typeof c === "bigint" ? word(c, 64) : word(c.c0, 64) + word(c.c1, 64));
const point = (group) => {
  const { x, y } = group.Point.BASE.multiply(1n + below(order - 1n)).toAffine();
  return coordinates(x) + coordinates(y);
};
const [g1, g2] = [() => point(bls.G1), () => point(bls.G2)];
const small = () => {
  const { x, y } = bn254.G1.Point.BASE.multiply(1n + below(bn254.fields.Fr.ORDER - 1n)).toAffine();
  return word(x, 32) + word(y, 32);
};
const twist = () => {
  const { x, y } = bn254.G2.Point.BASE.multiply(1n + below(bn254.fields.Fr.ORDER - 1n)).toAffine();
  return [x.c1, x.c0, y.c1, y.c0].map((c) => word(c, 32)).join("");
};
const modulus = bls.fields.Fp.ORDER;
const times = (n, make) => Array.from({ length: n }, make).join("");

const contracts = [
  ["eip2537", "G1ADD", 0x0b, () => g1() + g1()],
  ["eip2537", "G1MSM", 0x0c, () => times(1 + Math.floor(Math.random() * 4), () => g1() + scalar())],
  ["eip2537", "G2ADD", 0x0d, () => g2() + g2()],
  ["eip2537", "G2MSM", 0x0e, () => times(1 + Math.floor(Math.random() * 4), () => g2() + scalar())],
  ["eip2537", "PAIRING_CHECK", 0x0f, () => times(2, () => g1() + g2())],
  ["eip2537", "MAP_FP_TO_G1", 0x10, () => word(below(modulus), 64)],
  ["eip2537", "MAP_FP2_TO_G2", 0x11, () => times(2, () => word(below(modulus), 64))],
  ["eip196", "add", 0x06, () => small() + small()],
  ["eip196", "mul", 0x07, () => small() + scalar()],
  ["eip196", "pairing", 0x08, () => times(2, () => small() + twist())],
];

for (const [command, name, address, draw] of contracts) {
  test(`${command} ${name}`, async () => {
    for (let round = 0; round < 4; round++) {
      const data = draw();
      const expected = await theirs(address, data);
      assert.notEqual(expected.out, null);
      assert.deepEqual(ours(command, name, data), expected);
      // Damaged, cut, too long, empty, all zero.
      const others = [damaged(data), data.slice(0, -2), `${data}00`, "", "00".repeat(data.length / 2)];
      for (const input of others) assert.deepEqual(ours(command, name, input), await theirs(address, input), input);
    }
  });
}

test("a product of pairings that is one", async () => {
  const [a, b] = [1n + below(order - 1n), 1n + below(order - 1n)];
  const at = (p) => coordinates(p.toAffine().x) + coordinates(p.toAffine().y);
  const { G1, G2 } = bls;
  const pairs = [
    [G1.Point.BASE.multiply(a), G2.Point.BASE.multiply(b)],
    [G1.Point.BASE.multiply((a * b) % order).negate(), G2.Point.BASE],
  ];
  const data = pairs.map(([p, q]) => at(p) + at(q)).join("");
  const answer = ours("eip2537", "PAIRING_CHECK", data);
  assert.deepEqual(answer, await theirs(0x0f, data));
  assert.equal(BigInt(`0x${answer.out}`), 1n);
});
