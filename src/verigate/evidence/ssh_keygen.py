"""Sign, and verify signatures, with ssh-keygen -Y; see ssh-keygen(1)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from verigate.errors import ExecutionError, UsageError
from verigate.evidence.memory_files import MemoryFile, open_memory_files
from verigate.formats.visible import escape_invisible
from verigate.subject.outside_programs import find_outside_program

_TIMEOUT_S = 30
_TOUCH_S = 120
"""Seconds for a person to enter a passphrase or to touch a hardware key."""
_NO_MARKS = str.maketrans("", "", "-:TZ")
_HINT = "on Debian: apt-get install openssh-client"
_LONGEST = 400


class SshKeygen(Struct, frozen=True):
    """The program ``ssh-keygen``, from outside of the repository, and the environment of whoever calls."""

    program: str
    environ: Mapping[str, str]

    @classmethod
    def find(cls, root: Path, environ: Mapping[str, str]) -> SshKeygen:
        """Find it on PATH. Raises ExecutionError where there is none."""
        found = find_outside_program("ssh-keygen", environ.get("PATH", os.defpath), str(root))
        if found is None:
            raise ExecutionError("there is no ssh-keygen on PATH outside of the repository", hint=_HINT)
        return cls(found, environ)

    def sign(self, payload: bytes, key: Path, namespace: str) -> str:
        """Sign ``payload`` and return the armored signature; it asks on the terminal for a PIN and a touch.

        ``key`` is the file of a private key, or of a public one whose other half an agent has. Raises UsageError.
        """
        argv = (self.program, "-q", "-Y", "sign", "-n", namespace, "-f", str(key))
        try:
            # It asks on the terminal; what it says stands on stderr.
            done = subprocess.run(
                argv, input=payload, stdout=subprocess.PIPE, env=self.environ, timeout=_TOUCH_S, check=False
            )
        except subprocess.TimeoutExpired as problem:
            raise UsageError(f"the key can't sign: ssh-keygen waited {_TOUCH_S} seconds", where=str(key)) from problem
        except OSError as problem:
            raise ExecutionError(f"ssh-keygen could not be run: {problem}", hint=_HINT) from problem
        if done.returncode != 0:
            hint = "ssh-add it to a running ssh-agent, plug the hardware key in, or name another key"
            raise UsageError("the key can't sign: ssh-keygen says why above", where=str(key), hint=hint)
        return done.stdout.decode("ascii", "replace")

    def find_signer(
        self, payload: bytes, signature: str, signers: bytes, namespace: str, moment: str | None = None
    ) -> str:
        """Return who signed ``payload``, as ``signers`` (an allowed signers file) calls them.

        ``moment`` (``2026-01-31T12:00:00Z``) is when the key must be valid, by default now. Raises UnknownSignerError
        where no line has the key, and ValueError with the reason why the signature of a known key doesn't count.
        """
        options = () if moment is None else ("-O", f"verify-time={moment.translate(_NO_MARKS)}")
        environ = {"PATH": self.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        with open_memory_files((signers, signature.encode("utf-8", "surrogateescape"))) as opened:
            keys, armor = opened
            files = ("-f", keys.path, "-s", armor.path, *options)
            found = self._run((self.program, "-Y", "find-principals", *files), b"", environ, opened)
            names = found.stdout.decode("utf-8", "replace").splitlines()
            # The names of a line stand in one, with commas.
            name = names[0].split(",")[0].strip() if names else ""
            if found.returncode != 0 or not name:
                raise UnknownSignerError("no allowed signer has this key at this time")
            verify = (self.program, "-Y", "verify", "-n", namespace, "-I", name, *files)
            done = self._run(verify, payload, environ, opened)
        if done.returncode != 0:
            said = _last_line(done.stderr).replace(f"{keys.path}:", "allowed-signers:")
            raise ValueError(f"signed by {name}: {said}")
        return name

    def _run(
        self, argv: Sequence[str], stdin: bytes, environ: Mapping[str, str], files: Sequence[MemoryFile]
    ) -> subprocess.CompletedProcess[bytes]:
        inherited = tuple(file.descriptor for file in files)
        try:
            return subprocess.run(
                argv, input=stdin, capture_output=True, env=environ, timeout=_TIMEOUT_S, check=False, pass_fds=inherited
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise ExecutionError(f"ssh-keygen could not be run: {problem}", hint=_HINT) from problem


class UnknownSignerError(ValueError):
    """No line of the allowed signers has the key."""


def _last_line(stderr: bytes) -> str:
    """Return what ssh-keygen says last that isn't its summary, escaped."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    said = [line for line in lines if line != "Could not verify signature."] or lines
    return escape_invisible(said[-1])[:_LONGEST] if said else "the signature doesn't fit what is signed"
