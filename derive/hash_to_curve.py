#!/usr/bin/env python3
"""Prints the constants of hashing to BLS12-381 (RFC 9380, section 8.8) as Rust.

    python3 derive/hash_to_curve.py > crates/curve/src/bls12_381/hash_constants.rs

The simplified SWU map needs a curve y^2 = x^3 + A x + B with A B != 0, so it lands on a curve E' that is isogenous to
ours. RFC 9380 chose E' and Z; these are written down here and their properties checked. The isogenies follow: one of
degree l takes E', by the formulas of Velu (Comptes Rendus 1971), to y^2 = x^3 + l^6 b, from where (x/u^2, y/u^3) with
u = l or u = -l leads to our curve; the choice of the sign is that of RFC 9380, appendix E, as its test vectors show.
"""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from curves import array, limbs  # noqa: E402
from pairing_family import CURVES, ec_add, ec_mul, ladder  # noqa: E402

# RFC 9380, sections 8.8.1 and 8.8.2.
G1_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
G1_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
G1_Z = 11
G2_A, G2_B, G2_Z = (0, 240), (1012, 1012), (-2, -1)
# Degree and sign: u of the last step.
G1_U, G2_U = 11, -3


class Poly:
    """Polynomials over a field, lists of coefficients, lowest first, no zeros at the end."""

    def __init__(self, f):
        self.f = f

    def trim(self, a):
        while a and a[-1] == self.f.zero:
            a.pop()
        return a

    def add(self, a, b):
        n, z = max(len(a), len(b)), self.f.zero
        pad = lambda v: v + [z] * (n - len(v))  # noqa: E731
        return self.trim([self.f.add(s, t) for s, t in zip(pad(a), pad(b))])

    def scale(self, c, a):
        return self.trim([self.f.mul(c, s) for s in a])

    def mul(self, a, b):
        out = [self.f.zero] * max(len(a) + len(b) - 1, 0)
        for i, s in enumerate(a):
            for j, t in enumerate(b):
                out[i + j] = self.f.add(out[i + j], self.f.mul(s, t))
        return self.trim(out)

    def rem(self, a, b):
        a, lead = list(a), self.f.inv(b[-1])
        while len(a) >= len(b):
            c, at = self.f.mul(a[-1], lead), len(a) - len(b)
            for i, t in enumerate(b):
                a[at + i] = self.f.sub(a[at + i], self.f.mul(c, t))
            self.trim(a)
        return a

    def gcd(self, a, b):
        while b:
            a, b = b, self.rem(a, b)
        return self.scale(self.f.inv(a[-1]), a)

    def pow_mod(self, a, e, m):
        return ladder(lambda s, t: self.rem(self.mul(s, t), m), a, e, [self.f.one])

    def derivative(self, a):
        return self.trim([self.f.mul(self.f.small(i), c) for i, c in enumerate(a)][1:])

    def at(self, a, x):
        out = self.f.zero
        for c in reversed(a):
            out = self.f.add(self.f.mul(out, x), c)
        return out


