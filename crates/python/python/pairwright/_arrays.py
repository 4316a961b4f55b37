"""Arrays of scalars and of points, which are immutable.

A numpy array of limbs does not state its form, so the caller has to: ``form="canonical"`` stands for the values themselves,
``form="montgomery"`` for the Montgomery form of arkworks' and blst's memory, of zkey files, and of the arrays here.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._errors import UsageError
from ._held import Comparable

if TYPE_CHECKING:
    import numpy
    import numpy.typing

#: The form of a value in limbs: canonical, or multiplied by 2^(64 N) for N limbs (Montgomery).
Form = Literal["canonical", "montgomery"]

_MODULI: dict[str, tuple[int, int]] = {}


def moduli(curve: str) -> tuple[int, int]:
    """The scalar modulus (the order of the groups) and the base modulus (the characteristic of the coordinates' field) of a curve.

    >>> moduli("bn128")[0].bit_length()
    254
    """
    if curve not in _MODULI:
        order, base = _native.moduli(curve)
        _MODULI[curve] = (int.from_bytes(order, "little"), int.from_bytes(base, "little"))
    return _MODULI[curve]


def _limbs(array: Any, shape: tuple[int, ...], form: Form | None, what: str) -> tuple[bytes, Form]:
    """The little-endian bytes of an array of limbs, whose type, shape and form are checked."""
    interface = array.__array_interface__
    kind, found = interface["typestr"], interface["shape"]
    if kind != "<u8":
        raise UsageError(
            f"{what}: limbs are little-endian uint64, this array's type is {kind}; int64 cannot hold limbs above 2^63"
        )
    if tuple(found[1:]) != shape:
        wanted = ", ".join(["n", *map(str, shape)])
        raise UsageError(f"{what}: an array of limbs has the shape ({wanted}), this one has {tuple(found)}")
    if form is None:
        raise UsageError(f'{what}: limbs do not say their form; give form="canonical" or form="montgomery"')
    data: bytes = array.tobytes()
    return data, form


def _integers(array: Any, what: str) -> list[int]:
    """The values of an array of integers, or of Python's integers."""
    interface = array.__array_interface__
    kind = interface["typestr"][1]
    if kind == "i":
        values: list[int] = array.tolist()
        if any(value < 0 for value in values):
            raise UsageError(
                f"{what}: negative numbers; numpy's int64 wraps above 2^63, so give uint64, dtype=object or Python's integers"
            )
        return values
    if kind in "uO":
        return list(array.tolist())
    raise UsageError(f"{what}: an array of type {interface['typestr']} holds no integers")


class FieldArray(Comparable["_native.Scalars"]):
    """An array of scalars of a curve: integers modulo the order of its groups, in Montgomery form.

    ``numpy.asarray(array)`` is a read-only view of the limbs in Montgomery form, as :attr:`form` states.

    >>> a = FieldArray.from_ints("bn128", [1, 2, 3])
    >>> (a * a + 1).ints()
    [2, 5, 10]
    >>> a[1], a[::-1].ints(), len(a)
    (2, [3, 2, 1], 3)
    """

    __slots__ = ()

    #: The form of the limbs that numpy sees.
    form: Form = "montgomery"

    def __init__(self) -> None:
        raise TypeError("arrays come from Field.array, such as pairwright.bn254.Fr.array")

    @classmethod
    def from_bytes(cls, curve: str, data: bytes, form: Form = "canonical") -> FieldArray:
        """Scalars from little-endian bytes, 32 each."""
        return cls._of(_native.Scalars.from_bytes(curve, data, form))

    @classmethod
    def from_ints(cls, curve: str, values: Iterable[int]) -> FieldArray:
        """Scalars from integers, each from zero to below the order."""
        order = moduli(curve)[0]
        pieces = []
        for index, value in enumerate(values):
            value = operator.index(value)
            if not 0 <= value < order:
                raise UsageError(f"scalar {index}: not from zero to below the order of the groups")
            pieces.append(value.to_bytes(32, "little"))
        return cls.from_bytes(curve, b"".join(pieces))

    @classmethod
    def from_numpy(cls, curve: str, array: numpy.ndarray[Any, Any], form: Form | None = None) -> FieldArray:
        """Scalars from an array of numpy: one dimension of integers, or the shape (n, 4) of uint64 limbs in a form."""
        if len(array.__array_interface__["shape"]) == 1:
            return cls.from_ints(curve, _integers(array, "scalars"))
        return cls.from_bytes(curve, *_limbs(array, (4,), form, "scalars"))

    @classmethod
    def random(cls, curve: str, count: int) -> FieldArray:
        """Draws ``count`` scalars with randomness from the operating system."""
        return cls._of(_native.Scalars.random(curve, count))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        address, limbs = self._handle.memory()
        return {"version": 3, "typestr": "<u8", "shape": (len(self), limbs), "data": (address, True)}

    def numpy(self, form: Form = "montgomery") -> numpy.ndarray[Any, numpy.dtype[numpy.uint64]]:
        """The limbs as an array of numpy, of the shape (n, 4): a view in Montgomery form, a copy in canonical form."""
        import numpy

        if form == "montgomery":
            return numpy.asarray(self)
        return numpy.frombuffer(self._handle.bytes(form), dtype="<u8").reshape(len(self), -1)

    def ints(self) -> list[int]:
        """The values."""
        data = self._handle.bytes("canonical")
        return [int.from_bytes(data[i : i + 32], "little") for i in range(0, len(data), 32)]

    def to_bytes(self, form: Form = "canonical") -> bytes:
        """The values as little-endian bytes, 32 each."""
        return self._handle.bytes(form)

    def __len__(self) -> int:
        return len(self._handle)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ints())

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return FieldArray._of(self._handle.select(start, step, len(range(start, stop, step))))
        index = operator.index(at)
        index += len(self) if index < 0 else 0
        if not 0 <= index < len(self):
            raise IndexError("the index is out of range")
        return FieldArray._of(self._handle.select(index, 1, 1)).ints()[0]

    def _combine(self, operation: str, other: Any, swapped: bool = False) -> FieldArray:
        if isinstance(other, int):
            other = FieldArray.from_ints(self.curve, [other % moduli(self.curve)[0]])
        if not isinstance(other, FieldArray):
            return NotImplemented  # type: ignore[no-any-return]
        left, right = (other, self) if swapped else (self, other)
        return FieldArray._of(left._handle.combine(operation, right._handle))

    def __add__(self, other: FieldArray | int) -> FieldArray:
        return self._combine("add", other)

    def __radd__(self, other: int) -> FieldArray:
        return self._combine("add", other)

    def __sub__(self, other: FieldArray | int) -> FieldArray:
        return self._combine("sub", other)

    def __rsub__(self, other: int) -> FieldArray:
        return self._combine("sub", other, swapped=True)

    def __mul__(self, other: FieldArray | int) -> FieldArray:
        return self._combine("mul", other)

    def __rmul__(self, other: int) -> FieldArray:
        return self._combine("mul", other)

    def __neg__(self) -> FieldArray:
        return 0 - self

    def inverse(self) -> FieldArray:
        """The inverse of each element; zeros stay zero."""
        return FieldArray._of(self._handle.invert())

    def __repr__(self) -> str:
        return f"<FieldArray: {len(self)} scalars of {self.curve}>"


