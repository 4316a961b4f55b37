#!/usr/bin/env python3
"""Poseidon parameters of width 3 for the scalar fields of BN254 and BLS12-381.

    python3 derive/poseidon.py --constants bn128  constants of the circuit, circuits/poseidon/constants_bn128.circom
    python3 derive/poseidon.py --report           round numbers and the checks they passed
    python3 derive/poseidon.py --hash bn128 1 2   2-to-1 hash of two field elements
    python3 derive/poseidon.py --merkle-input bls12381 --depth 20 --seed 1
                                                  input.json of the Merkle membership circuit

Reference: L. Grassi, D. Khovratovich, C. Rechberger, A. Roy, M. Schofnegger, "Poseidon: A New Hash
Function for Zero-Knowledge Proof Systems", USENIX Security 2021, ePrint 2019/458 ([P] below).
Standard library only.
"""

import argparse
import hashlib
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from pairing_family import is_prime  # noqa: E402

WIDTH = 3  # t: one capacity lane and two rate lanes
ALPHA = 5  # S-box x -> x^5
SECURITY = 128  # M, in bits


# --- fields, from the seed of each curve -----------------------------------------------------------


def bn_scalar_modulus(x):
    return 36 * x**4 + 36 * x**3 + 18 * x**2 + 6 * x + 1


def bls_scalar_modulus(x):
    return x**4 - x**2 + 1


FIELDS = {
    "bn128": ("scalar field of BN254, x = 4965661367192848881", bn_scalar_modulus(4965661367192848881)),
    "bls12381": ("scalar field of BLS12-381, x = -0xd201000000010000", bls_scalar_modulus(-0xD201000000010000)),
}


# --- round numbers -----------------------------------------------------------------------------


def enough_rounds(p, t, full, partial, alpha, security):
    """[P] section 5.5: does (full, partial) resist every attack considered, before the margin?"""
    log_alpha_2 = math.log(2, alpha)
    log_2_p = math.log2(p)
    n = p.bit_length()
    if full < (6 if security <= (math.floor(log_2_p) - math.log2(alpha - 1)) * (t + 1) else 10):
        return False  # statistical (differential, linear, truncated, rebound)
    total = full + partial
    interpolation = 1 + math.ceil(log_alpha_2 * min(security, n)) + math.ceil(math.log(t, alpha))
    groebner_1 = log_alpha_2 * min(security / 3, log_2_p / 2)
    groebner_2 = t - 1 + log_alpha_2 * min(security / (t + 1), log_2_p / 2)
    groebner_3 = t - 2 + security / (2 * math.log2(alpha))
    return (
        total >= interpolation
        and total >= groebner_1
        and total >= groebner_2
        and (t - 1) * full + partial >= groebner_3
    )


def subspace_groebner_cost(t, full, partial, alpha):
    """log2 of the cost of a Groebner basis that guesses a subspace trail through the partial rounds
    (T. Ashur, T. Buschman, M. Mahzoun, ePrint 2023/537), with linear-algebra exponent 2."""
    lead = t // 3
    under = lead * full // 2 + partial + alpha
    over = (full - 1) * t + partial + lead + under
    return 2 * math.log2(math.comb(over, under))


def round_numbers(p, t, alpha, security):
    """The cheapest (R_F, R_P) by S-box count t*R_F + R_P with the margin of [P] (two more full rounds,
    7.5 % more partial rounds), then R_P rounded up to a multiple of t as in the published instances."""
    best = None
    for partial in range(1, 200):
        full = next((f for f in range(4, 100, 2) if enough_rounds(p, t, f, partial, alpha, security)), None)
        if full is None:
            continue
        safe = (full + 2, math.ceil(partial * 1.075))
        cost = (t * safe[0] + safe[1], safe[0])
        if best is None or cost < best[0]:
            best = (cost, safe)
    full, partial = best[1]
    return full, -(-partial // t) * t


# --- Grain LFSR ([P] appendix E/F) ----------------------------------------------------------------


class Grain:
    """80-bit Grain LFSR in self-shrinking mode, seeded with the description of the instance."""

    def __init__(self, n, t, full, partial):
        bits = f"{1:02b}{0:04b}{n:012b}{t:012b}{full:010b}{partial:010b}" + "1" * 30
        self.state = [int(b) for b in bits]
        assert len(self.state) == 80
        for _ in range(160):
            self._clock()

    def _clock(self):
        s = self.state
        bit = s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0]
        s.pop(0)
        s.append(bit)
        return bit

    def bit(self):
        while True:
            keep, value = self._clock(), self._clock()
            if keep:
                return value

    def integer(self, bits):
        value = 0
        for _ in range(bits):
            value = value << 1 | self.bit()
        return value


