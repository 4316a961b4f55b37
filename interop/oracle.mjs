// Our group and pairing arithmetic, asked over a pipe: one JSON request and one JSON reply per line.
// The other end is crates/testkit/examples/oracle.rs, which states the requests it knows.
import { spawnSync } from "node:child_process";
import { root } from "./lib.mjs";

const cargoRun = ["cargo", "run", "--quiet", "--package", "pairwright-testkit", "--example", "oracle"];

/** Replies to `requests`, in order; a request the oracle refuses has an `error` in its reply. */
export function ask(requests) {
  const [program, ...args] = process.env.PAIRWRIGHT_ORACLE ? [process.env.PAIRWRIGHT_ORACLE] : cargoRun;
  const run = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    input: requests.map((request) => JSON.stringify(request) + "\n").join(""),
    maxBuffer: 1 << 28,
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`oracle exited with ${run.status}\n${run.stderr}`);
  const replies = run.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  if (replies.length !== requests.length) throw new Error(`${requests.length} requests, ${replies.length} replies`);
  return replies;
}
