"""Timelock encryption: a key is encrypted to a round of a drand beacon, whose signature of that round decrypts it.

>>> from pairwright import bls
>>> beacon = bls.SecretKey.key_gen(bytes(32))
>>> sealed = encrypt(beacon.public_key(variant="min-sig"), 1000, b"sixteen byte key")
>>> decrypt(beacon.sign(identity(1000), scheme="basic", variant="min-sig"), sealed)
b'sixteen byte key'
"""

from __future__ import annotations

from . import _native, ibe


def identity(round: int) -> bytes:
    """The identity of a round, which is the message that an unchained beacon signs."""
    return _native.ibe_round(round)


def encrypt(public_key: bytes, round: int, message: bytes, *, tag: bytes | None = None, variant: str = ibe.VARIANT) -> bytes:
    """Encrypts a key of 16 to 32 bytes to a round of the beacon with that public key."""
    return ibe.encrypt(public_key, identity(round), message, tag=tag, variant=variant)


def decrypt(signature: bytes, ciphertext: bytes, *, variant: str = ibe.VARIANT) -> bytes:
    """Decrypts with the beacon's signature of the round.

    Raises :class:`pairwright.Rejected` if the ciphertext is for another round, or was changed.
    """
    return ibe.decrypt(signature, ciphertext, variant=variant)
