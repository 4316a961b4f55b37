"""What the scripts beside this file share: whole processes of two tools timed in turns, and a circuit of any size."""

import argparse
import os
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_MODULES = ROOT / "interop" / "node_modules"
SNARKJS = ["node", NODE_MODULES / "snarkjs" / "build" / "cli.cjs"]
R = 21888242871839275222246405745257275088548364400416034343698204186575808495617


# A child that shares this process's memory until it runs its program is charged with the peak of ours (Linux, vfork): the
# files that the scripts have made would count as memory of the tool.
subprocess._USE_VFORK = False


def options(about):
    """A parser that knows the number of runs and where our command is."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--bin", type=Path, default=target / "release" / "pairwright")
    return parser


def timed(command):
    """Processor seconds, elapsed seconds and peak memory in megabytes of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss / 1024


def heading(*columns):
    """Prints the head of the table that `turns` writes."""
    columns = [*columns, "", "processor s", "elapsed s", "MB"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)


def turns(runs, first, commands):
    """Runs commands in turns and prints a row for each: the least and the median of what they took, the peak of memory."""
    seen = {who: [] for who in commands}
    for _ in range(runs):
        for who, command in commands.items():
            seen[who].append(timed(command))
    for who, took in seen.items():
        cpu, elapsed, memory = zip(*took)
        least = [f"{min(x):.2f} ({statistics.median(x):.2f})" for x in (cpu, elapsed)]
        print(f"| {' | '.join([*first, who, *least, f'{max(memory):.0f}'])} |", flush=True)


def le(x, size):
    return int(x).to_bytes(size, "little")


def container(magic, version, sections):
    parts = [magic, le(version, 4), le(len(sections), 4)]
    for number, body in sections:
        parts += [le(number, 4), le(len(body), 8), body]
    return b"".join(parts)


def chain(log_size, spare, prime=R):
    """The files of `x = x² + 5`, so often that `spare` of 2^log_size rows are left: constraints and witness. The last value is
    public; all values are as wide as the field."""
    steps = (1 << log_size) - 1 - spare
    wires = steps + 2
    wire = lambda i: 1 if i == steps else i + 2
    one, constant = le(1, 32), le(2, 4) + le(0, 4) + le(prime - 5, 32)
    body = bytearray()
    for i in range(steps):
        factor = le(1, 4) + le(wire(i), 4) + one
        body += factor + factor + constant + le(wire(i + 1), 4) + one
    sizes = [(wires, 4), (1, 4), (0, 4), (1, 4), (wires, 8), (steps, 4)]
    head = le(32, 4) + le(prime, 32) + b"".join(le(x, size) for x, size in sizes)
    labels = b"".join(le(i, 8) for i in range(wires))
    values = [1, 0, 3]
    for _ in range(steps):
        values.append((values[-1] * values[-1] + 5) % prime)
    values[1] = values.pop()
    about = le(32, 4) + le(prime, 32) + le(wires, 4)
    witness = container(b"wtns", 2, [(1, about), (2, b"".join(le(x, 32) for x in values))])
    return container(b"r1cs", 1, [(1, head), (2, bytes(body)), (3, labels)]), witness
