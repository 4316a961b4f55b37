#!/usr/bin/env python3
"""Times the steps of both phases of a ceremony by `pairwright` beside snarkjs, taking turns.

    npm ci --prefix interop && cargo build --release -p pairwright-cli
    python3 bench/ceremony.py [--runs N] [--sizes 14,16] [--steps NAMES] [--bin FILE]

Prints the least and the median of processor time (user and system, all threads) and of elapsed time, in seconds, and the
peak of memory, of whole processes. Powers of tau on bn128: a contribution, its verification, the preparation for phase 2, and
the verification of prepared powers. Phase 2: the first key of a chain of squarings that fills its domain, a contribution to
it, and its verification from circuit and powers. Both tools work on the same files, and each must accept what the other
contributed.
"""

import subprocess
import tempfile
from pathlib import Path

from processes import SNARKJS, chain, heading, options, turns

STEPS = ["contribute", "verify", "prepare", "verify prepared", "zkey new", "zkey contribute", "zkey verify"]


def main():
    parser = options(__doc__)
    parser.add_argument("--sizes", default="14,16")
    parser.add_argument("--steps", default=",".join(STEPS), help=f"of these: {', '.join(STEPS)}")
    asked = parser.parse_args()
    steps = asked.steps.split(",")
    if not set(steps) <= set(STEPS):
        parser.error(f"steps are {', '.join(STEPS)}")
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: Path(folder) / name
        run = lambda *words: subprocess.run([asked.bin, *words, "-q"], check=True, stdout=subprocess.DEVNULL)
        heading("size", "step")
        for size in map(int, asked.sizes.split(",")):

            def step(name, *words, made=None, options=()):
                """Times a step, if it was asked for; what it makes has a name for each tool."""
                if name not in steps:
                    return
                ours, theirs = ([at(f"{who}-{made}")] if made else [] for who in ["ours", "theirs"])
                turns(asked.runs, [f"2^{size}", name], {
                    "snarkjs": [*SNARKJS, *words, *theirs, *options],
                    "pairwright": [asked.bin, *words, *ours, *options, "-q"],
                    "pairwright, one thread": [asked.bin, *words, *ours, *options, "-q", "--threads", "1"],
                })

            run("powersoftau", "new", "bn128", str(size), at("new.ptau"))
            run("powersoftau", "contribute", at("new.ptau"), at("1.ptau"), "-n", "first")
            secret = ("-e=some text of no weight", "-n=second")
            step("contribute", "powersoftau", "contribute", at("1.ptau"), made="2.ptau", options=secret)
            if "contribute" in steps:
                run("powersoftau", "verify", at("theirs-2.ptau"))
                subprocess.run([*SNARKJS, "powersoftau", "verify", at("ours-2.ptau")], check=True, stdout=subprocess.DEVNULL)
            step("verify", "powersoftau", "verify", at("1.ptau"))
            if not set(steps) & set(STEPS[2:]):
                continue
            step("prepare", "powersoftau", "prepare", "phase2", at("1.ptau"), made="p.ptau")
            run("powersoftau", "prepare", "phase2", at("1.ptau"), at("p.ptau"))
            if "prepare" in steps and at("theirs-p.ptau").read_bytes() != at("p.ptau").read_bytes():
                raise SystemExit("the prepared powers differ")
            step("verify prepared", "powersoftau", "verify", at("p.ptau"))
            at("c.r1cs").write_bytes(chain(size, 2)[0])
            first = [at("c.r1cs"), at("p.ptau")]
            step("zkey new", "groth16", "setup", *first, made="0.zkey")
            run("groth16", "setup", *first, at("0.zkey"))
            if "zkey new" in steps and at("theirs-0.zkey").read_bytes() != at("0.zkey").read_bytes():
                raise SystemExit("the first keys differ")
            step("zkey contribute", "zkey", "contribute", at("0.zkey"), made="1.zkey", options=secret)
            run("zkey", "contribute", at("0.zkey"), at("1.zkey"), "-n", "first")
            step("zkey verify", "zkey", "verify", *first, at("1.zkey"))
            if "zkey contribute" in steps:
                run("zkey", "verify", *first, at("theirs-1.zkey"))


if __name__ == "__main__":
    main()
