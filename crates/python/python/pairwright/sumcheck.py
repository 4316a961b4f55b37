"""Sumchecks: a sum of products of tables over all corners of a hypercube, reduced to one point.

>>> from pairwright import bn254
>>> a, b = bn254.Fr.array([1, 2, 3, 4]), bn254.Fr.array([5, 6, 7, 8])
>>> proof = prove([a, b], [(1, [0, 1])])
>>> proof.claim
70
>>> end = verify(proof.data, claim=70, variables=2, degree=2, curve=bn254.Fr.curve)
>>> end.value == proof.values[0] * proof.values[1] % bn254.Fr.modulus
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _native
from ._arrays import FieldArray, _scalars

#: The label that the transcript begins with.
LABEL = "sumcheck"


@dataclass(frozen=True)
class SumcheckProof:
    """A proof with its claim, its challenges and the final values."""

    #: The bytes of the proof, for the verifier.
    data: bytes
    #: The sum that was proved.
    claim: int
    #: The challenges, the first variable first.
    point: FieldArray
    #: The value of each table's multilinear extension at that point.
    values: FieldArray


@dataclass(frozen=True)
class Subclaim:
    """The reduced claim of a sumcheck: the summed polynomial must have this value at this point. The caller has to check that."""

    point: FieldArray
    value: int


def prove(
    tables: Sequence[FieldArray],
    terms: Sequence[tuple[int, Sequence[int]]],
    *,
    claim: int | None = None,
    label: str = LABEL,
) -> SumcheckProof:
    """Proves the sum of terms over all corners; a term is a coefficient and the indices of the tables that are multiplied."""
    curve = tables[0].curve
    coefficients = _scalars(curve, [coefficient for coefficient, _ in terms])
    claimed = None if claim is None else _scalars(curve, claim)._handle
    data, point, values, total = _native.sumcheck_prove(
        [table._handle for table in tables], coefficients._handle, [list(of) for _, of in terms], claimed, label
    )
    return SumcheckProof(bytes(data), FieldArray._of(total).ints()[0], FieldArray._of(point), FieldArray._of(values))


def verify(data: bytes, *, claim: int, variables: int, degree: int, curve: str, label: str = LABEL) -> Subclaim:
    """Reduces the claim of a proof to a claim at one point. **The caller has to check that claim to accept the proof.**

    Raises :class:`pairwright.Rejected` if the bytes do not have the shape of the statement.
    """
    point, value = _native.sumcheck_verify(data, _scalars(curve, claim)._handle, variables, degree, label)
    return Subclaim(FieldArray._of(point), FieldArray._of(value).ints()[0])
