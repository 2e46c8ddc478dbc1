"""Read an SSH signature, without verifying it: by which key, in which namespace, with which flags.

Formats: PROTOCOL.sshsig and PROTOCOL.u2f of OpenSSH. ssh-keygen verifies; it doesn't print what is read here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from msgspec import Struct

MAX_ARMOR = 16 * 1024
"""Characters of the longest signature that is read."""

_BEGIN = "-----BEGIN SSH SIGNATURE-----"
_END = "-----END SSH SIGNATURE-----"
_MAGIC = b"SSHSIG"
_VERSION = 1
_HARDWARE = frozenset({"sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"})
"""Types of keys in FIDO tokens, and of their signatures."""
_PRESENT = 0x01
_VERIFIED = 0x04


class SshSignatureError(ValueError):
    """It isn't an SSH signature."""


class SshSignature(Struct, frozen=True):
    """What a signature says of itself. ``key`` is the public key in its wire format.

    ``flags`` are those of the authenticator data (user present 0x01, user verified 0x04), which a hardware key signs;
    None for other keys.
    """

    key_type: str
    key: bytes
    namespace: str
    flags: int | None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key as ssh-keygen prints it, ``SHA256:…``."""
        return f"SHA256:{base64.b64encode(hashlib.sha256(self.key).digest()).decode().rstrip('=')}"

    @property
    def public_key(self) -> str:
        """The key as a public key file has it, in base64."""
        return base64.b64encode(self.key).decode()

    @property
    def is_of_hardware(self) -> bool:
        """Whether a token made it."""
        return self.flags is not None

    @property
    def is_user_verified(self) -> bool:
        """Whether the token asked for a touch and verified who touched it, by a PIN or biometry."""
        return self.flags is not None and self.flags & _PRESENT != 0 and self.flags & _VERIFIED != 0


def read_ssh_signature(armor: str) -> SshSignature:
    """Read an armored signature. Raises SshSignatureError for anything else, also for text around it."""
    return read_ssh_blob(decode_armor(armor))


def is_ssh_blob(blob: bytes) -> bool:
    """Whether this begins as the binary form of an SSH signature does."""
    return blob.startswith(_MAGIC)


def encode_armor(blob: bytes) -> str:
    """Return the binary form of a signature as ssh-keygen writes and reads it."""
    text = base64.b64encode(blob).decode()
    return "\n".join((_BEGIN, *(text[at : at + 70] for at in range(0, len(text), 70)), _END, ""))


def decode_armor(armor: str) -> bytes:
    """Return the binary form of an armored signature. Raises SshSignatureError."""
    if len(armor) > MAX_ARMOR:
        raise SshSignatureError(f"it is longer than {MAX_ARMOR} characters")
    text = armor.strip()
    if not text.startswith(_BEGIN) or not text.endswith(_END):
        raise SshSignatureError("it has no BEGIN and END lines")
    try:
        return base64.b64decode("".join(text[len(_BEGIN) : -len(_END)].split()), validate=True)
    except (binascii.Error, ValueError):
        raise SshSignatureError("it is not base64") from None


def read_ssh_blob(blob: bytes) -> SshSignature:
    """Read the binary form of a signature. Raises SshSignatureError."""
    if not is_ssh_blob(blob):
        raise SshSignatureError("it doesn't begin with SSHSIG")
    reader = _Reader(blob[len(_MAGIC) :])
    if reader.number() != _VERSION:
        raise SshSignatureError("its version is not 1")
    key, namespace, _reserved, _hash, signature = (reader.string() for _ in range(5))
    reader.end()
    key_type = _text(_Reader(key).string())
    return SshSignature(key_type, key, _text(namespace), _read_flags(key_type, signature))


def _read_flags(key_type: str, signature: bytes) -> int | None:
    """Read the flags of a hardware key's signature: type, signature, one byte of flags, a counter of 32 bits."""
    reader = _Reader(signature)
    made_by = _text(reader.string())
    if key_type not in _HARDWARE or made_by != key_type:
        return None
    reader.string()
    flags = reader.byte()
    reader.number()
    reader.end()
    return flags


def _text(value: bytes) -> str:
    try:
        found = value.decode("ascii")
    except UnicodeDecodeError:
        raise SshSignatureError("a name in it is not ASCII") from None
    if not found.isprintable():
        raise SshSignatureError("a name in it has characters that can't be seen")
    return found


class _Reader:
    """Read the fields of RFC 4251, section 5."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _take(self, length: int) -> bytes:
        if len(self._data) - self._at < length:
            raise SshSignatureError("it ends too early")
        self._at += length
        return self._data[self._at - length : self._at]

    def byte(self) -> int:
        return self._take(1)[0]

    def number(self) -> int:
        return int.from_bytes(self._take(4), "big")

    def string(self) -> bytes:
        return self._take(self.number())

    def end(self) -> None:
        if self._at != len(self._data):
            raise SshSignatureError("it has more fields than it should")
