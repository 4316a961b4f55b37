// Solidity contracts in process: compiled by solc, run by @ethereumjs/evm with Prague's rules.
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, EVM, EVMMockBlockchain, RustBN254 } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import { initRustBN } from "rustbn-wasm";
import solc from "solc";

const hardfork = Hardfork.Prague;
// Products on BN254 are most of what contracts do: a library in Rust computes them faster than the one in JavaScript, which
// `precompiles.test.mjs` compares with.
const evm = new EVM({
  common: new Common({ chain: Mainnet, hardfork }),
  blockchain: new EVMMockBlockchain(),
  stateManager: new SimpleStateManager(),
  bn254: new RustBN254(await initRustBN()),
});

/** An EVM before EIP-2537: its calls of the precompiles for BLS12-381 succeed and return nothing. */
export const cancun = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });

export const compiler = `solc ${solc.version().split("+")[0]}, optimizer for 200 runs, ${hardfork}`;

/** Compiles a contract; a warning is an error unless they are allowed. Gives its code and its functions with their selectors. */
export function compileContract(source, name, { enabled = true, viaIR = false, warnings = false } = {}) {
  const outputSelection = { "*": { "*": ["evm.deployedBytecode.object", "evm.methodIdentifiers"] } };
  const settings = { evmVersion: hardfork, optimizer: { enabled, runs: 200 }, viaIR, outputSelection };
  const input = { language: "Solidity", sources: { "contract.sol": { content: source } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const wrong = output.errors?.filter((e) => !warnings || e.severity === "error") ?? [];
  if (wrong.length > 0) throw new Error(wrong.map((e) => e.formattedMessage).join("\n"));
  const made = output.contracts["contract.sol"][name].evm;
  return { code: Buffer.from(made.deployedBytecode.object, "hex"), functions: made.methodIdentifiers };
}

const hex = (word) => BigInt(word).toString(16).padStart(64, "0");

/** The only function of a contract, called with words: { accepted, gas }, where a call that reverts accepts null. */
export async function call({ code, functions }, words, { on = evm, gasLimit = 30_000_000n } = {}) {
  const [selector] = Object.values(functions);
  const data = Buffer.from(selector + words.map(hex).join(""), "hex");
  const { returnValue, executionGasUsed, exceptionError } = await on.runCode({ code, data, gasLimit });
  if (exceptionError) return { accepted: null, gas: executionGasUsed, why: exceptionError.error };
  const value = BigInt(`0x${Buffer.from(returnValue).toString("hex")}`);
  if (value > 1n) throw new Error(`a bool of ${value}`);
  return { accepted: value === 1n, gas: executionGasUsed };
}

/** Gas of a call whose precompiles are warm, as they are in a transaction. */
export async function gasOf(contract, words) {
  await call(contract, words);
  const { accepted, gas } = await call(contract, words);
  if (!accepted) throw new Error("not accepted");
  return Number(gas);
}
