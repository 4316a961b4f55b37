"""Curves with their scalars and groups, and the operators on arrays of them.

>>> from pairwright import bls12_381 as curve, msm
>>> points = curve.G1.generator * [1, 2, 3]
>>> msm(points, [10, 100, 1000]) == curve.G1.generator * 3210
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._arrays import FieldArray, Form, PointArray, Target, _limbs, _scalars, moduli
from ._errors import UsageError

if TYPE_CHECKING:
    import numpy


class Field:
    """The scalars of a curve: integers modulo the order of its groups."""

    def __init__(self, curve: str) -> None:
        self.curve = curve

    @property
    def modulus(self) -> int:
        """The order of the groups."""
        return moduli(self.curve)[0]

    def array(self, values: FieldArray | Iterable[int] | numpy.ndarray[Any, Any], form: Form | None = None) -> FieldArray:
        """An array of scalars from integers or from an array of numpy: integers, or the shape (n, 4) of uint64 limbs in a form.

        >>> from pairwright import bn254
        >>> bn254.Fr.array([5, 7]).ints()
        [5, 7]
        """
        if hasattr(values, "__array_interface__") and not isinstance(values, FieldArray):
            numbers: Any = values
            return FieldArray.from_numpy(self.curve, numbers, form)
        array = _scalars(self.curve, values)
        if array.curve != self.curve:
            raise UsageError(f"scalars of {array.curve} where those of {self.curve} are wanted")
        return array

    def from_bytes(self, data: bytes, form: Form = "canonical") -> FieldArray:
        """An array from little-endian bytes, 32 a scalar."""
        return FieldArray.from_bytes(self.curve, data, form)

    def random(self, count: int) -> FieldArray:
        """Draws ``count`` scalars with randomness from the operating system."""
        return FieldArray.random(self.curve, count)

    def __repr__(self) -> str:
        return f"<Field: scalars of {self.curve}>"


class Group:
    """One of the two groups of a pairing."""

    def __init__(self, curve: str, name: str) -> None:
        self.curve, self.name = curve, name

    @property
    def generator(self) -> PointArray:
        """The standard generator, as an array of one point."""
        return PointArray._of(_native.Points.generator(self.curve, self.name))

    def array(
        self,
        points: PointArray | Iterable[Sequence[Any] | None] | numpy.ndarray[Any, Any],
        form: Form | None = None,
        *,
        check: bool = True,
    ) -> PointArray:
        """An array of points from pairs (x, y) of integers (pairs of integers in G2; None for infinity), or from an array of numpy:
        uint64 limbs of the shape (n, 2, N) in G1 and (n, 2, 2, N) in G2, in a form.

        The points are checked to be on the curve and in its subgroup, unless ``check=False``; results are then wrong for
        invalid points.
        """
        if isinstance(points, PointArray):
            return points
        shape = tuple(self.generator._handle.shape())
        if hasattr(points, "__array_interface__"):
            data, form = _limbs(points, shape, form, "points")
        else:
            data, form = self._encode(points, shape), "canonical"
        return PointArray._of(_native.Points.from_bytes(self.curve, self.name, data, form, check))

    def _encode(self, points: Iterable[Sequence[Any] | None], shape: tuple[int, ...]) -> bytes:
        base, size = moduli(self.curve)[1], 8 * shape[-1]
        count = shape[1] if len(shape) == 3 else 1
        out = []
        for index, point in enumerate(points):
            axes = [0, 0] if point is None else list(point)
            if count > 1:
                axes = [[0] * count if axis == 0 else axis for axis in axes]
            numbers = [number for axis in axes for number in (axis if isinstance(axis, (list, tuple)) else [axis])]
            if len(axes) != 2 or len(numbers) != 2 * count:
                raise UsageError(f"point {index}: two coordinates of {count} numbers each are wanted")
            for number in numbers:
                if not 0 <= number < base:
                    raise UsageError(f"point {index}: a coordinate is not from zero to below the field's characteristic")
                out.append(int(number).to_bytes(size, "little"))
        return b"".join(out)

    def from_compressed(self, data: bytes) -> PointArray:
        """Points from their compressed form, one after another; they are checked."""
        return PointArray._of(_native.Points.from_compressed(self.curve, self.name, data))

    def __repr__(self) -> str:
        return f"<Group: {self.name} of {self.curve}>"


class Curve:
    """A pairing-friendly curve: its scalars and its two groups."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.Fr, self.G1, self.G2 = Field(name), Group(name, "G1"), Group(name, "G2")

    def __repr__(self) -> str:
        return f"<Curve: {self.name}>"


bn254 = Curve("bn128")
bls12_381 = Curve("bls12381")
bls12_377 = Curve("bls12377")


def msm(points: PointArray, scalars: FieldArray | Sequence[int] | numpy.ndarray[Any, Any]) -> PointArray:
    """The multi-scalar multiplication Σ scalars[i]·points[i], as an array of one point. Variable time."""
    return PointArray._of(_native.msm(points._handle, _scalars(points.curve, scalars)._handle))


def ntt(values: FieldArray, *, inverse: bool = False, coset: int | None = None) -> FieldArray:
    """The number-theoretic transform from coefficients to values at coset·ω^i, natural order in and out; ``inverse`` goes back.

    ω is circom's root of unity of the array's length, a power of two; without a coset its shift is one.

    >>> from pairwright import bn254
    >>> ntt(bn254.Fr.array([1, 2, 0, 0]), coset=5)[0]
    11
    >>> ntt(ntt(bn254.Fr.array([1, 2, 3, 4]), coset=5), coset=5, inverse=True).ints()
    [1, 2, 3, 4]
    """
    shift = None if coset is None else _scalars(values.curve, coset)._handle
    return FieldArray._of(_native.ntt(values._handle, inverse, shift))


def pairing(first: PointArray, second: PointArray) -> Target:
    """The product of the pairings e(first[i], second[i]) of points of G1 and G2; for a single pair this is its pairing.

    The final exponentiation is arkworks' and blst's on BLS12 curves, whose result is the cube of what some others compute.

    >>> from pairwright import bls12_381 as curve
    >>> P, Q = curve.G1.generator, curve.G2.generator
    >>> pairing(P * 6, Q) == pairing(P * 2, Q * 3) == pairing(P, Q) ** 6
    True
    """
    return Target._of(_native.pairing(first._handle, second._handle))
