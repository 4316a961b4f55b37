"""Arrays and the operators on them, compared with numpy, py_ecc and py_arkworks_bls12381."""

import hashlib
import random

import numpy as np
import pairwright as pw
import py_arkworks_bls12381 as ark
import pytest
from py_ecc import optimized_bls12_381, optimized_bn128

PEERS = {"bn128": (pw.bn254, optimized_bn128), "bls12381": (pw.bls12_381, optimized_bls12_381)}
CURVES = [pw.bn254, pw.bls12_381, pw.bls12_377]


@pytest.fixture(params=PEERS)
def peers(request):
    return PEERS[request.param]


@pytest.fixture(params=CURVES, ids=lambda curve: curve.name)
def curve(request):
    return request.param


def integers(count, below, seed=1):
    draw = random.Random(seed)
    return [draw.randrange(below) for _ in range(count)]


def affine(peer, point):
    """Converts a point of py_ecc to our form: integers, pairs of them in G2, None for infinity."""
    if peer.is_inf(point):
        return None
    numbers = [tuple(int(c) for c in axis.coeffs) if hasattr(axis, "coeffs") else int(axis) for axis in peer.normalize(point)]
    return tuple(numbers)


# Scalars.


def test_arithmetic_is_that_of_integers(curve):
    p = curve.Fr.modulus
    a, b = integers(300, p), integers(300, p, seed=2)
    x, y = curve.Fr.array(a), curve.Fr.array(b)
    assert (x + y).ints() == [(u + v) % p for u, v in zip(a, b)]
    assert (x - y).ints() == [(u - v) % p for u, v in zip(a, b)]
    assert (x * y).ints() == [u * v % p for u, v in zip(a, b)]
    assert (3 * x - 1).ints() == [(3 * u - 1) % p for u in a]
    assert (1 - x).ints() == [(1 - u) % p for u in a]
    assert (-x).ints() == [-u % p for u in a]
    assert curve.Fr.array([0, 1, a[0]]).inverse().ints() == [0, 1, pow(a[0], -1, p)]
    assert x == curve.Fr.array(a) and x != y and x != curve.Fr.array(a[:-1])
    assert len(curve.Fr.random(5)) == 5 and curve.Fr.random(5) != curve.Fr.random(5)
    with pytest.raises(pw.UsageError, match="300 and 2"):
        x + curve.Fr.array([1, 2])


def test_items_and_slices_are_those_of_a_list(curve):
    values = list(range(10))
    a = curve.Fr.array(values)
    assert [a[0], a[-1], a[3]] == [0, 9, 3] and list(a) == values
    for cut in [slice(2, 5), slice(None, None, -1), slice(8, 1, -3), slice(5, 5), slice(-3, None)]:
        assert a[cut].ints() == values[cut]
    for index in [10, -11]:
        with pytest.raises(IndexError):
            a[index]
    assert curve.Fr.array([]).ints() == []


def test_numpy_sees_the_limbs_in_montgomery_form(curve):
    p = curve.Fr.modulus
    values = [0, 1, p - 1, *integers(20, p)]
    a = curve.Fr.array(values)
    view = np.asarray(a)
    assert view.shape == (23, 4) and view.dtype == np.uint64 and not view.flags.writeable and a.form == "montgomery"
    expected = [v * 2**256 % p for v in values]
    assert [int.from_bytes(row.tobytes(), "little") for row in view] == expected
    assert np.shares_memory(view, a.numpy()), "a view, not a copy"
    assert [int.from_bytes(row.tobytes(), "little") for row in a.numpy("canonical")] == values
    assert curve.Fr.array(view, form="montgomery") == a
    assert curve.Fr.array(a.numpy("canonical"), form="canonical") == a
    assert curve.Fr.array(view[::-1], form="montgomery") == a[::-1], "strides are followed"
    assert curve.Fr.array(np.zeros((0, 4), np.uint64), form="canonical").ints() == []
    # The view keeps the memory alive.
    kept = np.asarray(curve.Fr.array(values))
    assert (kept == view).all()


