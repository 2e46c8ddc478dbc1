"""Load the key that signs, and make one on request. Keys are files, or in an ssh-agent; none is ever made by itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.attestation import SSH_NAMESPACE
from verigate.errors import ConfigError, Fault, UsageError
from verigate.evidence.ssh_keygen import SshKeygen
from verigate.formats.ssh_signature import decode_armor, read_ssh_blob
from verigate.user_folders import is_inside

if TYPE_CHECKING:
    from securesystemslib.signer import CryptoSigner, Signature

Sign = Callable[[bytes], "Signature"]
"""Bytes -> their signature. Raises ConfigError where the key can't sign."""

_LARGEST_KEY = 1_000_000
_SSH_PRIVATE = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_SSH_PUBLIC = (b"ssh-", b"ecdsa-sha2-", b"sk-ssh-", b"sk-ecdsa-")
_HINT = "gate attest keygen FILE makes one, and so does ssh-keygen -t ed25519 -f FILE"


class KeyType(StrEnum):
    """The keys that ``gate attest keygen`` makes: Ed25519 (RFC 8032), and ECDSA with P-256 and SHA-256."""

    ED25519 = "ed25519"
    ECDSA = "ecdsa"


def load_signer(path: Path, environ: Mapping[str, str], root: Path, *, option: str) -> Sign:
    """Return what signs with the key at ``path``; ``option`` names in errors where the path is from.

    A PEM file (PKCS #8) of an Ed25519 or ECDSA key signs by cryptography. A private key of OpenSSH, and a public one
    whose private key an ssh-agent holds, sign by ssh-keygen. Raises ConfigError for any other, and for a private key
    inside the repository ``root``.
    """
    try:
        content = path.read_bytes()[: _LARGEST_KEY + 1]
    except OSError as problem:
        raise _refuse(f"{path} can't be read: {problem.strerror}", option) from problem
    is_public = content.lstrip().startswith(_SSH_PUBLIC)
    if not is_public and is_inside(str(path), str(root)):
        hint = "move it out of the repository, to where agents can't read it"
        raise _refuse(
            f"the private key {path} lies in the repository: whoever is judged can sign with it", option, hint
        )
    if is_public or content.lstrip().startswith(_SSH_PRIVATE):
        require_packages(option)
        return _sign_by_ssh(SshKeygen.find(root, environ), path)
    return _load_pem(path, content, option).sign


def _sign_by_ssh(keygen: SshKeygen, path: Path) -> Sign:
    """Sign by ssh-keygen, which reaches keys of agents and tokens; the key ID is the key's fingerprint."""

    def sign(message: bytes) -> Signature:
        from securesystemslib.signer import Signature

        blob = decode_armor(keygen.sign(message, path, SSH_NAMESPACE))
        return Signature(read_ssh_blob(blob).fingerprint, blob.hex())

    return sign


def _load_pem(path: Path, content: bytes, option: str) -> CryptoSigner:
    require_packages(option)
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from securesystemslib.signer import CryptoSigner

    try:
        key = load_pem_private_key(content, password=None)
        if isinstance(key, Ed25519PrivateKey | EllipticCurvePrivateKey):
            return CryptoSigner(key)
    except (ValueError, TypeError, UnsupportedAlgorithm) as problem:
        raise _refuse(f"{path} is not a usable private key: {problem}", option) from problem
    raise _refuse(f"{path} is not an Ed25519 or ECDSA key", option)


def make_key(path: Path, kind: KeyType, root: Path) -> Path:
    """Make a key pair: PKCS #8 at ``path``, for its owner alone, and the public key next to it, whose path is returned.

    Never replaces a file. Raises UsageError for a file that is there, and for a place inside the repository ``root``.
    """
    require_packages("gate attest keygen")
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    public = path.with_name(f"{path.name}.pub")
    if is_inside(str(path), str(root)):
        hint = "name a place where agents can't read it"
        raise UsageError("a private key must not lie in the repository", where=str(path), hint=hint)
    for place in (path, public):
        if os.path.lexists(place):
            raise UsageError("this is there already", where=str(place), hint="name another file, or move it away")
    key = Ed25519PrivateKey.generate() if kind is KeyType.ED25519 else generate_private_key(SECP256R1())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for place, content, mode in ((path, private, 0o600), (public, pem, 0o644)):
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    return public


def require_packages(where: str) -> None:
    """Raise ConfigError with the command that installs what the extra ``attest`` lacks, if it lacks anything."""
    from verigate.extras import find_lack

    lack = find_lack("attest")
    if lack is not None:
        raise ConfigError([Fault(lack.message, where, hint=lack.command)])


def _refuse(message: str, option: str, hint: str = _HINT) -> ConfigError:
    return ConfigError([Fault(message, option, hint=hint)])
