"""Multilinear extensions of tables with a value for each corner of a hypercube; the first variable is the lowest bit of the index.

>>> from pairwright import bn254
>>> table = bn254.Fr.array([10, 20, 30, 40])
>>> evaluate(table, [1, 0]), product(table)
(20, 240000)
"""

from __future__ import annotations

from collections.abc import Sequence

from . import _native
from ._arrays import FieldArray, _scalars


def evaluate(table: FieldArray, point: FieldArray | Sequence[int]) -> int:
    """The value of a table's multilinear extension at a point."""
    return FieldArray._of(_native.evaluate(table._handle, _scalars(table.curve, point)._handle)).ints()[0]


def eq_table(point: FieldArray) -> FieldArray:
    """eq(x, point) at every corner x."""
    return FieldArray._of(_native.eq_table(point._handle))


def product(table: FieldArray) -> int:
    """The product of all values."""
    return FieldArray._of(_native.product(table._handle)).ints()[0]
