#!/usr/bin/env python3
"""Writes a circuit of any size and its witness: x_(i+1) = x_i^2 + 5, the last value public.

    python3 bench/out-of-core/chain.py bn128 20 chain          # chain.r1cs and chain.wtns, domain of 2^20 points
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import processes

PRIMES = {
    "bn128": processes.R,
    "bls12381": 52435875175126190479447740508185965837690552500527637822603658699938581184513,
}

if __name__ == "__main__":
    curve, log, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    # The domain has two rows more than constraints: for the constant one and for the output.
    for end, data in zip([".r1cs", ".wtns"], processes.chain(log, 1, PRIMES[curve]), strict=True):
        pathlib.Path(name + end).write_bytes(data)
