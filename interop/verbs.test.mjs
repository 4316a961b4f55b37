// The book's table of snarkjs' commands: every line is run by both tools, in folders with the same files.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundled, compile, findBinary, here, readJson, root, scratch } from "./lib.mjs";

const at = scratch("verbs");
after(() => at.remove());

/** The rows of the table, as [line, what it writes, short form]. */
function rows() {
  const page = readFileSync(join(root, "docs", "book", "src", "howto", "snarkjs.md"), "utf8");
  const table = page.split("## Command by command")[1].split("\n## ")[0];
  const cells = [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \| (?:`([^`]+)` )?\|$/gm)];
  return cells.map(([, line, what, short]) => ({ line, what: what.trim(), short }));
}

/** The words of a command as snarkjs' list has it, before its arguments. */
function words(said) {
  const all = said.split(/\s+/);
  const end = all.findIndex((word) => /^[<[-]/.test(word));
  return (end < 0 ? all : all.slice(0, end)).join(" ");
}

/** snarkjs' commands and the shorter names that its list has for each. */
function aliases() {
  const text = readFileSync(theirs[1], "utf8");
  const list = text.slice(text.indexOf("const commands = ["), text.lastIndexOf("clProcessor(commands)"));
  const entries = [...list.matchAll(/cmd: "([^"]+)"[^}]*?alias: \[([^\]]*)\]/g)];
  return entries.map(([, command, names]) => {
    return { command: words(command), names: [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => words(name)) };
  });
}

const theirs = [process.execPath, join(here, "node_modules", "snarkjs", "build", "cli.cjs")];

/** Runs a line in a folder and fails unless it exits with 0; gives what it printed. */
function run([program, ...words], line, cwd) {
  const args = [...words, ...line.split(" ")];
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** The files of a folder that are not in another, or are different there. */
const written = (folder, before) =>
  readdirSync(folder).filter((name) => {
    const old = join(before, name);
    return !existsSync(old) || !readFileSync(join(folder, name)).equals(readFileSync(old));
  });

/** Empties a folder and copies another to it. */
function copy(from, to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

test("every line of the table, by both tools", async (t) => {
  const lines = rows();
  assert.ok(lines.length > 20, `${lines.length} lines: the table was not found`);
  const [before, snarkjs, ours, short, named] = ["before", "snarkjs", "ours", "short", "named"].map((name) => at.path(name));
  const known = aliases();
  mkdirSync(before, { recursive: true });
  const files = compile("../circuits/cube/cube.circom", "bn128", at.path("circuit"));
  for (const [kind, file] of Object.entries(files)) copyFileSync(file, join(before, `circuit.${kind}`));
  copyFileSync(bundled("cube", "cube", "bn128").input, join(before, "input.json"));
  for (const { line, what, short: shorter } of lines) {
    await t.test(line, () => {
      for (const folder of [snarkjs, ours, short, named]) copy(before, folder);
      const said = [run(theirs, line, snarkjs), run([findBinary()], line, ours)];
      if (shorter) run([findBinary()], shorter, short);
      // By its shorter name the line does the same.
      const entry = known.find(({ command }) => line.startsWith(`${command} `));
      if (entry) {
        run([findBinary()], line.replace(entry.command, entry.names[0]), named);
        assert.deepEqual(written(named, before), written(ours, before), entry.names[0]);
        for (const name of what.startsWith("the same ") ? written(ours, before) : []) {
          assert.ok(readFileSync(join(named, name)).equals(readFileSync(join(ours, name))), `${entry.names[0]}: ${name}`);
        }
      }
      const names = written(snarkjs, before).filter((name) => !written(ours, before).includes(name));
      assert.deepEqual(names, [], "files that only snarkjs writes");
      for (const name of written(ours, before)) {
        const [a, b] = [snarkjs, ours].map((folder) => join(folder, name));
        if (what === "the same bytes") assert.ok(readFileSync(a).equals(readFileSync(b)), `${name} has other bytes`);
        if (what === "the same values") assert.deepEqual(readJson(b), readJson(a), name);
        if (shorter && what.startsWith("the same ")) {
          assert.ok(readFileSync(join(short, name)).equals(readFileSync(b)), `${name} of the short form has other bytes`);
        }
      }
      const differs = (name) => !readFileSync(join(snarkjs, name)).equals(readFileSync(join(ours, name)));
      if (what.startsWith("another ")) assert.ok(written(ours, before).some(differs), "nothing is drawn");
      if (what === "the same text") assert.equal(said[1], said[0]);
      assert.ok(/^(the same (bytes|values|text)|another (proof|contribution)|a (verdict|text))$/.test(what), what);
    });
    // The next line works on what we wrote, so that snarkjs verifies our proofs and follows our contributions.
    copy(ours, before);
  }
});

test("every shorter name that snarkjs lists is a command here", () => {
  const known = aliases();
  assert.ok(known.length > 35, `${known.length} commands: the list was not found`);
  const help = (said) => run([findBinary()], `${said} --help`, here);
  for (const { command, names } of known) {
    // What our own names of both stand for has the same help.
    for (const name of names) {
      const own = ["verify", "generatecall", "zkey verify", "zkey new"].includes(name);
      if (own || command === "file info") help(name);
      else assert.equal(help(name), help(command), name);
    }
  }
});
