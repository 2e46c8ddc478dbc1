"""Choose the environment of a program that an engine starts, and find the program."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

COMMON = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_*", "TZ", "TMPDIR", "TERM", "SHELL", "XDG_*"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"),
)
"""Names of variables, or prefixes with ``*``, that every program gets."""


def build_engine_environment(environ: Mapping[str, str], names: Iterable[str] = ()) -> dict[str, str]:
    """Select the common variables of ``environ`` and those in ``names``, and no others: none of the gate's own.

    ``names`` may end with ``*``. Other secrets of the caller's stay where they are.
    """
    wanted = (*COMMON, *names)
    passed = {name: value for name, value in environ.items() if any(fnmatchcase(name, want) for want in wanted)}
    return {name: value for name, value in passed.items() if not name.startswith(("GATE_", "LD_"))}


def find_command(command: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Find the program that a command starts, by the PATH of ``environ``; None if there is none."""
    return shutil.which(command[0], path=environ.get("PATH")) if command else None
