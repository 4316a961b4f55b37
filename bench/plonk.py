#!/usr/bin/env python3
"""Times proofs of Plonk and of fflonk by `pairwright prove` beside snarkjs, taking turns; with --setups, making their keys too.

    npm ci --prefix interop && cargo build --release -p pairwright-cli
    python3 bench/plonk.py [--runs N] [--sizes 14,16] [--protocols plonk,fflonk] [--setups] [--bin FILE]

Prints the least and the median of processor time (user and system, all threads) and of elapsed time, in seconds, and the
peak of memory, of whole processes: they start, read key and witness, prove, and write the proof. Ours verifies its proof
too, which snarkjs does not. The circuit is a chain of squarings on bn128 that fills its domain (fflonk's last two rows are
its own), the key is one file for both, and snarkjs must accept our proof and we its. Powers of tau are prepared for setups, as
snarkjs wants them, and drawn by ours otherwise: those of fflonk are eight times as many.
"""

import subprocess
import tempfile
from pathlib import Path

from processes import SNARKJS, chain, heading, options, turns


def main():
    parser = options(__doc__)
    parser.add_argument("--sizes", default="14,16")
    parser.add_argument("--protocols", default="plonk,fflonk")
    parser.add_argument("--setups", action="store_true")
    asked = parser.parse_args()
    sizes = [int(size) for size in asked.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        run = lambda *words: subprocess.run(words, check=True, cwd=at, stdout=subprocess.DEVNULL)
        heading("protocol", "rows", "step")
        for protocol in asked.protocols.split(","):
            spare, more = {"plonk": (0, 0), "fflonk": (2, 3)}[protocol]
            for size in sizes:
                for name, data in zip(["c.r1cs", "c.wtns"], chain(size, spare)):
                    (at / name).write_bytes(data)
                if asked.setups:
                    run(asked.bin, "powersoftau", "new", "bn128", str(size + more), "new.ptau")
                    run(asked.bin, "powersoftau", "contribute", "new.ptau", "raw.ptau", "-n", "bench")
                    run(asked.bin, "powersoftau", "prepare", "phase2", "raw.ptau", "p.ptau")
                    setup = [protocol, "setup", at / "c.r1cs", at / "p.ptau"]
                    commands = {
                        "snarkjs": [*SNARKJS, *setup, at / "theirs.zkey"],
                        "pairwright": [asked.bin, *setup, at / "c.zkey", "-q"],
                        "pairwright, one thread": [asked.bin, *setup, at / "c.zkey", "-q", "--threads", "1"],
                    }
                    turns(asked.runs, [protocol, f"2^{size}", "setup"], commands)
                    if (at / "theirs.zkey").read_bytes() != (at / "c.zkey").read_bytes():
                        raise SystemExit("the keys differ")
                else:
                    run(asked.bin, "setup", "c.r1cs", "--unsafe-local", "--protocol", protocol, "-o", "c.zkey", "-q")
                run(asked.bin, "vkey", "c.zkey", "-o", "vk.json")
                ours = [at / "ours.json", at / "ours-public.json"]
                theirs = [at / "theirs.json", at / "theirs-public.json"]
                files = [at / "c.zkey", at / "c.wtns"]
                prove = [asked.bin, "prove", *files, "-q", "-o", ours[0], "--public", ours[1]]
                commands = {
                    "snarkjs": [*SNARKJS, protocol, "prove", *files, *theirs],
                    "pairwright": prove,
                    "pairwright, one thread": [*prove, "--threads", "1"],
                }
                turns(asked.runs, [protocol, f"2^{size}", "prove"], commands)
                run(asked.bin, "verify", "vk.json", theirs[1], theirs[0])
                run(*SNARKJS, protocol, "verify", "vk.json", ours[1], ours[0])


if __name__ == "__main__":
    main()
