"""What the project's programs have in their environment other than the adapter: what their developers have.

An adapter's environment is the same on every machine, for its artifacts are. A test suite expects the machine's: PATH,
time zone, locale, terminal. Variables of ours that a developer doesn't have would decide tests: one of XDG's overrules
the HOME that a test sets, NO_COLOR the colours that it asks for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from verigate.processes.tool_path import Search
from verigate.user_folders import DEFAULTS

SETTINGS = (
    *(
        "TZ",
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_MESSAGES",
        "LC_MONETARY",
        "LC_NUMERIC",
        "LC_TIME",
    ),
    *("TERM", "COLORTERM", "NO_COLOR", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "PYTHONHASHSEED"),
)
"""The caller's variables that decide how programs speak and sort; a run's record lists those that are set."""

_FIXED = {"PYTHONHASHSEED": "0"}
"""Where the caller doesn't set it: a random order would be another one in each run."""

_OURS = ("PYTHONDONTWRITEBYTECODE", *DEFAULTS)


def build_project_environment(
    environ: Mapping[str, str], search: Search, path: Sequence[str], *, inside: bool
) -> dict[str, str | None]:
    """Build what differs from the adapter's environment; None for a variable that the project's programs don't have.

    ``path`` are the folders of PATH as these programs see them. ``inside`` means a sandbox with a /tmp of its own.
    """
    found: dict[str, str | None] = {name: environ.get(name, _FIXED.get(name)) for name in SETTINGS}
    found |= dict.fromkeys(_OURS)
    if inside:
        found["TMPDIR"] = None
    shell = environ.get("SHELL", "")
    if shell.startswith("/") and os.path.dirname(shell) in search.outside() and search.is_trusted(shell):
        found["SHELL"] = shell
    return found | {"PATH": ":".join(folder for folder in path if ":" not in folder)}
