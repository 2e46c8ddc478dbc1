"""The few settings of the user's git that tests need: whoever commits in a temporary repository has a name there.

Their HOME is a private one, so nothing else of the user's configuration applies: aliases, helpers, signing.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache

_KEYS = r"^(user\.(name|email)|init\.defaultbranch)$"
_TIMEOUT_S = 5.0


def render_git_settings(git: str | None, environ: Mapping[str, str]) -> bytes:
    """Render the text of a ``.gitconfig`` with the caller's name, address and first branch, as far as they are set.

    ``git`` is a trusted program's absolute path; without one the text is empty. One process of 3 ms.
    """
    if git is None:
        return b""
    names = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")
    found = _read(git, tuple((name, environ[name]) for name in names if name in environ))
    for key, variable in (("user.name", "GIT_AUTHOR_NAME"), ("user.email", "GIT_AUTHOR_EMAIL")):
        if environ.get(variable):
            found = {**found, key: environ[variable]}
    return b"".join(_render(key, value) for key, value in sorted(found.items()))


@cache
def _read(git: str, environ: tuple[tuple[str, str], ...]) -> dict[str, str]:
    argv = (git, "config", "--global", "--includes", "--null", "--get-regexp", _KEYS)
    try:
        done = subprocess.run(
            argv,
            cwd="/",
            env={**dict(environ), "GIT_CONFIG_NOSYSTEM": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    pairs = (entry.partition("\n") for entry in done.stdout.decode("utf-8", "surrogateescape").split("\0"))
    return {key: value for key, separator, value in pairs if separator}


def _render(key: str, value: str) -> bytes:
    section, _, name = key.partition(".")
    quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'[{section}]\n\t{name} = "{quoted}"\n'.encode("utf-8", "surrogateescape")
