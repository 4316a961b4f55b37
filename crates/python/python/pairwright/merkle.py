"""Merkle trees of SHA3-256.

>>> tree = Tree([leaf(b"a"), leaf(b"b"), leaf(b"c")])
>>> verify(tree.root, len(tree), 2, leaf(b"c"), tree.open(2))
True
"""

from __future__ import annotations

from collections.abc import Iterable

from . import _native


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
    """Accepts a digest as the leaf at an index of the tree with that root and so many leaves: True, or an exception.

    Raises :class:`pairwright.Rejected`.
    """
    _native.merkle_verify(root, length, index, digest, opening)
    return True