class PointArray(Comparable["_native.Points"]):
    """An array of affine points of a curve's group; infinity is (0, 0)."""

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("arrays come from Group.array, such as pairwright.bn254.G1.array")

    @property
    def group(self) -> str:
        """The group, ``"G1"`` or ``"G2"``."""
        return self._handle.group

    def numpy(self, form: Form = "montgomery") -> numpy.ndarray[Any, numpy.dtype[numpy.uint64]]:
        """A copy of the coordinates' limbs as an array of numpy: (n, 2, N) in G1, (n, 2, 2, N) in G2, N limbs a coordinate."""
        import numpy

        return numpy.frombuffer(self._handle.bytes(form), dtype="<u8").reshape(len(self), *self._handle.shape())

    def to_bytes(self, form: Form = "canonical") -> bytes:
        """The coordinates as little-endian bytes, x before y."""
        return self._handle.bytes(form)

    def compressed(self) -> bytes:
        """The compressed points, one after another: Zcash's form on BLS12-381, arkworks' on other curves."""
        return self._handle.compressed()

    def coordinates(self) -> list[tuple[Any, Any] | None]:
        """The coordinates as integers, pairs of integers in G2; None for infinity."""
        data = self._handle.bytes("canonical")
        _, *degree, limbs = self._handle.shape()
        size = 8 * limbs
        numbers = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
        each = 2 * (degree[0] if degree else 1)
        points: list[tuple[Any, Any] | None] = []
        for i in range(0, len(numbers), each):
            point = numbers[i : i + each]
            if not any(point):
                points.append(None)
            elif degree:
                points.append(((point[0], point[1]), (point[2], point[3])))
            else:
                points.append((point[0], point[1]))
        return points

    def __len__(self) -> int:
        return len(self._handle)

    def __getitem__(self, at: int | slice) -> PointArray:
        """One point or several, as an array."""
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return PointArray._of(self._handle.select(start, step, len(range(start, stop, step))))
        index = operator.index(at)
        index += len(self) if index < 0 else 0
        if not 0 <= index < len(self):
            raise IndexError("the index is out of range")
        return PointArray._of(self._handle.select(index, 1, 1))

    def __add__(self, other: PointArray) -> PointArray:
        if not isinstance(other, PointArray):
            return NotImplemented
        return PointArray._of(self._handle.add(other._handle))

    def __sub__(self, other: PointArray) -> PointArray:
        return self + -other

    def __neg__(self) -> PointArray:
        return PointArray._of(self._handle.negate())

    def __mul__(self, scalars: FieldArray | Sequence[int] | int) -> PointArray:
        """Scalar multiples: point by point, or a single point times each scalar."""
        return PointArray._of(self._handle.scale(_scalars(self.curve, scalars)._handle))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"<PointArray: {len(self)} points of {self.group} of {self.curve}>"


def _scalars(curve: str, values: Any) -> FieldArray:
    """Converts integers, numpy arrays and arrays of scalars to scalars."""
    if isinstance(values, FieldArray):
        return values
    if isinstance(values, int):
        return FieldArray.from_ints(curve, [values % moduli(curve)[0]])
    if hasattr(values, "__array_interface__"):
        return FieldArray.from_numpy(curve, values)
    return FieldArray.from_ints(curve, values)


class Target(Comparable["_native.Target"]):
    """An element of a pairing's target group."""

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("elements of the target group come from pairwright.pairing")

    def coordinates(self) -> list[int]:
        """The twelve coordinates, the lowest coefficient of the tower first."""
        data = self._handle.bytes()
        size = len(data) // 12
        return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]

    def __bytes__(self) -> bytes:
        return self._handle.bytes()

    def __mul__(self, other: Target) -> Target:
        if not isinstance(other, Target):
            return NotImplemented
        return Target._of(self._handle.multiply(other._handle))

    def __pow__(self, exponent: int) -> Target:
        return Target._of(self._handle.power(_scalars(self.curve, exponent)._handle))

    def is_one(self) -> bool:
        """Whether this is the neutral element, which is the value of a product of pairings in a successful verification."""
        return self._handle.is_one()

    def __repr__(self) -> str:
        return f"<Target: an element of the target group of {self.curve}>"