def test_numpy_arrays_that_cannot_be_meant_are_refused(curve):
    fr = curve.Fr
    assert fr.array(np.array([1, 2, 3])).ints() == [1, 2, 3]
    assert fr.array(np.array([1, 2**64 - 1], dtype=np.uint64)).ints() == [1, 2**64 - 1]
    assert fr.array(np.array([2**200, 5], dtype=object)).ints() == [2**200, 5]
    wrapped = np.array([2**63 + 1], dtype=np.uint64).astype(np.int64)
    for array, form, why in [
        (wrapped, None, "int64 wraps above 2\\^63"),
        (np.array([1.0]), None, "no integers"),
        (np.zeros((3, 4), np.int64), "canonical", "uint64.*int64 cannot hold"),
        (np.zeros((3, 4), ">u8"), "canonical", ">u8"),
        (np.zeros((3, 4), np.float64), "canonical", "<f8"),
        (np.zeros((3, 5), np.uint64), "canonical", r"\(n, 4\)"),
        (np.zeros((3, 4), np.uint64), None, "form"),
        (np.full((2, 4), 2**64 - 1, np.uint64), "canonical", "scalar 0"),
        (np.full((2, 4), 2**64 - 1, np.uint64), "montgomery", "scalar 0"),
        (np.zeros((3, 4), np.uint64), "reduced", "form"),
    ]:
        with pytest.raises(pw.UsageError, match=why):
            fr.array(array, form=form)
    for values, why in [([fr.modulus], "scalar 0"), ([1, -1], "scalar 1")]:
        with pytest.raises(pw.UsageError, match=why):
            fr.array(values)


# Points.


def test_points_are_those_of_py_ecc(peers):
    curve, peer = peers
    order = peer.curve_order
    scalars = [0, 1, 2, order - 1, *integers(4, order)]
    for group, generator in [(curve.G1, peer.G1), (curve.G2, peer.G2)]:
        points = group.generator * scalars
        theirs = [affine(peer, peer.multiply(generator, k)) for k in scalars]
        assert points.coordinates() == theirs
        assert group.array(theirs) == points
        assert group.array(points.numpy(), form="montgomery") == points
        assert group.array(points.numpy("canonical"), form="canonical") == points
        assert group.from_compressed(points.compressed()) == points
        sums = (points + points[::-1]).coordinates()
        assert sums == [affine(peer, peer.multiply(generator, (a + b) % order)) for a, b in zip(scalars, scalars[::-1])]
        assert (points - points).coordinates() == [None] * len(scalars)
        assert (points * scalars).coordinates() == [
            affine(peer, peer.multiply(generator, k * k % order)) for k in scalars
        ]
    limbs = 4 if curve.name == "bn128" else 6
    assert (curve.G1.generator * [1, 2]).numpy().shape == (2, 2, limbs)
    assert (curve.G2.generator * [1, 2]).numpy().shape == (2, 2, 2, limbs)


def test_points_that_are_none_are_named(curve):
    x, y = curve.G1.generator.coordinates()[0]
    good = (x, y)
    with pytest.raises(pw.UsageError, match="point 1: not on the curve"):
        curve.G1.array([good, (x, y + 1)])
    assert len(curve.G1.array([good, (x, y + 1)], check=False)) == 2
    with pytest.raises(pw.UsageError, match="point 0.*characteristic"):
        curve.G1.array([(2**400, 1)])
    with pytest.raises(pw.UsageError, match="two coordinates"):
        curve.G2.array([good])
    with pytest.raises(pw.UsageError, match=r"\(n, 2, "):
        curve.G1.array(np.zeros((2, 3, 4), np.uint64), form="canonical")
    with pytest.raises(pw.UsageError, match="bytes"):
        curve.G1.from_compressed(b"abc")


