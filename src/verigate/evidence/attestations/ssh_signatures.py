"""Sign and verify by OpenSSH: ``ssh-keygen -Y sign`` and ``-Y verify``, in the namespace ``attest@verigate``.

A signature in an envelope is the binary SSHSIG blob (openssh PROTOCOL.sshsig); with the lines of its armour around its
base64, ``ssh-keygen`` reads it. So keys of an ssh-agent and security keys sign, which the gate never holds.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.attestation import SSH_NAMESPACE
from verigate.errors import ConfigError, EvidenceError, Fault
from verigate.evidence.memory_files import open_memory_files
from verigate.formats.visible import escape_invisible

if TYPE_CHECKING:
    from securesystemslib.signer import Signature

MAGIC = b"SSHSIG"
_ARMOUR = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")
_TOUCH_S = 120
"""Seconds for a person to enter a passphrase or to touch a security key."""

_CHECK_S = 30


def sign_by_ssh(message: bytes, key: Path, program: str, environ: Mapping[str, str]) -> Signature:
    """Sign by ``ssh-keygen``; the key ID is the fingerprint as ``ssh-keygen -l`` prints it.

    ``key`` is a private key file, or a public one whose private key an ssh-agent holds. Raises ConfigError.
    """
    from securesystemslib.signer import Signature

    argv = (program, "-Y", "sign", "-q", "-f", str(key), "-n", SSH_NAMESPACE)
    try:
        done = subprocess.run(
            argv, input=message, capture_output=True, env=dict(environ), timeout=_TOUCH_S, check=False
        )
    except subprocess.TimeoutExpired as problem:
        raise _refuse_key(key, f"ssh-keygen waited {_TOUCH_S} seconds for it") from problem
    if done.returncode != 0:
        raise _refuse_key(key, _last_line(done.stderr))
    blob = _strip_armour(done.stdout)
    return Signature(fingerprint(blob), blob.hex())


class SshKeys:
    """The keys of an allowed-signers file; ``content`` is what it says."""

    def __init__(self, content: bytes, program: str, environ: Mapping[str, str], name: str) -> None:
        self._content = content
        self._program = program
        self._environ = environ
        self.name = name

    def find_principal(self, blob: bytes) -> str | None:
        """Return the first principal whose key made a signature, whether or not it holds; None if none has it."""
        done = self._run(blob, "-Y", "find-principals")
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        # The principals of one line of the file stand in one line, with commas.
        return lines[0].split(",")[0].strip() or None if done.returncode == 0 and lines else None

    def verify(self, message: bytes, blob: bytes, principal: str) -> str | None:
        """Verify a signature; return None if it holds, else what ssh-keygen says of it."""
        done = self._run(blob, "-Y", "verify", "-n", SSH_NAMESPACE, "-I", principal, stdin=message)
        return None if done.returncode == 0 else _last_line(done.stderr or done.stdout)

    def _run(self, blob: bytes, *options: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        environ = {"PATH": self._environ.get("PATH", os.defpath), "LC_ALL": "C"}
        with open_memory_files((self._content, armour(blob))) as (signers, signature):
            argv = (self._program, *options, "-f", signers.path, "-s", signature.path)
            inherited = (signers.descriptor, signature.descriptor)
            return subprocess.run(
                argv, input=stdin, capture_output=True, env=environ, timeout=_CHECK_S, check=False, pass_fds=inherited
            )


def find_ssh_keygen(environ: Mapping[str, str], outside: Path) -> str:
    """Find ``ssh-keygen`` on PATH outside of the repository, which must not bring its own. Raises ConfigError."""
    fence = outside.resolve()
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("ssh-keygen", path=folder) if folder.startswith("/") else None
        if found is not None and not Path(found).resolve().is_relative_to(fence):
            return found
    message = "there is no ssh-keygen on PATH outside of the repository"
    raise ConfigError([Fault(message, "PATH", hint="install openssh-client 8.9 or later")])


def is_ssh_signature(blob: bytes) -> bool:
    """Whether this is an SSHSIG blob."""
    return blob.startswith(MAGIC)


def armour(blob: bytes) -> bytes:
    """Return an SSHSIG blob as ssh-keygen writes and reads it."""
    text = base64.b64encode(blob).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join((_ARMOUR[0], *lines, _ARMOUR[1], "")).encode()


def fingerprint(blob: bytes) -> str:
    """Return the fingerprint of the key in an SSHSIG blob, as ``ssh-keygen -l`` prints it. Raises EvidenceError.

    After the magic come a version (uint32), and strings, each with its length (uint32) before it: public key first.
    """
    start = len(MAGIC) + 4
    length = int.from_bytes(blob[start : start + 4], "big")
    key = blob[start + 4 : start + 4 + length]
    if not is_ssh_signature(blob) or len(key) != length or not key:
        raise EvidenceError("this is not a signature by ssh-keygen")
    return "SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")


def _strip_armour(text: bytes) -> bytes:
    lines = text.decode("ascii", "replace").strip().splitlines()
    if len(lines) > 2 and (lines[0], lines[-1]) == _ARMOUR:
        with suppress(binascii.Error):
            return base64.b64decode("".join(lines[1:-1]), validate=True)
    raise EvidenceError("ssh-keygen printed no signature", hint="run ssh-keygen -Y sign by hand")


def _last_line(text: bytes) -> str:
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines() if line.strip()]
    said = [line for line in lines if line != "Could not verify signature."] or lines
    return escape_invisible(said[-1])[:500] if said else "ssh-keygen printed nothing"


def _refuse_key(key: Path, why: str) -> ConfigError:
    hint = "ssh-add it to a running ssh-agent, or name a private key file"
    return ConfigError([Fault(f"the key can't sign: {why}", str(key), hint=hint)])
