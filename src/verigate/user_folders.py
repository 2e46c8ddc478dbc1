"""Resolve the user's folders for cache, state and configuration (XDG base directory specification).

https://specifications.freedesktop.org/basedir-spec/latest/: a variable that is unset, empty or relative is ignored, and
the default below ``HOME`` applies. platformdirs has the same defaults, but reads only ``os.environ``: the environment
is an argument here, and a missing HOME isn't looked up in the user database.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CACHE = "XDG_CACHE_HOME"
CONFIG = "XDG_CONFIG_HOME"
DATA = "XDG_DATA_HOME"
STATE = "XDG_STATE_HOME"

DEFAULTS: Mapping[str, str] = {
    CACHE: ".cache",
    CONFIG: ".config",
    DATA: ".local/share",
    STATE: ".local/state",
}
"""Variable -> its default folder below ``HOME``."""

_OURS = "verigate"


def resolve_base_folder(environ: Mapping[str, str], variable: str) -> str | None:
    """Return the absolute path for ``variable``, a key of DEFAULTS; None if that needs HOME and HOME isn't absolute."""
    given = environ.get(variable, "")
    if given.startswith("/"):
        return given
    home = environ.get("HOME", "")
    return f"{home}/{DEFAULTS[variable]}" if home.startswith("/") else None


class UserFolders:
    """The folders of Verigate for data of the user, not of a repository. Creates nothing.

    A folder inside ``repository``, directly or through a link, is rejected: a change could provide its content.
    """

    def __init__(self, environ: Mapping[str, str], repository: str | None = None) -> None:
        self.environ = environ
        self.repository = repository

    def cache(self, *parts: str) -> str | None:
        """Return the absolute path of a cache, which may be removed at any time; None if unknown or rejected."""
        return self._folder(CACHE, parts)

    def state(self, *parts: str) -> str | None:
        """Return the absolute path of state that must be kept; None if unknown or rejected."""
        return self._folder(STATE, parts)

    def config(self, *parts: str) -> str | None:
        """Return the absolute path of the user's configuration; None if unknown or rejected."""
        return self._folder(CONFIG, parts)

    def _folder(self, variable: str, parts: tuple[str, ...]) -> str | None:
        base = resolve_base_folder(self.environ, variable)
        if base is None:
            return None
        path = "/".join((base, _OURS, *parts))
        return None if self.repository is not None and is_inside(path, self.repository) else path


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is ``folder`` or below it, after links are resolved."""
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real == top or real.startswith(top.rstrip("/") + "/")