class Suite:
    """One suite: E', its isogeny to our curve, the constants of its square roots."""

    def __init__(self, f, a, b, z, u, target, order):
        self.f, self.a, self.b, self.z, self.u, self.order = f, a, b, z, u, order
        self.rng = random.Random(9380)
        self.poly = Poly(f)
        self.check_z()
        degree = abs(u)
        kernel = self.kernel(degree)
        self.velu(kernel, degree, target)
        self.check_map(target)
        # q - 1 = 2^c1 c2 for the field's order q (RFC 9380, appendix F.2.1.1).
        self.c1 = ((f.order - 1) & -(f.order - 1)).bit_length() - 1
        c2 = f.order - 1 >> self.c1
        self.c3 = (c2 - 1) // 2
        self.c6, self.c7 = f.pow(z, c2), f.pow(z, (c2 + 1) // 2)

    def g(self, x):
        return self.poly.at([self.b, self.a, self.f.zero, self.f.one], x)

    def is_square(self, x):
        return self.f.pow(x, (self.f.order - 1) // 2) in (self.f.zero, self.f.one)

    def check_z(self):
        """The criteria of RFC 9380, appendix H.2: the map is defined everywhere, and well distributed."""
        f, p = self.f, self.poly
        assert not self.is_square(self.z) and self.z != f.small(-1)
        assert self.is_square(self.g(f.mul(self.b, f.inv(f.mul(self.z, self.a))))), "the exceptional case has a point"
        # g(x) - Z is irreducible: a cubic without a root.
        cubic = p.add([self.b, self.a, f.zero, f.one], [f.sub(f.zero, self.z)])
        x = [f.zero, f.one]
        frobenius = p.pow_mod(x, f.order, cubic)
        assert len(p.gcd(cubic, p.add(frobenius, p.scale(f.small(-1), x)))) == 1

    def times(self, k, p):
        return ec_mul(self.f, k, p, self.a)

    def random_point(self):
        while True:
            x = self.f.random(self.rng)
            gx = self.g(x)
            if self.is_square(gx):
                return (x, self.f.sqrt(gx))

    def kernel(self, degree):
        """The first coordinates of the kernel's points, one of each pair of opposite points."""
        assert self.times(self.order, self.random_point()) is None, "isogenous curves have the same order"
        if degree == 3:
            # The points of order three may lie in an extension; their first coordinate is a root of this quartic.
            f, p = self.f, self.poly
            aa = f.mul(self.a, self.a)
            three = [f.sub(f.zero, aa), f.mul(f.small(12), self.b), f.mul(f.small(6), self.a), f.zero, f.small(3)]
            x = [f.zero, f.one]
            linear = p.gcd(three, p.add(p.pow_mod(x, f.order, three), p.scale(f.small(-1), x)))
            assert len(linear) == 2, "one subgroup of order three is rational"
            return [f.sub(f.zero, linear[0])]
        cofactor = self.order
        while cofactor % degree == 0:
            cofactor //= degree
        subgroups = set()
        for _ in range(8):
            point = self.times(cofactor, self.random_point())
            while point is not None and self.times(degree, point) is not None:
                point = self.times(degree, point)
            if point is not None:
                subgroups.add(tuple(sorted(self.times(i, point)[0] for i in range(1, degree // 2 + 1))))
        assert len(subgroups) == 1, "one subgroup of this order is rational"
        return list(subgroups.pop())

    def velu(self, kernel, degree, target):
        """The isogeny x -> N/(u h)^2, y -> y M/(u h)^3 with N, h and M monic."""
        f, p = self.f, self.poly
        factor = lambda x: [f.sub(f.zero, x), f.one]  # noqa: E731
        h = [f.one]
        for x in kernel:
            h = p.mul(h, factor(x))
        n = p.mul([f.zero, f.one], p.mul(h, h))
        v_sum = w_sum = f.zero
        for x in kernel:
            v = f.mul(f.small(2), f.add(f.mul(f.small(3), f.mul(x, x)), self.a))
            s = f.mul(f.small(4), self.g(x))
            v_sum, w_sum = f.add(v_sum, v), f.add(w_sum, f.add(s, f.mul(x, v)))
            rest = [f.one]
            for other in kernel:
                rest = p.mul(rest, factor(other)) if other != x else rest
            n = p.add(n, p.mul(p.add(p.scale(v, factor(x)), [s]), p.mul(rest, rest)))
        assert f.sub(self.a, f.mul(f.small(5), v_sum)) == f.zero, "no linear term on the image"
        assert f.sub(self.b, f.mul(f.small(7), w_sum)) == f.mul(f.small(degree**6), target)
        m = p.add(p.mul(p.derivative(n), h), p.scale(f.small(-2), p.mul(n, p.derivative(h))))
        assert n[-1] == h[-1] == m[-1] == f.one
        assert (len(h), len(n), len(m)) == ((degree + 1) // 2, degree + 1, 3 * (degree - 1) // 2 + 1)
        self.h, self.n, self.m = h, n, m

    def image(self, point):
        f, p = self.f, self.poly
        d = f.inv(f.mul(f.small(self.u), p.at(self.h, point[0])))
        x = f.mul(p.at(self.n, point[0]), f.mul(d, d))
        return (x, f.mul(f.mul(point[1], p.at(self.m, point[0])), f.mul(d, f.mul(d, d))))

    def check_map(self, target):
        """Points go to points of our curve, and sums to sums."""
        f = self.f
        s, t = self.random_point(), self.random_point()
        images = [self.image(v) for v in (s, t, ec_add(f, s, t, self.a))]
        for x, y in images:
            assert f.mul(y, y) == f.add(f.mul(f.mul(x, x), x), target)
        (x1, y1), (x2, y2), (x3, _) = images
        slope = f.mul(f.sub(y2, y1), f.inv(f.sub(x2, x1)))
        assert x3 == f.sub(f.sub(f.mul(slope, slope), x1), x2)


def render() -> str:
    c = CURVES["bls12_381"]()
    q, nq = c.q, c.q_limbs
    reduced = lambda v: tuple(x % q for x in v)  # noqa: E731
    g1 = Suite(c.f1, G1_A, G1_B, G1_Z, G1_U, c.b, c.g1_cofactor * c.r)
    g2 = Suite(c.f2, G2_A, G2_B, reduced(G2_Z), G2_U, c.b_twist, c.g2_cofactor * c.r)
    # Powers in Fq2 by Frobenius: c3 = k q + 11 k + 7 with k = (q - 11)/16.
    k = (q - 11) // 16
    assert q % 16 == 11 and (g1.c1, g2.c1) == (1, 3)
    assert g1.c3 == (q - 3) // 4 and g2.c3 == k * q + 11 * k + 7
    out = [
        "//! Constants of hashing to BLS12-381, little-endian limbs, canonical (not Montgomery); polynomials with the\n"
        "//! lowest coefficient first and without the leading one.\n//!\n"
        f"//! Derived: `python3 derive/hash_to_curve.py > crates/curve/src/bls12_381/hash_constants.rs`. Do not edit.\n",
    ]
    fq = f"[u64; {nq}]"
    fq2 = lambda a: "[" + limbs(a[0], nq) + ", " + limbs(a[1], nq) + "]"  # noqa: E731
    for name, s, ty, show in (("G1", g1, fq, lambda a: limbs(a, nq)), ("G2", g2, f"[{fq}; 2]", fq2)):
        def value(what, doc, element):
            out.append(array(f"{name}_{what}", doc, ty, show(element)))

        def row(what, doc, poly):
            body = "[\n" + "".join(f"    {show(x)},\n" for x in poly) + "]"
            out.append(array(f"{name}_{what}", doc, f"[{ty}; {len(poly)}]", body))

        value("ISO_A", f"A of the curve that is isogenous to {name}'s.", s.a)
        value("ISO_B", "B of that curve.", s.b)
        value("Z", "The map's Z, a non-square.", s.z)
        row("ISO_KERNEL", f"h: its roots are the kernel of the isogeny, of degree {abs(s.u)}.", s.h[:-1])
        row("ISO_X", "N: the isogeny takes x to N(x)/(u h(x))^2.", s.n[:-1])
        row("ISO_Y", "M: the isogeny takes (x, y) to second coordinate y M(x)/(u h(x))^3.", s.m[:-1])
        value("ISO_SCALE", f"u = {s.u}.", s.f.small(s.u))
        value("ROOT_C6", "Z^c2, where the order of the field less one is 2^c1 c2 with c2 odd.", s.c6)
        value("ROOT_C7", "Z^((c2 + 1)/2).", s.c7)
    out.append(array("HALF", "1/2.", fq, limbs(pow(2, -1, q), nq)))
    out.append(array("G1_ROOT_C3", "(q - 3)/4, the exponent (c2 - 1)/2 in Fq.", fq, limbs(g1.c3, nq)))
    norm = (g2.z[0] ** 2 + g2.z[1] ** 2) % q
    assert pow(norm, (q - 1) // 2, q) == q - 1, "the norm of a non-square"
    out.append(array("G2_ROOT_NORM", "The root of -N(Z), for the norm of G2's Z down to Fq.", fq,
                     limbs(pow(-norm, (q + 1) // 4, q), nq)))
    out.append(array("G2_ROOT_K", "k = (q - 11)/16; the exponent (c2 - 1)/2 in Fq2 is k q + 11 k + 7.", fq,
                     limbs(k, nq)))
    return "\n".join(out)


if __name__ == "__main__":
    sys.stdout.write(render())