def test_points_outside_of_the_subgroup_are_named():
    # A point of BLS12-381's G1 curve with x = 4, which is outside of the subgroup.
    curve, p = pw.bls12_381, 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
    y = pow(4**3 + 4, (p + 1) // 4, p)
    assert (y * y - 68) % p == 0
    with pytest.raises(pw.UsageError, match="point 1: on the curve, outside"):
        curve.G1.array([curve.G1.generator.coordinates()[0], (4, y)])


# Operators.


def test_msm_is_that_of_py_arkworks():
    order, n = pw.bls12_381.Fr.modulus, 64
    scalars, exponents = integers(n, order), integers(n, order, seed=2)
    for group, kind in [(pw.bls12_381.G1, ark.G1Point), (pw.bls12_381.G2, ark.G2Point)]:
        points = group.generator * exponents
        compressed = points.compressed()
        size = len(compressed) // n
        theirs = [kind.from_compressed_bytes(compressed[i : i + size]) for i in range(0, len(compressed), size)]
        sum_of_theirs = kind.multiexp_unchecked(theirs, [ark.Scalar.from_le_bytes(k.to_bytes(32, "little")) for k in scalars])
        assert pw.msm(points, scalars).compressed() == bytes(sum_of_theirs.to_compressed_bytes())


def test_msm_is_a_sum(curve):
    order, n = curve.Fr.modulus, 200
    scalars, exponents = integers(n, order), integers(n, order, seed=2)
    scalars[:4], exponents[:4] = [0, 1, order - 1, 5], [3, 0, 1, 1]
    total = sum(a * b for a, b in zip(scalars, exponents)) % order
    for group in (curve.G1, curve.G2):
        points = group.generator * exponents
        assert pw.msm(points, scalars) == group.generator * total
        limbs = curve.Fr.array(curve.Fr.array(scalars).numpy("canonical"), form="canonical")
        assert pw.msm(points, limbs) == group.generator * total
        assert pw.msm(points[:0], []).coordinates() == [None]
        with pytest.raises(pw.UsageError, match="200 and 3"):
            pw.msm(points, [1, 2, 3])
    other = next(c for c in CURVES if c is not curve)
    with pytest.raises(pw.UsageError, match="operands on"):
        pw.msm(curve.G1.generator, other.Fr.array([1]))


def test_transforms_are_values_of_the_polynomial(curve):
    p = curve.Fr.modulus
    for n in [1, 2, 8, 64]:
        coefficients = integers(n, p, seed=n)
        a = curve.Fr.array(coefficients)
        w = pw.ntt(curve.Fr.array([0, 1] + [0] * (n - 2)))[1] if n > 1 else 1
        assert pow(w, n, p) == 1 and (n == 1 or pow(w, n // 2, p) == p - 1)
        for shift in [None, 7]:
            at = [(shift or 1) * pow(w, i, p) % p for i in range(n)]
            expected = [sum(c * pow(x, j, p) for j, c in enumerate(coefficients)) % p for x in at]
            values = pw.ntt(a, coset=shift)
            assert values.ints() == expected
            assert pw.ntt(values, coset=shift, inverse=True) == a
    with pytest.raises(pw.UsageError, match="power of two"):
        pw.ntt(curve.Fr.array([1, 2, 3]))
    with pytest.raises(pw.UsageError, match="zero"):
        pw.ntt(curve.Fr.array([1, 2]), coset=0)


# The relation of our pairing to py_ecc's: see interop/test_py_ecc.py.
BN_X = 4965661367192848881
POWERS = {"bls12381": -3, "bn128": 2 * BN_X * (6 * BN_X**2 + 3 * BN_X + 1)}


def to_fq12(peer, xi0, coordinates):
    """Our tower Fq2[v]/(v^3 - xi)[w]/(w^2 - v) with xi = xi0 + u as py_ecc's polynomial in w, where u = w^6 - xi0."""
    out = [0] * 12
    for j in range(2):
        for i in range(3):
            a, b = coordinates[6 * j + 2 * i : 6 * j + 2 * i + 2]
            out[2 * i + j] += a - xi0 * b
            out[2 * i + j + 6] += b
    return peer.FQ12(out)


def test_pairings_are_those_of_py_ecc(peers):
    curve, peer = peers
    a, b = integers(2, peer.curve_order)
    p, q = curve.G1.generator * a, curve.G2.generator * b
    theirs = peer.pairing(peer.multiply(peer.G2, b), peer.multiply(peer.G1, a))
    power = POWERS[curve.name] % peer.curve_order
    ours = to_fq12(peer, 9 if curve.name == "bn128" else 1, pw.pairing(p, q).coordinates())
    assert ours == theirs**power


def test_pairings_are_bilinear(curve):
    p, q = curve.G1.generator, curve.G2.generator
    e = pw.pairing(p, q)
    assert not e.is_one() and pw.pairing(p * 6, q * 7) == e**42 == e**40 * e * e
    assert pw.pairing(p * [2, 3], q * [5, 7]) == e**31
    both = (p * [1, curve.Fr.modulus - 1], q * [1, 1])
    assert pw.pairing(*both).is_one() and (e ** curve.Fr.modulus).is_one()
    assert pw.pairing(p * 0, q).is_one() and pw.pairing(p[:0], q[:0]).is_one()
    with pytest.raises(pw.UsageError, match="1 points of G1 and 2 of G2"):
        pw.pairing(p, q * [1, 2])
    with pytest.raises(pw.UsageError, match="G2 where G1"):
        pw.pairing(q, p)


# Trees and sums.


def test_merkle_trees_are_those_of_hashlib():
    leaves = [hashlib.sha3_256(bytes([i])).digest() for i in range(5)]
    assert pw.merkle.leaf(b"\x02") == leaves[2]
    tree = pw.merkle.Tree(leaves)
    level = leaves[:4]
    while len(level) > 1:
        level = [hashlib.sha3_256(level[i] + level[i + 1]).digest() for i in range(0, len(level), 2)]
    assert pw.merkle.Tree(leaves[:4]).root == level[0]
    for i, leaf in enumerate(leaves):
        assert pw.merkle.verify(tree.root, 5, i, leaf, tree.open(i)) is True
        with pytest.raises(pw.Rejected):
            pw.merkle.verify(tree.root, 5, i, leaves[i - 1], tree.open(i))
    for bad in [lambda: tree.open(5), lambda: pw.merkle.Tree(b""), lambda: pw.merkle.Tree(b"abc")]:
        with pytest.raises(pw.UsageError):
            bad()


def test_trees_of_poseidon(curve):
    name = curve.name
    if name == "bn128":
        # The value in circomlib's own tests.
        assert pw.merkle.poseidon(name, 1, 2) == int(
            "7853200120776062878684798364095072458815029376092732009249414926327459813530"
        )
    leaves = integers(37, curve.Fr.modulus)
    tree = pw.merkle.PoseidonTree(name, leaves)
    level = leaves + [0] * 27
    while len(level) > 1:
        level = [pw.merkle.poseidon(name, level[i], level[i + 1]) for i in range(0, len(level), 2)]
    assert (tree.root, len(tree), len(tree.nodes)) == (level[0], 37, 127)
    for index in [0, 1, 17, 36]:
        node, at = leaves[index], index
        siblings = tree.siblings(index)
        assert len(siblings) == 6
        for sibling in siblings:
            pair = (sibling, node) if at & 1 else (node, sibling)
            node, at = pw.merkle.poseidon(name, *pair), at >> 1
        assert node == tree.root
    assert pw.merkle.PoseidonTree(name, curve.Fr.array(leaves)).root == tree.root
    assert pw.merkle.PoseidonTree(name, [5]).root == 5 and pw.merkle.PoseidonTree(name, [5]).siblings(0) == []
    for bad in [lambda: tree.siblings(37), lambda: tree.siblings(-1), lambda: pw.merkle.PoseidonTree(name, [])]:
        with pytest.raises(pw.UsageError):
            bad()


def test_multilinear_extensions(curve):
    p, table, point = curve.Fr.modulus, integers(8, curve.Fr.modulus), integers(3, curve.Fr.modulus, seed=3)
    values = curve.Fr.array(table)
    eq = pw.mle.eq_table(curve.Fr.array(point))
    assert sum(eq.ints()) % p == 1
    assert pw.mle.evaluate(values, point) == sum(a * b for a, b in zip(table, eq)) % p
    assert [pw.mle.evaluate(values, [i & 1, i >> 1 & 1, i >> 2]) for i in range(8)] == table
    expected = 1
    for v in table:
        expected = expected * v % p
    assert pw.mle.product(values) == expected
    with pytest.raises(pw.UsageError):
        pw.mle.evaluate(values, point[:2])


def test_sumchecks(curve):
    p = curve.Fr.modulus
    tables = [curve.Fr.array(integers(16, p, seed)) for seed in range(3)]
    terms = [(1, [0, 1, 2]), (p - 5, [0, 0])]
    proof = pw.sumcheck.prove(tables, terms, label="a test")
    a, b, c = (t.ints() for t in tables)
    assert proof.claim == sum(x * y * z - 5 * x * x for x, y, z in zip(a, b, c)) % p
    statement = {"variables": 4, "degree": 3, "curve": curve.name, "label": "a test"}
    end = pw.sumcheck.verify(proof.data, claim=proof.claim, **statement)
    assert end.point == proof.point and proof.values.ints() == [pw.mle.evaluate(t, proof.point) for t in tables]
    x, y, z = proof.values
    assert end.value == (x * y * z - 5 * x * x) % p
    other = pw.sumcheck.verify(proof.data, claim=proof.claim + 1, **statement)
    assert other.value != (x * y * z - 5 * x * x) % p
    with pytest.raises(pw.Rejected):
        pw.sumcheck.verify(proof.data[:-1], claim=proof.claim, **statement)
    with pytest.raises(pw.UsageError, match="claim"):
        pw.sumcheck.prove(tables, terms, claim=1)
    with pytest.raises(pw.UsageError):
        pw.sumcheck.prove(tables[:2], terms)
