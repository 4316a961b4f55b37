"""The Python package beside other packages of Python, all of them installed where this runs.

    maturin build -m crates/python/Cargo.toml
    pip install target/wheels/pairwright-*.whl numpy pymcl blspy zksnake
    python bench/python.py

Both sides take turns on the same statement and the same number of threads, which `--threads` limits on our side. A peer that is
not installed has no row. Prints a table for `bench/results`.
"""

import argparse
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pairwright as pw


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def turns(rounds, *calls):
    """The least and the median seconds of each call, which take turns."""
    for call in calls:
        call()
    taken = [[] for _ in calls]
    for _ in range(rounds):
        for call, times in zip(calls, taken):
            times.append(timed(call))
    return [(min(times), sorted(times)[len(times) // 2]) for times in taken]


def shown(seconds):
    return f"{seconds:.3f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"


def row(what, peer, ours, theirs):
    cells = [what, peer, shown(ours[0]), shown(ours[1]), shown(theirs[0]), shown(theirs[1]), f"{theirs[0] / ours[0]:.2f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def pairing():
    import pymcl

    p, q = pw.bls12_381.G1.generator * 6, pw.bls12_381.G2.generator * 7
    a, b = pymcl.g1 * pymcl.Fr("6"), pymcl.g2 * pymcl.Fr("7")
    row("pairing, BLS12-381", "pymcl", *turns(200, lambda: pw.pairing(p, q), lambda: pymcl.pairing(a, b)))


def msm():
    """The array of numpy to the point, beside the call on an array that is ready: what Python adds to the operator."""
    n = 1 << 16
    points = pw.bls12_381.G1.generator * pw.bls12_381.Fr.random(n)
    limbs = pw.bls12_381.Fr.random(n).numpy("canonical")
    # The first sum with an array packs its scalars, and later ones find them packed: so each array is used once.
    rounds = 15
    ready = [pw.bls12_381.Fr.array(limbs, form="canonical") for _ in range(1 + rounds)]
    from_numpy, alone = turns(
        rounds,
        lambda: pw.msm(points, pw.bls12_381.Fr.array(limbs, form="canonical")),
        lambda: pw.msm(points, ready.pop()),
    )
    row("MSM 2^16 in G1, BLS12-381, scalars from numpy", "the same on arrays that are ready", from_numpy, alone)
    one = pw.bls12_381.Fr.array([1])
    call = turns(500, lambda: pw.msm(points[:1], one))[0]
    print(f"\nA call costs at most {shown(call[1])}: an MSM of one point.\n", flush=True)


def signatures():
    import blspy

    n, keys = 128, []
    for i in range(n):
        keys.append(blspy.PopSchemeMPL.key_gen(bytes([i]) * 32))
    messages = [bytes([i]) * 32 for i in range(n)]
    theirs = [(key.get_g1(), text, blspy.PopSchemeMPL.sign(key, text)) for key, text in zip(keys, messages)]
    ours = [(bytes(key), text, bytes(signature)) for key, text, signature in theirs]

    def one_by_one():
        """From bytes, as ours: the points are decoded and checked."""
        for key, text, signature in ours:
            assert blspy.PopSchemeMPL.verify(blspy.G1Element.from_bytes(key), text, blspy.G2Element.from_bytes(signature))

    row("128 signatures, verified", "blspy, one by one", *turns(10, lambda: pw.bls.verify_many(ours), one_by_one))


def section(kind, body):
    return struct.pack("<IQ", kind, len(body)) + body


def squarings(n, place):
    """The files of a circuit that squares its secret input n times, and of a witness."""
    order = pw.bn254.Fr.modulus
    prime = order.to_bytes(32, "little")
    values = [3]
    for _ in range(n):
        values.append(values[-1] ** 2 % order)
    # Wires: one, the result, the input, everything between.
    wire = [2, *range(3, n + 2), 1]
    term = lambda w: struct.pack("<II", 1, w) + (1).to_bytes(32, "little")
    constraints = b"".join(term(wire[i]) + term(wire[i]) + term(wire[i + 1]) for i in range(n))
    header = struct.pack("<I", 32) + prime + struct.pack("<IIIIQI", n + 2, 1, 0, 1, n + 2, n)
    labels = b"".join(struct.pack("<Q", i) for i in range(n + 2))
    parts = section(1, header) + section(2, constraints) + section(3, labels)
    (place / "c.r1cs").write_bytes(b"r1cs" + struct.pack("<II", 1, 3) + parts)
    witness = [1, values[n], values[0], *values[1:n]]
    body = b"".join(value.to_bytes(32, "little") for value in witness)
    head = struct.pack("<I", 32) + prime + struct.pack("<I", n + 2)
    (place / "w.wtns").write_bytes(b"wtns" + struct.pack("<II", 2, 2) + section(1, head) + section(2, body))


def groth16():
    from zksnake.arithmetization import R1CS, ConstraintSystem, Var
    from zksnake.constant import BN254_SCALAR_FIELD
    from zksnake.groth16 import Groth16

    # One below 2^12: the constraint of the public value makes it a whole domain.
    n = (1 << 12) - 8
    variables = [Var(f"v{i}") for i in range(n + 1)]
    system = ConstraintSystem(["v0"], [f"v{n}"], BN254_SCALAR_FIELD)
    for before, after in zip(variables, variables[1:]):
        system.add_constraint(after == before * before)
    system.set_public(variables[n])
    r1cs = R1CS(system)
    r1cs.compile()
    peer = Groth16(r1cs)
    peer.setup()
    public, private = r1cs.generate_witness(r1cs.solve({"v0": 3}))

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        squarings(n, place)
        key = pw.setup(place / "c.r1cs", place / "c.zkey", unsafe_local=True)
        witness = pw.Witness(place / "w.wtns")
        assert key.domain == 1 << 12 and key.prove(witness).public == [int(public[-1])]
        both = turns(7, lambda: key.prove(witness), lambda: peer.prove(public, private))
        row("Groth16 proof, 2^12, BN254 (ours verifies it too)", "zksnake", *both)


def importing():
    """Seconds that the import adds to an interpreter's start."""
    start = lambda program: turns(15, lambda: subprocess.run([sys.executable, "-c", program], check=True))[0][0]
    print(f"\n`import pairwright` adds {shown(start('import pairwright') - start('pass'))} to the start of Python.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    pw.set_threads(arguments.threads)
    print(f"pairwright {pw.__version__}, {pw.threads()} threads, {pw.isa()}; numpy {numpy.__version__}; {os.cpu_count()} cores\n")
    print("| what | peer | ours min | median | peer min | median | peer/ours |\n|---|---|---|---|---|---|---|")
    for measure in (pairing, signatures, groth16, msm):
        try:
            measure()
        except ImportError as why:
            print(f"| {measure.__name__} | not installed: {why.name} | | | | | |")
    importing()


if __name__ == "__main__":
    main()
