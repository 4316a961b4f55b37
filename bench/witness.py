#!/usr/bin/env python3
"""Times `pairwright witness` beside Node with circom's own JavaScript, taking turns.

    npm ci --prefix interop && cargo build --release -p pairwright-cli
    python3 bench/witness.py [--runs N] [--engine NAME] [--bin FILE]

Prints the least and the median of processor time (user and system, all threads) and of elapsed time, in seconds, of
whole processes: they start, read and compile the calculator, read the inputs, compute, and write the witness. Both must
write the same bytes.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from processes import NODE_MODULES, ROOT, heading, options, turns

# A signature by circomlib's EdDSA over Poseidon, for a key and a message drawn at random.
SIGNATURE = {
    "enabled": "1",
    "Ax": "15042831904031532217105399025595508114997103095596702818863247696157695337161",
    "Ay": "17191434821749299906048422579370320117273138815081517807351207816095091493169",
    "S": "2282776810727023577076950809699418667544899061551832262108700375375535013295",
    "R8x": "250687317136800286428118466041287585404002142445050716884666424448059998222",
    "R8y": "10276832402584198423493945336362788513020538490755029350443557179262591558608",
    "M": "17584128650058719546551660227922715809535046030271712671678269951550998130316",
}
CIRCUITS = {
    "sha256_2048": ("sha256/sha256.circom", "Sha256(2048)", {"in": [str(i * i % 7 & 1) for i in range(2048)]}),
    "eddsa_poseidon": ("eddsaposeidon.circom", "EdDSAPoseidonVerifier()", SIGNATURE),
}


def compiled(folder):
    """circomlib's circuits, compiled; with the application of `circuits/apps`: name, calculator, inputs."""
    scripts = None
    for name, (include, main, inputs) in CIRCUITS.items():
        source = folder / f"{name}.circom"
        source.write_text(f'pragma circom 2.0.0;\ninclude "circomlib/circuits/{include}";\ncomponent main = {main};\n')
        circom = ["node", NODE_MODULES / "circom2" / "cli.js", os.path.relpath(source, ROOT), "--wasm", "--O2"]
        circom += ["-l", os.path.relpath(NODE_MODULES, ROOT), "-o", os.path.relpath(folder, ROOT)]
        subprocess.run(circom, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        path = folder / f"{name}.json"
        path.write_text(json.dumps(inputs))
        scripts = folder / f"{name}_js"
        yield name, scripts / f"{name}.wasm", path, scripts
    rollup = ROOT / "circuits" / "apps" / "rollup" / "bls12381"
    # What circom writes beside a calculator is the same for all of them.
    yield "rollup1", rollup / "rollup1.wasm", rollup / "input.json", scripts


def main():
    parser = options(__doc__)
    parser.set_defaults(runs=9)
    parser.add_argument("--engine", default="fastest")
    asked = parser.parse_args()
    # circom's npm build is a program for WASI, which sees the folder it runs in and nothing above.
    with tempfile.TemporaryDirectory(dir=ROOT / "bench") as folder:
        folder = Path(folder)
        heading("circuit")
        for name, wasm, inputs, scripts in compiled(folder):
            ours, theirs = folder / "ours.wtns", folder / "theirs.wtns"
            commands = {
                "Node": ["node", scripts / "generate_witness.js", wasm, inputs, theirs],
                "pairwright": [asked.bin, "witness", wasm, inputs, "--engine", asked.engine, "-q", "-o", ours],
            }
            turns(asked.runs, [name], commands)
            if ours.read_bytes() != theirs.read_bytes():
                raise SystemExit(f"{name}: the witnesses differ")


if __name__ == "__main__":
    main()