# --- linear algebra mod p -----------------------------------------------------------------------


def mat_mul(a, b, p):
    return [[sum(x * y for x, y in zip(row, col)) % p for col in zip(*b)] for row in a]


def rank(rows, p):
    rows, r = [list(row) for row in rows], 0
    for c in range(len(rows[0])):
        pivot = next((i for i in range(r, len(rows)) if rows[i][c] % p), None)
        if pivot is None:
            continue
        rows[r], rows[pivot] = rows[pivot], rows[r]
        inverse = pow(rows[r][c], -1, p)
        for i in range(r + 1, len(rows)):
            k = rows[i][c] * inverse % p
            rows[i] = [(x - k * y) % p for x, y in zip(rows[i], rows[r])]
        r += 1
    return r


def krylov_rank(m, p):
    """Dimension of the space spanned by e0, m e0, m^2 e0, ..."""
    v = [1] + [0] * (len(m) - 1)
    rows = []
    for _ in m:
        rows.append(v)
        v = [sum(x * y for x, y in zip(row, v)) % p for row in m]
    return rank(rows, p)


def is_mds(m, p):
    """Every square submatrix is invertible."""
    from itertools import combinations

    t = len(m)
    return all(
        rank([[m[i][j] for j in cols] for i in rows], p) == k
        for k in range(1, t + 1)
        for rows in combinations(range(t), k)
        for cols in combinations(range(t), k)
    )


def resists_subspace_trails(m, p):
    """No infinitely long subspace trail through partial rounds with one S-box, on lane 0
    ([P] section 5.3 and L. Grassi, C. Rechberger, M. Schofnegger, ePrint 2020/500, algorithms 1 to 3).

    Inactive trails live in the largest M-invariant space on which lane 0 stays zero: it is {0} when e0
    is cyclic for the transpose of M. A trail of period l with an active S-box contains, at that round,
    e0 and therefore the M^l-invariant space spanned by e0: it is everything when e0 is cyclic for M^l.
    Periods up to 4t are examined, as in the reference.
    """
    t = len(m)
    if krylov_rank([list(col) for col in zip(*m)], p) != t:
        return False
    power = m
    for _ in range(4 * t):
        if krylov_rank(power, p) != t:
            return False
        power = mat_mul(power, m, p)
    return True


# --- an instance --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Poseidon:
    """One instance: `constants[round][lane]` and `mds[row][column]`, canonical integers below `p`."""

    name: str
    what: str
    p: int
    full: int
    partial: int
    constants: tuple
    mds: tuple

    @staticmethod
    def derive(name):
        what, p = FIELDS[name]
        assert is_prime(p), f"{name}: the modulus is not prime"
        assert math.gcd(ALPHA, p - 1) == 1, f"{name}: x^{ALPHA} is not a permutation"
        n, t = p.bit_length(), WIDTH
        full, partial = round_numbers(p, t, ALPHA, SECURITY)
        assert subspace_groebner_cost(t, full, partial, ALPHA) >= SECURITY
        grain = Grain(n, t, full, partial)

        constants = []
        while len(constants) < (full + partial) * t:  # by rejection
            c = grain.integer(n)
            if c < p:
                constants.append(c)

        while True:  # Cauchy matrix 1 / (x_i + y_j); drawn modulo p, without rejection
            draw = [grain.integer(n) % p for _ in range(2 * t)]
            while len(set(draw)) != 2 * t:
                draw = [grain.integer(n) % p for _ in range(2 * t)]
            xs, ys = draw[:t], draw[t:]
            if any((x + y) % p == 0 for x in xs for y in ys):
                continue
            mds = [[pow(x + y, -1, p) for y in ys] for x in xs]
            if is_mds(mds, p) and resists_subspace_trails(mds, p):
                break
        rows = tuple(tuple(constants[i : i + t]) for i in range(0, len(constants), t))
        return Poseidon(name, what, p, full, partial, rows, tuple(map(tuple, mds)))

    def permute(self, state):
        p, half = self.p, self.full // 2
        state = [s % p for s in state]
        for r, constants in enumerate(self.constants):
            state = [(s + c) % p for s, c in zip(state, constants)]
            full = r < half or r >= half + self.partial
            state = [pow(s, ALPHA, p) if full or i == 0 else s for i, s in enumerate(state)]
            state = [sum(m * s for m, s in zip(row, state)) % p for row in self.mds]
        return state

    def hash2(self, left, right):
        """2-to-1 hash, in circomlib's convention: state (0, left, right), result lane 0."""
        return self.permute([0, left, right])[0]


