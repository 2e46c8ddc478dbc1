"""Select the packages of a Cargo workspace that are affected: cargo itself says which there are."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterator

from code_adapter.testing.impact.affected import ASKED, AffectedPackages
from code_adapter.testing.impact.change import NothingSelectedError, Selected, WholeSuiteError
from code_adapter.toolchains.cargo import run_cargo
from verigate.sdk import Request

_LIST = ("cargo", "metadata", "--offline", "--no-deps", "--format-version=1")
_ID = "path+file://"
"""How ids start since Cargo 1.77; older ones can't be given to it."""


def select_cargo_packages(
    request: Request, folder: str, affected: AffectedPackages
) -> tuple[Selected, tuple[str, ...]]:
    """Select the affected members of the workspace in ``folder``, and make cargo's arguments for them.

    Raises WholeSuiteError where all are to run, NothingSelectedError where none are, ToolFailed.
    """
    members = dict(_list_members(request, folder))
    chosen = sorted(spec for spec, place in members.items() if affected.affects(place))
    if not chosen:
        raise NothingSelectedError
    if len(chosen) == len(members):
        raise WholeSuiteError("each package of it is affected, or isn't known as one")
    selected = Selected("cargo test", folder, "packages", len(chosen), len(members), by=ASKED)
    return selected, tuple(word for spec in chosen for word in ("--package", spec))


def _list_members(request: Request, folder: str) -> Iterator[tuple[str, str]]:
    """Yield what cargo calls each member, and its folder in the repository."""
    run = run_cargo(request, folder, _LIST)
    try:
        found = json.loads(run.stdout)
        entries = [(entry["id"], entry["name"], entry["manifest_path"]) for entry in found["packages"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        entries = []
    if run.exit_code != 0 or run.truncated or not entries:
        raise WholeSuiteError("cargo didn't list the packages of the workspace")
    for identity, name, manifest in entries:
        place = posixpath.relpath(posixpath.dirname(manifest), os.path.realpath(request.repo_root))
        if place.startswith(".."):
            raise WholeSuiteError(f"{name} is outside of the repository")
        yield (identity if identity.startswith(_ID) else name), "" if place == "." else place
