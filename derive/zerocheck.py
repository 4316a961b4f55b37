#!/usr/bin/env python3
"""Known answers for the transcript, the sumcheck and the zerocheck of `protocols`, over BLS12-381 Fr.

    python3 derive/zerocheck.py > crates/protocols/src/zerocheck/vector.rs

Standard library only, and nothing but definitions: the transcript keeps its whole state as bytes and hashes it with
`hashlib.shake_256`; a multilinear extension is a sum over all corners, a round polynomial is the sum of the extended
expression over the corners that are left, and the next claim is that polynomial at the challenge, not an
interpolation of its values.
"""

import hashlib
from itertools import product

FR = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001  # BLS12-381
BN = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001  # BN254
WIDTH = 32


def number(x):
    return x.to_bytes(8, "little")


def scalars(xs):
    return b"".join(x.to_bytes(WIDTH, "little") for x in xs)


class Transcript:
    """The module documentation of crates/protocols/src/transcript.rs, line by line."""

    def __init__(self, protocol):
        self.state = b""
        self.frame(0, "pairwright transcript v1", protocol.encode())

    def frame(self, kind, label, body):
        label = label.encode()
        self.state += bytes([kind]) + number(len(label)) + label + number(len(body)) + body

    def absorb(self, label, body):
        self.frame(1, label, body)

    def enter(self, name):
        self.frame(2, name, b"")

    def squeeze(self, label, n, each):
        length = 64 + n * each
        self.frame(3, label, number(length))
        out = hashlib.shake_256(self.state).digest(length)
        self.state = b""
        self.frame(4, "", out[:64])
        parts = [out[64 + each * i : 64 + each * (i + 1)] for i in range(n)]
        return [int.from_bytes(part, "little") for part in parts]

    def challenges(self, label, n, p=FR):
        return [x % p for x in self.squeeze(label, n, WIDTH + 32)]

    def indices(self, label, n, bits):
        return [x % 2**bits for x in self.squeeze(label, n, 8)]

    def challenge(self, label):
        return self.challenges(label, 1)[0]


def transcript_vector():
    t = Transcript("vector")
    t.absorb("text", "Schlüssel".encode())
    t.absorb("number", number(1 << 40))
    t.absorb("scalars", scalars([1, FR - 1]))
    first = t.challenge("x")
    t.enter("inner")
    return [first, *t.challenges("r", 2, BN), t.challenge("x")], t.indices("i", 4, 20)


def eq(x, r):
    out = 1
    for xi, ri in zip(x, r):
        out = out * (xi * ri + (1 - xi) * (1 - ri)) % FR
    return out


def corners(n):
    """All corners, the first coordinate changing fastest: the i-th has the bits of i, the lowest first."""
    return [tuple(reversed(bits)) for bits in product((0, 1), repeat=n)]


def extension(table, x):
    return sum(value * eq(x, corner) for value, corner in zip(table, corners(len(x)))) % FR


VARIABLES = 3
A = [3, 1, 4, 1, 5, 9, 2, 6]
B = [2, 7, 1, 8, 2, 8, 1, FR - 8]
C = [a * b % FR for a, b in zip(A, B)]


def zerocheck_vector():
    """`a·b - c = 0`: two terms, the tables 0, 1 and 2."""
    t = Transcript("zerocheck vector")
    t.enter("zerocheck")
    statement = number(VARIABLES) + number(2)
    statement += scalars([1]) + number(2) + number(0) + number(1)
    statement += scalars([FR - 1]) + number(1) + number(2)
    t.absorb("statement", statement)
    r = t.challenges("eq", VARIABLES)

    def summand(x):
        return eq(x, r) * (extension(A, x) * extension(B, x) - extension(C, x)) % FR

    degree = 3
    t.enter("sumcheck")
    t.absorb("variables", number(VARIABLES))
    t.absorb("degree", number(degree))
    t.absorb("claim", scalars([0]))
    point, proof, claim = [], [], 0
    for i in range(VARIABLES):

        def g(value):
            return sum(summand((*point, value, *rest)) for rest in corners(VARIABLES - i - 1)) % FR

        assert (g(0) + g(1)) % FR == claim
        sent = [g(0), *(g(k) for k in range(2, degree + 1))]
        t.absorb("round", scalars(sent))
        challenge = t.challenge("r")
        claim = g(challenge)
        point.append(challenge)
        proof += sent
    assert claim == summand(tuple(point))
    evaluations = [extension(table, point) for table in (A, B, C)]
    t.absorb("evaluations", scalars(evaluations))
    return point, proof + evaluations, t.challenge("after")


def lines(values):
    return "".join(f'    "{value}",\n' for value in values)


def main():
    point, proof, after = zerocheck_vector()
    challenges, indices = transcript_vector()
    print("//! Known answers, computed from the definitions.\n//!")
    print("//! Derived: `python3 derive/zerocheck.py > crates/protocols/src/zerocheck/vector.rs`. Do not edit.\n")
    print("/// The challenges of the transcript's test, in its order.")
    print(f"pub(crate) const TRANSCRIPT: [&str; {len(challenges)}] = [\n{lines(challenges)}];\n")
    print("/// The four indices of 20 bits that follow.")
    print(f"pub(crate) const INDICES: [u64; {len(indices)}] = {indices};\n")
    print("/// The point of a zerocheck of `a·b - c`.")
    print(f"pub(crate) const POINT: [&str; {len(point)}] = [\n{lines(point)}];\n")
    print("/// Its proof, element by element.")
    print(f"pub(crate) const PROOF: [&str; {len(proof)}] = [\n{lines(proof)}];\n")
    print("/// The challenge `after` of the transcript that is left.")
    print(f'pub(crate) const AFTER: &str = "{after}";')


if __name__ == "__main__":
    main()
