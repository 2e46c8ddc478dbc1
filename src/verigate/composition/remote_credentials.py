"""Read the credentials for servers of the Remote Execution API from the environment and the files that it names.

Nothing of them comes from the repository: whoever is judged would choose which server is believed, or read the token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.remote_server import (
    AUTHORITIES_VARIABLE,
    CERTIFICATE_KEY_VARIABLE,
    CERTIFICATE_VARIABLE,
    TOKEN_FILE_VARIABLE,
    TOKEN_VARIABLE,
    RemoteServerAddress,
)
from verigate.errors import UsageError
from verigate.user_folders import is_inside

if TYPE_CHECKING:
    from verigate.remote.credentials import RemoteCredentials

_LARGEST_FILE = 1_048_576
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{1,16384}=*")
"""RFC 6750, 2.1."""
_NAMED = (CERTIFICATE_VARIABLE, CERTIFICATE_KEY_VARIABLE, TOKEN_VARIABLE, TOKEN_FILE_VARIABLE)


def find_credentials(root: Path, environ: Mapping[str, str], address: RemoteServerAddress) -> RemoteCredentials:
    """Return what the environment names for servers. ``root`` is the repository, in which none of it may be.

    Raises UsageError for what can't be used, or would be sent to another machine without TLS.
    """
    from verigate.remote.credentials import ANONYMOUS, RemoteCredentials

    named = [name for name in (AUTHORITIES_VARIABLE, *_NAMED) if environ.get(name)]
    if not named:
        return ANONYMOUS
    if not address.secure and not address.is_loopback:
        message = f"{named[0]} is set, and {address} is another machine without TLS"
        raise UsageError(message, where=named[0], hint="name the server by grpcs://, or unset the variable")
    certificate = _read_pem(root, environ, CERTIFICATE_VARIABLE, b"CERTIFICATE")
    key = _read_pem(root, environ, CERTIFICATE_KEY_VARIABLE, b"PRIVATE KEY")
    if (certificate is None) is not (key is None):
        lacking = CERTIFICATE_VARIABLE if certificate is None else CERTIFICATE_KEY_VARIABLE
        raise UsageError("a client certificate needs its key, and a key its certificate", where=lacking, hint="set it")
    return RemoteCredentials(
        _read_pem(root, environ, AUTHORITIES_VARIABLE, b"CERTIFICATE"), certificate, key, _find_token(root, environ)
    )


def _read_pem(root: Path, environ: Mapping[str, str], variable: str, what: bytes) -> bytes | None:
    named = environ.get(variable, "")
    if not named:
        return None
    content = _read_file(_check_path(root, named, variable), variable)
    if b"-----BEGIN " not in content or what + b"-----" not in content or not content.isascii():
        raise UsageError(f"{named} is not a PEM file with a {what.decode().lower()}", where=variable)
    if b"ENCRYPTED" in content:
        hint = "write the key without a passphrase to a file that only you can read"
        raise UsageError(f"the key {named} has a passphrase", where=variable, hint=hint)
    return content


def _find_token(root: Path, environ: Mapping[str, str]) -> Callable[[], str] | None:
    token, named = environ.get(TOKEN_VARIABLE, ""), environ.get(TOKEN_FILE_VARIABLE, "")
    if token and named:
        message = f"{TOKEN_VARIABLE} and {TOKEN_FILE_VARIABLE} are both set"
        raise UsageError(message, where=TOKEN_FILE_VARIABLE, hint="unset one of them")
    if token:
        try:
            return partial(str, _check_token(token, TOKEN_VARIABLE))
        except ValueError as problem:
            raise UsageError(str(problem), where=TOKEN_VARIABLE) from None
    if not named:
        return None
    path = _check_path(root, named, TOKEN_FILE_VARIABLE)

    def read() -> str:
        try:
            content = _read_file(path, TOKEN_FILE_VARIABLE)
        except UsageError as problem:
            raise ValueError(problem.message) from problem
        return _check_token(content.decode("ascii", "replace").strip(), named)

    try:
        read()
    except ValueError as problem:
        raise UsageError(str(problem), where=TOKEN_FILE_VARIABLE) from None
    return read


def _check_token(token: str, where: str) -> str:
    """Return the token. Raises ValueError, which doesn't quote it."""
    if not _TOKEN.fullmatch(token):
        raise ValueError(f"{where} has no token that a request can carry: letters, digits and -._~+/ on one line")
    return token


def _check_path(root: Path, named: str, variable: str) -> Path:
    path = Path(named)
    if not path.is_absolute() or not path.is_file():
        raise UsageError(f"{named!r} is not the absolute path of a file", where=variable)
    if is_inside(named, str(root)):
        message = f"{named} lies in the repository: whoever is judged could read or replace it"
        raise UsageError(message, where=variable, hint="move it out of the repository")
    return path


def _read_file(path: Path, variable: str) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as problem:
        raise UsageError(f"{path} can't be read: {problem.strerror}", where=variable) from problem
    if len(content) > _LARGEST_FILE:
        raise UsageError(f"{path} is larger than {_LARGEST_FILE >> 20} MiB", where=variable)
    return content
