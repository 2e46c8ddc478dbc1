"""BuildGrids that ask for TLS and a token, by their own configuration, at several addresses with other certificates."""

from __future__ import annotations

import datetime as dt
import secrets
from pathlib import Path

import build_grid
import jwt
import worker_grid
from tls_files import Authority

_AUTHORIZATION = """\
authorization:
  method: jwt
  secret: {secret}
  algorithm: hs256
"""
_CHANNEL = """\
  - !channel
    address: 127.0.0.1:{port}
    insecure-mode: {insecure}
"""
_PLAIN = "    insecure-mode: true\n"


class GridSecrets:
    """Certificates, ports and the secret of tokens. ``ports`` are by the certificate that the server shows there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.authority = Authority(folder)
        self.stranger = Authority(folder, "stranger")
        self.client = self.authority.issue("client", ("client.example.org",))
        self.strange_client = self.stranger.issue("strange-client", ("client.example.org",))
        self._certificates = {
            "good": self.authority.issue("good"),
            "mutual": self.authority.issue("mutual"),
            "expired": self.authority.issue("expired", expired=True),
            "elsewhere": self.authority.issue("elsewhere", ("grid.example.org",)),
        }
        self.ports = {name: build_grid.find_free_port() for name in self._certificates}
        self._secret = secrets.token_urlsafe(48)
        (folder / "jwt").write_text(self._secret)

    def make_token(self, *, seconds: int = 3600, secret: str = "") -> str:
        """A token for so many seconds; with another ``secret`` one that the server doesn't accept."""
        expires = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)
        return jwt.encode({"sub": "a test", "exp": expires}, secret or self._secret, algorithm="HS256")

    def write_token(self, token: str) -> Path:
        path = self.folder / "token"
        path.write_text(f"{token}\n")
        return path

    def secure(self, configuration: str) -> str:
        """The configuration of a BuildGrid with the ports, and the plain one, each with tokens."""
        channels = _PLAIN
        for name, (certificate, key) in self._certificates.items():
            channels += _CHANNEL.format(port=self.ports[name], insecure="false")
            channels += f"    credentials:\n      tls-server-key: {key}\n      tls-server-cert: {certificate}\n"
            if name == "mutual":
                channels += f"      tls-client-certs: {self.authority.path}\n"
        found = configuration.replace(_PLAIN, channels)
        return found.replace(
            "authorization:\n  method: none\n", _AUTHORIZATION.format(secret=self.folder / "jwt").replace("{", "{{")
        )

    def address(self, name: str, host: str = "127.0.0.1") -> str:
        return f"grpcs://{host}:{self.ports[name]}/team"

    def environ(self, **more: str) -> dict[str, str]:
        """What a caller with everything has; ``more`` comes first, and empty values are unset."""
        certificate, key = self.client
        return {
            "GATE_REMOTE_CA": str(self.authority.path),
            "GATE_REMOTE_CERTIFICATE": str(certificate),
            "GATE_REMOTE_CERTIFICATE_KEY": str(key),
            "GATE_REMOTE_TOKEN_FILE": str(self.write_token(self.make_token())),
            **more,
        }


class SecureGrid(build_grid.BuildGrid):
    """A cache; ``address`` is the one without TLS."""

    def __init__(self, folder: Path) -> None:
        self.secrets = GridSecrets(folder / "secrets")
        super().__init__(folder, "team", configuration=self.secrets.secure(build_grid.CONFIGURATION))


class SecureWorkerGrid(worker_grid.WorkerGrid):
    """A server with a scheduler."""

    def __init__(self, folder: Path) -> None:
        self.secrets = GridSecrets(folder / "secrets")
        super().__init__(folder, "team", configuration=self.secrets.secure(worker_grid.CONFIGURATION))
