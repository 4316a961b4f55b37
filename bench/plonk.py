#!/usr/bin/env python3
"""Times proofs of Plonk and of fflonk by `pairwright prove` beside snarkjs, taking turns; with --setups, making their keys too.

    npm ci --prefix interop && cargo build --release -p pairwright-cli
    python3 bench/plonk.py [--runs N] [--sizes 14,16] [--protocols plonk,fflonk] [--setups] [--bin FILE]

Prints the least and the median of processor time (user and system, all threads) and of elapsed time, in seconds, and the
peak of memory, of whole processes: they start, read key and witness, prove, and write the proof. Ours verifies its proof
too, which snarkjs does not. The circuit is a chain of squarings on bn128 that fills its domain (fflonk's last two rows are
its own), the key is one file for both, and snarkjs must accept our proof and we its. Setups begin with powers of tau from a
contribution, which snarkjs wants prepared for Plonk; without setups ours draws its own.
"""

import subprocess
import tempfile
from pathlib import Path

from processes import SNARKJS, chain, heading, le, options, turns


def seem_prepared(raw, path):
    """Writes powers with an empty section of Lagrange points. snarkjs asks for that section and, for fflonk, reads none of it;
    preparing eight times as many powers as there are rows would take longer than all else here."""
    powers = raw.read_bytes()
    sections = int.from_bytes(powers[8:12], "little") + 1
    path.write_bytes(powers[:8] + le(sections, 4) + powers[12:] + le(12, 4) + le(0, 8))


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
                    if protocol == "plonk":
                        run(asked.bin, "powersoftau", "prepare", "phase2", "raw.ptau", "p.ptau")
                    else:
                        seem_prepared(at / "raw.ptau", at / "p.ptau")
                    setup = [protocol, "setup", at / "c.r1cs"]
                    ours = [asked.bin, *setup, at / "raw.ptau", at / "c.zkey", "-q"]
                    commands = {
                        "snarkjs": [*SNARKJS, *setup, at / "p.ptau", at / "theirs.zkey"],
                        "pairwright": ours,
                        "pairwright, one thread": [*ours, "--threads", "1"],
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
