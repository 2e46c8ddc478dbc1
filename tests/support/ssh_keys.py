"""Keys of ssh-keygen, and signatures as a FIDO token makes them.

There is no token here. Its signatures are made by their documented format (PROTOCOL.sshsig and PROTOCOL.u2f of OpenSSH)
with a key in memory, and the real ssh-keygen verifies them.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

BOTH = "policy@verigate,weakening@verigate"
PRESENT, VERIFIED = 0x01, 0x04


@dataclass(frozen=True)
class FileKey:
    """A plain key in a file, without a passphrase."""

    path: Path

    @property
    def public(self) -> str:
        """Type and key, as an allowed signers file has them."""
        return " ".join(self.path.with_name(f"{self.path.name}.pub").read_text().split()[:2])

    def sign(self, payload: bytes, namespace: str) -> str:
        argv = ("ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(self.path))
        return subprocess.run(argv, input=payload, capture_output=True, check=True).stdout.decode()


def make_key(folder: Path, name: str = "id", kind: str = "ed25519") -> FileKey:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    argv = ("ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "a key", "-f", str(path))
    subprocess.run(argv, capture_output=True, check=True)
    return FileKey(path)


@dataclass(frozen=True)
class TokenKey:
    """A key of the type ``sk-ssh-ed25519@openssh.com``; ``flags`` are what its token reports."""

    flags: int = PRESENT | VERIFIED
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    kind: str = "sk-ssh-ed25519@openssh.com"
    application: bytes = b"ssh:"

    @property
    def blob(self) -> bytes:
        return (
            _string(self.kind.encode()) + _string(self.key.public_key().public_bytes_raw()) + _string(self.application)
        )

    @property
    def public(self) -> str:
        return f"{self.kind} {base64.b64encode(self.blob).decode()}"

    def sign(self, payload: bytes, namespace: str, *, reported: int | None = None) -> str:
        """Sign; ``reported`` are other flags than those that the token signed."""
        name, digest = namespace.encode(), hashlib.sha512(payload).digest()
        message = b"SSHSIG" + _string(name) + _string(b"") + _string(b"sha512") + _string(digest)
        counter = struct.pack(">I", 7)
        authenticated = hashlib.sha256(self.application).digest() + bytes([self.flags]) + counter
        signature = self.key.sign(authenticated + hashlib.sha256(message).digest())
        flags = bytes([self.flags if reported is None else reported])
        inner = _string(self.kind.encode()) + _string(signature) + flags + counter
        outer = b"SSHSIG" + struct.pack(">I", 1) + _string(self.blob) + _string(name) + _string(b"")
        return armor(outer + _string(b"sha512") + _string(inner))


def armor(blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    lines = "\n".join(text[at : at + 70] for at in range(0, len(text), 70))
    return f"-----BEGIN SSH SIGNATURE-----\n{lines}\n-----END SSH SIGNATURE-----\n"


def signers(*keys: FileKey | TokenKey, who: str = "alice@example.com", namespaces: str = BOTH) -> str:
    """An allowed signers file."""
    return "".join(f'{who} namespaces="{namespaces}" {key.public}\n' for key in keys)


def _string(value: bytes) -> bytes:
    return struct.pack(">I", len(value)) + value
