"""The user's own folders for cache, state and configuration, by the XDG base directory specification.

https://specifications.freedesktop.org/basedir-spec/latest/: a variable that is unset, empty or relative counts for
nothing, and the default below ``HOME`` holds. platformdirs has the same defaults, but reads only ``os.environ``: the
environment is an argument here, and a folder that it doesn't name is unknown, not looked up in the user database.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

CACHE = "XDG_CACHE_HOME"
CONFIG = "XDG_CONFIG_HOME"
STATE = "XDG_STATE_HOME"

DEFAULTS: Mapping[str, str] = {
    CACHE: ".cache",
    CONFIG: ".config",
    "XDG_DATA_HOME": ".local/share",
    STATE: ".local/state",
}
"""Variable -> its folder below ``HOME`` where the variable isn't set."""

_OURS = "verigate"


def base_folder(environ: Mapping[str, str], variable: str) -> str | None:
    """The absolute path that ``variable``, a key of DEFAULTS, stands for; None without an absolute HOME."""
    given = environ.get(variable, "")
    if given.startswith("/"):
        return given
    home = environ.get("HOME", "")
    return f"{home}/{DEFAULTS[variable]}" if home.startswith("/") else None


class UserFolders(NamedTuple):
    """Where Verigate keeps what is the user's and not a repository's. Nothing is created.

    A folder that lies in ``repository``, itself or through a link, is refused: a change could bring content of its own.
    """

    environ: Mapping[str, str]
    repository: str | None = None

    def cache(self, *parts: str) -> str | None:
        """Absolute path of what may be removed at any time; None where the folder is unknown or refused."""
        return self._folder(CACHE, parts)

    def state(self, *parts: str) -> str | None:
        """Absolute path of what must be remembered; None where the folder is unknown or refused."""
        return self._folder(STATE, parts)

    def config(self, *parts: str) -> str | None:
        """Absolute path of what the user configures; None where the folder is unknown or refused."""
        return self._folder(CONFIG, parts)

    def _folder(self, variable: str, parts: tuple[str, ...]) -> str | None:
        base = base_folder(self.environ, variable)
        if base is None:
            return None
        path = "/".join((base, _OURS, *parts))
        return None if self.repository is not None and is_inside(path, self.repository) else path


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is ``folder`` or lies below it, once links are followed."""
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real == top or real.startswith(top.rstrip("/") + "/")
