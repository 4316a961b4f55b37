"""BLS signatures on BLS12-381 (draft-irtf-cfrg-bls-signature). Keys and signatures are compressed points, as bytes.

``variant`` is ``"min-pk"`` (keys of 48 bytes, signatures of 96: Ethereum's choice) or ``"min-sig"``. ``scheme`` is the
protection against rogue keys, which are chosen to cancel those of others: ``"possession"`` (every
signer has proved to know the secret key), ``"basic"`` (messages are distinct) or ``"augmentation"`` (the key is hashed with the message).

>>> secret = SecretKey.key_gen(bytes(range(32)))
>>> signature = secret.sign(b"message")
>>> verify(secret.public_key(), b"message", signature)
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import _native
from ._held import Held

VARIANT = "min-pk"
SCHEME = "possession"


class SecretKey(Held["_native.BlsSecretKey"]):
    """A secret key. The object wipes it when it is deleted; bytes that are taken from it are not wiped."""

    __slots__ = ()

    def __init__(self, data: bytes | None = None) -> None:
        """Reads a key from its 32 bytes, or draws one with randomness from the operating system."""
        make = _native.BlsSecretKey
        self._handle = make.random() if data is None else make.from_bytes(data)

    @classmethod
    def key_gen(cls, material: bytes, info: bytes = b"") -> SecretKey:
        """A key from at least 32 secret bytes, as ``KeyGen`` of the draft makes it (section 2.3)."""
        return cls._of(_native.BlsSecretKey.key_gen(material, info))

    def __bytes__(self) -> bytes:
        return self._handle.bytes()

    def public_key(self, *, variant: str = VARIANT) -> bytes:
        """The public key."""
        return self._handle.public_key(variant)

    def sign(self, message: bytes, *, scheme: str = SCHEME, variant: str = VARIANT) -> bytes:
        """Signs a message."""
        return self._handle.sign(variant, scheme, message)

    def prove_possession(self, *, variant: str = VARIANT) -> bytes:
        """Proves possession of the key (section 3.3.2)."""
        return self._handle.pop_prove(variant)

    def __repr__(self) -> str:
        return "<SecretKey>"


def sign(secret: SecretKey | bytes, message: bytes, *, scheme: str = SCHEME, variant: str = VARIANT) -> bytes:
    """Signs a message."""
    key = secret if isinstance(secret, SecretKey) else SecretKey(secret)
    return key.sign(message, scheme=scheme, variant=variant)


def verify(public_key: bytes, message: bytes, signature: bytes, *, scheme: str = SCHEME, variant: str = VARIANT) -> bool:
    """Accepts a signature: True, or :class:`pairwright.Rejected`."""
    _native.bls_verify(variant, scheme, public_key, message, signature)
    return True


def verify_possession(public_key: bytes, proof: bytes, *, variant: str = VARIANT) -> bool:
    """Accepts a proof of possession: True, or :class:`pairwright.Rejected`."""
    _native.bls_pop_verify(variant, public_key, proof)
    return True


def verify_many(
    signed: Iterable[tuple[bytes, bytes, bytes]], *, scheme: str = SCHEME, variant: str = VARIANT
) -> bool:
    """Accepts many independent signatures together, each (public key, message, signature): returns True or raises.

    The verification equations are added with random weights: a bad signature is accepted with probability at most 2^-127.

    Raises :class:`pairwright.Rejected`, whose ``index`` is the position of the first that is not accepted.
    """
    _native.bls_verify_many(variant, scheme, list(signed))
    return True


def aggregate(signatures: Iterable[bytes], *, variant: str = VARIANT) -> bytes:
    """Aggregates signatures to one signature."""
    return _native.bls_aggregate(variant, list(signatures))


def verify_aggregate(
    public_keys: Sequence[bytes],
    messages: Sequence[bytes],
    signature: bytes,
    *,
    scheme: str = SCHEME,
    variant: str = VARIANT,
) -> bool:
    """Accepts an aggregate of signatures, each of a different message under a different key: True, or :class:`pairwright.Rejected`."""
    _native.bls_aggregate_verify(variant, scheme, list(public_keys), list(messages), signature)
    return True


def verify_same_message(
    public_keys: Sequence[bytes], message: bytes, signature: bytes, *, variant: str = VARIANT
) -> bool:
    """Accepts an aggregate of signatures of one message, whose keys have proofs of possession (``FastAggregateVerify``)."""
    _native.bls_fast_aggregate_verify(variant, list(public_keys), message, signature)
    return True
