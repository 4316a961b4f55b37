"""Group law and pairings against py_ecc: plain affine arithmetic, an untwisted tower and the full final exponent."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest
from py_ecc import optimized_bls12_381, optimized_bn128

ROOT = Path(__file__).resolve().parent.parent

# BN254's parameter x, and the exponent by which its usual hard part exceeds the exact one
# (L. Fuentes-Castaneda, E. Knapp, F. Rodriguez-Henriquez, SAC 2011: f^(2x(6x^2+3x+1))).
BN_X = 4965661367192848881

# name -> (peer, constant part of xi in Fq2 = Fq[u], ours = peer's pairing to this power).
# BLS12-381: x is negative and py_ecc runs the loop over |x| without the conjugation (-1);
# our hard part computes the cube.
CURVES = {
    "bls12381": (optimized_bls12_381, 1, -3),
    "bn128": (optimized_bn128, 9, 2 * BN_X * (6 * BN_X**2 + 3 * BN_X + 1)),
}

CARGO_RUN = ["cargo", "run", "--quiet", "--package", "pairwright-testkit", "--example", "oracle"]
ORACLE = [os.environ["PAIRWRIGHT_ORACLE"]] if "PAIRWRIGHT_ORACLE" in os.environ else CARGO_RUN


def ask(requests):
    """Sends one JSON line per request to crates/testkit/examples/oracle.rs."""
    run = subprocess.run(
        ORACLE,
        cwd=ROOT,
        input="".join(json.dumps(request) + "\n" for request in requests),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(replies) == len(requests)
    return replies


def scalars(order, count):
    drawn = [int.from_bytes(hashlib.sha512(f"py_ecc {i}".encode()).digest(), "big") % order for i in range(count)]
    return [0, 1, 2, order - 1, order // 2, *drawn]


def coordinates(peer, point):
    if peer.is_inf(point):
        return None
    return [[int(c) for c in value.coeffs] if hasattr(value, "coeffs") else [int(value)] for value in peer.normalize(point)]


def ours(reply):
    assert "error" not in reply, reply
    return None if reply.get("infinity") else [[int(c, 16) for c in reply[axis]] for axis in "xy"]


def to_peer_fq12(peer, xi0, coords):
    """Our tower Fq2[v]/(v^3 - xi)[w]/(w^2 - v), xi = xi0 + u, as py_ecc's polynomial in w, where
    u = w^6 - xi0."""
    out = [0] * 12
    for j in range(2):
        for i in range(3):
            a, b = (int(c, 16) for c in coords[6 * j + 2 * i : 6 * j + 2 * i + 2])
            k = 2 * i + j
            out[k] += a - xi0 * b
            out[k + 6] += b
    return peer.FQ12(out)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("group", ["g1", "g2"])
def test_multiples_of_the_generator(curve, group):
    peer = CURVES[curve][0]
    generator = peer.G1 if group == "g1" else peer.G2
    ks = scalars(peer.curve_order, 10)
    replies = ask([{"curve": curve, "op": "mul", "group": group, "form": "jacobian", "k": f"{k:x}"} for k in ks])
    for k, reply in zip(ks, replies, strict=True):
        assert ours(reply) == coordinates(peer, peer.multiply(generator, k)), k


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("group", ["g1", "g2"])
def test_sums(curve, group):
    peer = CURVES[curve][0]
    generator = peer.G1 if group == "g1" else peer.G2
    ks = scalars(peer.curve_order, 1)
    pairs = [(a, b) for a in ks for b in ks]
    replies = ask(
        [{"curve": curve, "op": "add", "group": group, "form": "xyzz", "a": f"{a:x}", "b": f"{b:x}"} for a, b in pairs]
    )
    for (a, b), reply in zip(pairs, replies, strict=True):
        total = peer.add(peer.multiply(generator, a), peer.multiply(generator, b))
        assert ours(reply) == coordinates(peer, total), (a, b)


@pytest.mark.parametrize("curve", CURVES)
def test_pairings(curve):
    peer, xi0, power = CURVES[curve]
    ks = scalars(peer.curve_order, 3)
    pairs = [(1, 1), (2, 3), (peer.curve_order - 1, 1), *zip(ks[-3:], ks[-2:])]
    replies = ask([{"curve": curve, "op": "pairing", "pairs": [[f"{a:x}", f"{b:x}"]]} for a, b in pairs])
    for (a, b), reply in zip(pairs, replies, strict=True):
        assert "error" not in reply, reply
        theirs = peer.pairing(peer.multiply(peer.G2, b), peer.multiply(peer.G1, a))
        assert to_peer_fq12(peer, xi0, reply["coords"]) == theirs ** (power % peer.curve_order), (a, b)


@pytest.mark.parametrize("curve", CURVES)
def test_bilinearity_against_the_peer(curve):
    """e(aP, bQ) = e(P, Q)^(ab): our left side, py_ecc's exponentiation."""
    peer, xi0, _ = CURVES[curve]
    a, b = scalars(peer.curve_order, 2)[-2:]
    one, both = ask(
        [{"curve": curve, "op": "pairing", "pairs": [[f"{x:x}", f"{y:x}"]]} for x, y in [(1, 1), (a, b)]]
    )
    e = to_peer_fq12(peer, xi0, one["coords"])
    assert e != peer.FQ12.one() and e**peer.curve_order == peer.FQ12.one()
    assert to_peer_fq12(peer, xi0, both["coords"]) == e ** (a * b % peer.curve_order)
