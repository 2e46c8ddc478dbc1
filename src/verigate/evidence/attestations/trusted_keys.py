"""The keys whose signatures count, and the errors for all others.

Whose keys these are is decided outside of the change that they judge: see ``composition.attestations``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.attestation import SSH_NAMESPACE
from verigate.domain.profile import SIGNERS_FILE
from verigate.errors import ConfigError, EvidenceError, Fault
from verigate.evidence.ssh_keygen import SshKeygen, UnknownSignerError
from verigate.formats.ssh_signature import SshSignatureError, encode_armor, is_ssh_blob, read_ssh_blob

if TYPE_CHECKING:
    from securesystemslib.signer import SSlibKey

_SSH_PUBLIC = (b"ssh-", b"ecdsa-sha2-", b"sk-ssh-", b"sk-ecdsa-")
_UNSAFE = re.compile(rb"[^A-Za-z0-9._@-]")
"""What a principal's name can't have: spaces end it, and some characters make it a pattern."""


class KeySource(Struct, frozen=True):
    """A file of keys: what errors call it, and its content."""

    name: str
    content: bytes


class SshKeys(Struct, frozen=True):
    """The keys of an allowed signers file, ``content``, and what verifies by them."""

    content: bytes
    keygen: SshKeygen

    def find_signer(self, message: bytes, blob: bytes) -> str | None:
        """Return who made a signature; None if none of these keys did. Raises ValueError where it doesn't hold."""
        try:
            return self.keygen.find_signer(message, encode_armor(blob), self.content, SSH_NAMESPACE)
        except UnknownSignerError:
            return None


class TrustedKeys:
    """Keys of PEM files, by their ID, and of OpenSSH. ``own`` are the signers that the change itself names."""

    def __init__(
        self,
        pem: Sequence[tuple[str, SSlibKey]],
        ssh: Sequence[SshKeys],
        sources: Sequence[str],
        own: SshKeys | None = None,
    ) -> None:
        self._pem = pem
        self._ssh = ssh
        self._sources = sources
        self._own = own

    def verify(self, message: bytes, keyid: str, signature: bytes, *, where: str) -> str:
        """Verify one signature; return who made it. Raises EvidenceError that says why it doesn't count."""
        if is_ssh_blob(signature):
            return self._verify_ssh(message, keyid, signature, where)
        from securesystemslib.exceptions import UnverifiedSignatureError
        from securesystemslib.signer import Signature

        candidates = [item for item in self._pem if keyid in {"", item[1].keyid}]
        if not candidates:
            raise self._unknown(keyid or "a key without an ID", where)
        for name, key in candidates:
            try:
                key.verify_signature(Signature(key.keyid, signature.hex()), message)
            except UnverifiedSignatureError:
                continue
            return f"{name} ({key.keyid[:16]})"
        names = ", ".join(name for name, _ in candidates)
        hint = "the payload was replaced, or it was signed by another key"
        raise EvidenceError(f"a signature is not by {names}", where=where, hint=hint)

    def _verify_ssh(self, message: bytes, keyid: str, blob: bytes, where: str) -> str:
        try:
            found = read_ssh_blob(blob).fingerprint
        except SshSignatureError as problem:
            raise EvidenceError(f"this is not a signature by ssh-keygen: {problem}", where=where) from problem
        if keyid not in {"", found}:
            raise EvidenceError(f"a signature by {found} says that it is by {keyid}", where=where)
        for keys in self._ssh:
            try:
                principal = keys.find_signer(message, blob)
            except ValueError as problem:
                hint = f"the payload was replaced, or the key may not sign in the namespace {SSH_NAMESPACE}"
                raise EvidenceError(
                    f"the signature ({found}) doesn't hold: {problem}", where=where, hint=hint
                ) from None
            if principal is not None:
                return f"{principal} ({found})"
        if self._own is not None and self._is_known(self._own, message, blob):
            message_of = (
                f"it is signed by {found}, which {SIGNERS_FILE} of the change itself names, and the trusted one not"
            )
            hint = "a change can't name its own signers: have that file reviewed and merged first"
            raise EvidenceError(message_of, where=where, hint=hint)
        raise self._unknown(found, where)

    @staticmethod
    def _is_known(keys: SshKeys, message: bytes, blob: bytes) -> bool:
        try:
            return keys.find_signer(message, blob) is not None
        except ValueError:
            return True

    def _unknown(self, key: str, where: str) -> EvidenceError:
        listed = ", ".join(self._sources) or "there are none"
        hint = f"trusted are: {listed}; name another with --key"
        return EvidenceError(f"it is signed by {key}, which is not a trusted key", where=where, hint=hint)


def load_trusted_keys(
    sources: Sequence[KeySource], own: KeySource | None, environ: Mapping[str, str], root: Path
) -> TrustedKeys:
    """Load keys from PEM files, public keys of OpenSSH and allowed-signers files. Raises ConfigError."""
    pem: list[tuple[str, SSlibKey]] = []
    ssh: list[SshKeys] = []
    for source in sources:
        if source.content.lstrip().startswith(b"-----BEGIN"):
            pem.append((source.name, _load_pem(source)))
        else:
            ssh.append(SshKeys(_list_signers(source), SshKeygen.find(root, environ)))
    theirs = None
    if own is not None:
        theirs = SshKeys(own.content, SshKeygen.find(root, environ))
    return TrustedKeys(pem, ssh, [source.name for source in sources], theirs)


def _load_pem(source: KeySource) -> SSlibKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.signer import SSlibKey

    try:
        key = load_pem_public_key(source.content)
        if isinstance(key, Ed25519PublicKey | EllipticCurvePublicKey):
            return SSlibKey.from_crypto(key)
    except (ValueError, UnsupportedAlgorithm) as problem:
        hint = "name the public key: FILE.pub next to a private key, or openssl pkey -pubout"
        raise ConfigError([Fault(f"this is not a usable public key: {problem}", source.name, hint=hint)]) from problem
    raise ConfigError([Fault("this is not an Ed25519 or ECDSA key", source.name)])


def _list_signers(source: KeySource) -> bytes:
    """Return the lines of an allowed-signers file; a public key alone becomes one, for this namespace."""
    text = source.content.strip()
    if not text.startswith(_SSH_PUBLIC):
        return source.content
    name = source.name.rpartition("/")[2].encode("utf-8", "surrogateescape")
    return b'%s namespaces="%s" %s\n' % (_UNSAFE.sub(b"_", name), SSH_NAMESPACE.encode(), text.splitlines()[0])
