#!/usr/bin/env python3
"""Writes a circuit of any size and its witness: x_(i+1) = x_i^2 + 5, the last value public.

    python3 bench/out-of-core/chain.py bn128 20 chain          # chain.r1cs and chain.wtns, domain of 2^20 points

Values of the witness are as wide as the field: the worst case for a prover that profits from small ones.
"""
import struct
import sys

PRIMES = {
    "bn128": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "bls12381": 52435875175126190479447740508185965837690552500527637822603658699938581184513,
}


def section(number, body):
    return struct.pack("<IQ", number, len(body)) + body


def main():
    curve, log, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    prime = PRIMES[curve]
    steps = 2**log - 2  # The domain has two rows more: for the constant one and for the output.
    wires = steps + 2

    def word(x):
        return (x % prime).to_bytes(32, "little")

    def wire(i):
        return 1 if i == steps else i + 2

    one, minus_five = word(1), word(-5)
    constraints = bytearray()
    for i in range(steps):
        here, there = struct.pack("<II", 1, wire(i)) + one, struct.pack("<I", wire(i + 1)) + one
        constraints += here + here + struct.pack("<II", 2, 0) + minus_five + there
    header = struct.pack("<I", 32) + prime.to_bytes(32, "little")
    sizes = struct.pack("<IIIIQI", wires, 1, 0, 1, wires, steps)
    labels = b"".join(struct.pack("<Q", i) for i in range(wires))
    with open(f"{name}.r1cs", "wb") as out:
        out.write(b"r1cs" + struct.pack("<II", 1, 3) + section(1, header + sizes))
        out.write(section(2, bytes(constraints)) + section(3, labels))

    values, x = [1, 0, 3], 3
    for i in range(steps):
        x = (x * x + 5) % prime
        if i + 1 < steps:
            values.append(x)
    values[1] = x
    with open(f"{name}.wtns", "wb") as out:
        out.write(b"wtns" + struct.pack("<II", 2, 2) + section(1, header + struct.pack("<I", wires)))
        out.write(section(2, b"".join(map(word, values))))


main()
