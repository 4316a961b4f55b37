"""Merkle trees of SHA3-256 over digests, and of Poseidon over scalars for circuits.

>>> tree = Tree([leaf(b"a"), leaf(b"b"), leaf(b"c")])
>>> verify(tree.root, len(tree), 2, leaf(b"c"), tree.open(2))
True

A circuit that proves knowledge of a leaf takes the root and the siblings on the leaf's path:

>>> tree = PoseidonTree("bn128", [10, 20, 30])
>>> tree.root == poseidon("bn128", poseidon("bn128", 10, 20), poseidon("bn128", 30, 0))
True
>>> tree.siblings(2) == [0, poseidon("bn128", 10, 20)]
True
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from . import _native
from ._arrays import FieldArray, _scalars
from ._errors import UsageError


def leaf(data: bytes) -> bytes:
    """The digest of a leaf's bytes: SHA3-256."""
    return _native.merkle_leaf(data)


class Tree:
    """A tree over digests of 32 bytes, padded to a power of two. The root and the number of leaves commit to them."""

    def __init__(self, leaves: Iterable[bytes] | bytes) -> None:
        data = leaves if isinstance(leaves, bytes) else b"".join(leaves)
        self._handle = _native.MerkleTree.over(data)

    @property
    def root(self) -> bytes:
        """The topmost digest."""
        return self._handle.root()

    def __len__(self) -> int:
        return len(self._handle)

    def open(self, index: int) -> bytes:
        """The path of a leaf, for :func:`verify`."""
        return self._handle.open(index)


def verify(root: bytes, length: int, index: int, digest: bytes, opening: bytes) -> bool:
    """Accepts a digest as the leaf at an index of the tree with this root and number of leaves: returns True or raises.

    Raises :class:`pairwright.Rejected`.
    """
    _native.merkle_verify(root, length, index, digest, opening)
    return True


def poseidon(curve: str, left: int, right: int) -> int:
    """The Poseidon hash of two scalars; on bn128 it is circomlib's ``Poseidon(2)``."""
    return FieldArray._of(_native.poseidon(FieldArray.from_ints(curve, [left, right])._handle)).ints()[0]


class PoseidonTree:
    """A tree of Poseidon over scalars of a curve, padded with zeros to a power of two.

    A node is the :func:`poseidon` hash of its children. :attr:`nodes` has the leaves, then level by level the nodes above
    them, and the root last.
    """

    def __init__(self, curve: str, leaves: Any) -> None:
        scalars = _scalars(curve, leaves)
        self._len = len(scalars)
        self.nodes = FieldArray._of(_native.poseidon_tree(scalars._handle))

    @property
    def root(self) -> int:
        """The topmost node."""
        root: int = self.nodes[-1]
        return root

    def __len__(self) -> int:
        return self._len

    def siblings(self, index: int) -> list[int]:
        """The siblings on the path of a leaf, from the bottom up: the input of circuits that is often named ``pathElements``."""
        index = operator.index(index)
        if not 0 <= index < self._len:
            raise UsageError(f"index {index}: the tree has {self._len} leaves")
        found, start, width = [], 0, (len(self.nodes) + 1) // 2
        while width > 1:
            found.append(self.nodes[start + (index ^ 1)])
            start, width, index = start + width, width // 2, index // 2
        return found
