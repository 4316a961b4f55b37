"""Identity-based encryption on BLS12-381, as used with drand's networks: a signature of the identity is the decryption key.

>>> from pairwright.bls import SecretKey
>>> master = SecretKey.key_gen(bytes(32))
>>> sealed = encrypt(master.public_key(variant="min-sig"), b"alice", b"sixteen byte key")
>>> decrypt(extract(master, b"alice"), sealed)
b'sixteen byte key'
"""

from __future__ import annotations

from . import _native
from .bls import SecretKey

VARIANT = "min-sig"


def encrypt(
    master: bytes, identity: bytes, message: bytes, *, tag: bytes | None = None, variant: str = VARIANT
) -> bytes:
    """Encrypts a key of 16 to 32 bytes to an identity, under the master public key.

    ``tag`` is the domain separation tag under which identities are hashed; that of the basic signature scheme by default.
    """
    return _native.ibe_encrypt(variant, tag, master, identity, message)


def extract(master: SecretKey, identity: bytes, *, tag: bytes | None = None, variant: str = VARIANT) -> bytes:
    """The decryption key of an identity: the master's signature of it."""
    return _native.ibe_extract(variant, tag, master._handle, identity)


def decrypt(key: bytes, ciphertext: bytes, *, variant: str = VARIANT) -> bytes:
    """Decrypts with the decryption key of an identity.

    Raises :class:`pairwright.Rejected` if the ciphertext is for another identity, or was changed.
    """
    return _native.ibe_decrypt(variant, key, ciphertext)
