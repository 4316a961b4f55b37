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

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SNARKJS = ["node", ROOT / "interop" / "node_modules" / "snarkjs" / "build" / "cli.cjs"]
R = 21888242871839275222246405745257275088548364400416034343698204186575808495617


def le(x, size):
    return int(x).to_bytes(size, "little")


def container(magic, version, sections):
    parts = [magic, le(version, 4), le(len(sections), 4)]
    for number, body in sections:
        parts += [le(number, 4), le(len(body), 8), body]
    return b"".join(parts)


def chain(log_size, spare):
    """The files of `x = x² + 5`, so often that `spare` of 2^log_size rows are left: constraints and witness."""
    steps = (1 << log_size) - 1 - spare
    wires = steps + 2
    wire = lambda i: 1 if i == steps else i + 2
    body = []
    for i in range(steps):
        factor = le(1, 4) + le(wire(i), 4) + le(1, 32)
        body += [factor, factor, le(2, 4) + le(0, 4) + le(R - 5, 32) + le(wire(i + 1), 4) + le(1, 32)]
    sizes = [(wires, 4), (1, 4), (0, 4), (1, 4), (wires, 8), (steps, 4)]
    head = le(32, 4) + le(R, 32) + b"".join(le(x, size) for x, size in sizes)
    labels = b"".join(le(i, 8) for i in range(wires))
    values = [1, 0, 3]
    for _ in range(steps):
        values.append((values[-1] * values[-1] + 5) % R)
    values[1] = values.pop()
    about = le(32, 4) + le(R, 32) + le(wires, 4)
    witness = container(b"wtns", 2, [(1, about), (2, b"".join(le(x, 32) for x in values))])
    return container(b"r1cs", 1, [(1, head), (2, b"".join(body)), (3, labels)]), witness


def timed(command):
    """Processor seconds, elapsed seconds and peak memory in megabytes of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", default="14,16")
    parser.add_argument("--protocols", default="plonk,fflonk")
    parser.add_argument("--setups", action="store_true")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--bin", type=Path, default=target / "release" / "pairwright")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        run = lambda *words: subprocess.run(words, check=True, cwd=at, stdout=subprocess.DEVNULL)
        print("| protocol | rows | | processor s | elapsed s | MB |\n|---|---|---|---|---|---|")

        def turns(protocol, size, what, commands):
            """Runs the commands in turns and prints what they took."""
            seen = {who: [] for who in commands}
            for _ in range(options.runs):
                for who, command in commands.items():
                    seen[who].append(timed(command))
            for who, runs in seen.items():
                cpu, elapsed, memory = zip(*runs)
                least = [f"{min(x):.2f} ({statistics.median(x):.2f})" for x in (cpu, elapsed)]
                row = [protocol, f"2^{size}", f"{who}, {what}", *least, f"{max(memory):.0f}"]
                print(f"| {' | '.join(row)} |", flush=True)

        for protocol in options.protocols.split(","):
            spare, more = {"plonk": (0, 0), "fflonk": (2, 3)}[protocol]
            for size in sizes:
                for name, data in zip(["c.r1cs", "c.wtns"], chain(size, spare)):
                    (at / name).write_bytes(data)
                if options.setups:
                    run(options.bin, "powersoftau", "new", "bn128", str(size + more), "new.ptau")
                    run(options.bin, "powersoftau", "contribute", "new.ptau", "raw.ptau", "-n", "bench")
                    run(options.bin, "powersoftau", "prepare", "phase2", "raw.ptau", "p.ptau")
                    setup = [protocol, "setup", at / "c.r1cs", at / "p.ptau"]
                    commands = {
                        "snarkjs": [*SNARKJS, *setup, at / "theirs.zkey"],
                        "pairwright": [options.bin, *setup, at / "c.zkey", "-q"],
                        "pairwright, one thread": [options.bin, *setup, at / "c.zkey", "-q", "--threads", "1"],
                    }
                    turns(protocol, size, "setup", commands)
                    if (at / "theirs.zkey").read_bytes() != (at / "c.zkey").read_bytes():
                        raise SystemExit("the keys differ")
                else:
                    run(options.bin, "setup", "c.r1cs", "--unsafe-local", "--protocol", protocol, "-o", "c.zkey", "-q")
                run(options.bin, "vkey", "c.zkey", "-o", "vk.json")
                ours = [at / "ours.json", at / "ours-public.json"]
                theirs = [at / "theirs.json", at / "theirs-public.json"]
                files = [at / "c.zkey", at / "c.wtns"]
                prove = [options.bin, "prove", *files, "-q", "-o", ours[0], "--public", ours[1]]
                commands = {
                    "snarkjs": [*SNARKJS, protocol, "prove", *files, *theirs],
                    "pairwright": prove,
                    "pairwright, one thread": [*prove, "--threads", "1"],
                }
                turns(protocol, size, "prove", commands)
                run(options.bin, "verify", "vk.json", theirs[1], theirs[0])
                run(*SNARKJS, protocol, "verify", "vk.json", ours[1], ours[0])


if __name__ == "__main__":
    main()
