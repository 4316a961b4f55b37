"""KZG commitments to Ethereum's blobs (EIP-4844) and their cells (EIP-7594).

The ceremony's points are read from a setup file as clients use it, JSON or text, optionally gzipped; they are checked when they are read.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from . import _native
from ._circuit import PathLike

#: Lengths in bytes of a blob, of an element of a blob, and of a cell.
BLOB_BYTES, ELEMENT_BYTES, CELL_BYTES = 131072, 32, 2048


def _read(path: PathLike) -> bytes:
    try:
        data = Path(path).read_bytes()
    except OSError as why:
        from ._errors import FileError

        raise FileError(f"{os.fspath(path)}: {why.strerror}") from why
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


class Blobs:
    """Commitments to blobs and proofs of them, with the points of a ceremony."""

    def __init__(self, trusted_setup: PathLike) -> None:
        self._handle = _native.BlobSetup.read(_read(trusted_setup), os.fspath(trusted_setup))

    def commit(self, blob: bytes) -> bytes:
        """The commitment to a blob (``blob_to_kzg_commitment``)."""
        return self._handle.commit(blob)

    def prove_blob(self, blob: bytes, commitment: bytes) -> bytes:
        """The proof of a blob and its commitment (``compute_blob_kzg_proof``)."""
        return self._handle.prove_blob(blob, commitment)

    def prove(self, blob: bytes, z: bytes) -> tuple[bytes, bytes]:
        """Proves the value of a blob's polynomial at a point; returns the proof and the value (``compute_kzg_proof``)."""
        return self._handle.prove(blob, z)

    def verify(self, commitment: bytes, z: bytes, y: bytes, proof: bytes) -> bool:
        """Accepts a value at a point (``verify_kzg_proof``): True, or :class:`pairwright.Rejected`."""
        self._handle.verify(commitment, z, y, proof)
        return True

    def verify_blob(self, blob: bytes, commitment: bytes, proof: bytes) -> bool:
        """Accepts a blob with its commitment and proof: True, or :class:`pairwright.Rejected`."""
        return self.verify_blobs([(blob, commitment, proof)])

    def verify_blobs(self, sidecars: Iterable[tuple[bytes, bytes, bytes]]) -> bool:
        """Accepts many blobs, each with its commitment and proof, together: True, or :class:`pairwright.Rejected`."""
        self._handle.verify_blobs(list(sidecars))
        return True


class Cells:
    """Cells of blobs, with the points of a ceremony."""

    def __init__(self, trusted_setup: PathLike) -> None:
        self._handle = _native.CellSetup.read(_read(trusted_setup), os.fspath(trusted_setup))

    def prove(self, blob: bytes) -> tuple[list[bytes], list[bytes]]:
        """The 128 cells of a blob and their proofs (``compute_cells_and_kzg_proofs``)."""
        return self._handle.prove(blob)

    def verify(self, cells: Iterable[tuple[bytes, int, bytes, bytes]]) -> bool:
        """Accepts cells, each (commitment, index, cell, proof), together: True, or :class:`pairwright.Rejected`."""
        self._handle.verify(list(cells))
        return True

    def recover(self, cells: Mapping[int, bytes]) -> bytes:
        """Recovers the blob from at least half of its cells, given by their indices."""
        return self._handle.recover(sorted(cells.items()))