# --- outputs ------------------------------------------------------------------------------------


def circom_constants(inst):
    head = f"""// Poseidon constants, width {WIDTH}, S-box x^{ALPHA}, R_F = {inst.full}, R_P = {inst.partial}, {SECURITY}-bit security.
// Field: {inst.what}
//   r = {inst.p}
// Written by the command: python3 derive/poseidon.py --constants {inst.name}
pragma circom 2.0.0;
"""

    def table(rows):
        return ",\n".join("        [" + ",\n         ".join(map(str, row)) + "]" for row in rows)

    return f"""{head}
// Round constants, one row of {WIDTH} lanes per round.
function poseidon_round_constants_{inst.name}() {{
    return [
{table(inst.constants)}
    ];
}}

// MDS matrix, row by row.
function poseidon_mds_{inst.name}() {{
    return [
{table(inst.mds)}
    ];
}}
"""


def merkle_input(inst, depth, seed):
    """A pseudo-random leaf, path and siblings, and the root they hash to: the circuit's inputs."""

    def draw(label, index):
        # 512 bits reduced modulo r: a uniform element up to a bias below 2^-250
        digest = hashlib.sha512(f"pairwright merkle {inst.name} {seed} {label} {index}".encode()).digest()
        return int.from_bytes(digest, "big")

    leaf = draw("leaf", 0) % inst.p
    siblings = [draw("sibling", i) % inst.p for i in range(depth)]
    bits = [draw("bit", i) & 1 for i in range(depth)]
    node = leaf
    for sibling, bit in zip(siblings, bits):
        node = inst.hash2(sibling, node) if bit else inst.hash2(node, sibling)
    doc = {"root": str(node), "leaf": str(leaf), "siblings": [str(s) for s in siblings], "bits": [str(b) for b in bits]}
    return json.dumps(doc, indent=2) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--constants", choices=FIELDS)
    action.add_argument("--report", action="store_true")
    action.add_argument("--hash", nargs=3, metavar=("FIELD", "LEFT", "RIGHT"))
    action.add_argument("--merkle-input", choices=FIELDS)
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    if args.constants:
        sys.stdout.write(circom_constants(Poseidon.derive(args.constants)))
    elif args.hash:
        print(Poseidon.derive(args.hash[0]).hash2(int(args.hash[1]), int(args.hash[2])))
    elif args.merkle_input:
        sys.stdout.write(merkle_input(Poseidon.derive(args.merkle_input), args.depth, args.seed))
    else:
        for name in FIELDS:
            inst = Poseidon.derive(name)
            cost = subspace_groebner_cost(WIDTH, inst.full, inst.partial, ALPHA)
            print(f"{name}: R_F = {inst.full}, R_P = {inst.partial}, gcd({ALPHA}, r - 1) = 1, MDS and subspace")
            print(f"  trails checked, subspace Groebner basis 2^{cost:.0f}, hash(1, 2) = {inst.hash2(1, 2)}")


if __name__ == "__main__":
    main()
