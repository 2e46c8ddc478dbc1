"""Parse an adapter's command line and environment into one frozen value.

Source: contracts, "The command line of an adapter"
(``<entry> <capability> --task-dir DIR --commitment FILE --claim FILE --profile FILE``).
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct, field

from verigate.sdk.errors import AdapterUsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Size limit of an input document (commitment, claim, profile)."""


class Request(Struct, frozen=True):
    """One call of an adapter.

    ``profile`` is the whole ``--profile`` document (profile name -> rules, plus ``active``), ``rules`` the active
    profile's rules, ``config`` the resolved configuration of this adapter, ``base`` a commit or None.
    ``gated`` is True if the gate made the call (GATE_REPO_ROOT is set), False for a call by hand.
    """

    capability: str
    task_dir: Path
    commitment: Mapping[str, Any] = field(default_factory=dict)
    claim: Mapping[str, Any] = field(default_factory=dict)
    profile: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    repo_root: Path = field(default_factory=Path.cwd)
    base: str | None = None
    gated: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def project_path(self) -> str:
        """The PATH for programs of the project: what a developer has, not the adapter's own strict one.

        Both are the same for a capability that doesn't declare ``runs_project``, and in a call by hand.
        """
        return self.environ.get("GATE_PROJECT_PATH") or self.environ.get("PATH", os.defpath)

    def make_project_environ(self) -> dict[str, str]:
        """Make the environment for programs of the project: a developer's, without the gate's variables.

        For a capability that doesn't declare ``runs_project``, and in a call by hand, it is the adapter's own. Raises
        AdapterUsageError.
        """
        env = {name: value for name, value in self.environ.items() if not name.startswith("GATE_")}
        changes = _object(self.environ.get("GATE_PROJECT_ENV") or "{}", "GATE_PROJECT_ENV")
        for name, value in changes.items():
            if value is None:
                env.pop(name, None)
            else:
                env[name] = str(value)
        return env | {"PATH": self.project_path}

    def __repr__(self) -> str:
        """Without the environment, which may hold secrets."""
        return f"Request({self.capability!r}, task_dir={self.task_dir!r}, base={self.base!r}, gated={self.gated!r})"


def parse_arguments(argv: Sequence[str], environ: Mapping[str, str]) -> Request:
    """Read ``argv`` (without the program's name) and ``environ``.

    Commitment and claim default to those of the task folder. A missing claim is ``{}``, and so is a defaulted
    commitment or profile. Raises AdapterUsageError.
    """
    parser = _Parser(prog="adapter", add_help=False, allow_abbrev=False)
    parser.add_argument("capability")
    parser.add_argument("--task-dir", required=True, type=Path)
    for name in ("commitment", "claim", "profile"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args(list(argv))
    from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE  # importing the sdk loads nothing else

    task_dir: Path = options.task_dir.absolute()
    if not task_dir.is_dir():
        raise AdapterUsageError(f"there is no folder {str(task_dir)!r}", hint="pass an existing folder as --task-dir")
    commitment = _read_object(options.commitment or task_dir / COMMITMENT_FILE, optional=options.commitment is None)
    claim = _read_object(options.claim or task_dir / CLAIM_FILE, optional=True)
    profile = _read_object(options.profile, optional=False) if options.profile else {}
    base = environ.get("GATE_BASE") or commitment.get("base")
    return Request(
        capability=options.capability,
        task_dir=task_dir,
        commitment=commitment,
        claim=claim,
        profile=profile,
        rules=_active_rules(profile),
        config=_config(environ.get("GATE_CONFIG", "")),
        repo_root=_repo_root(environ),
        base=base if isinstance(base, str) and base else None,
        gated=bool(environ.get("GATE_REPO_ROOT")),
        environ=dict(environ),
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise AdapterUsageError(
            message, hint="usage: <capability> --task-dir DIR [--commitment FILE] [--claim FILE] [--profile FILE]"
        )


def _read_object(path: Path, *, optional: bool) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_DOCUMENT_BYTES + 1)
    except FileNotFoundError:
        if optional:
            return {}
        raise AdapterUsageError("no such file", where=str(path)) from None
    except OSError as error:
        raise AdapterUsageError(f"can't be read: {error.strerror}", where=str(path)) from error
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise AdapterUsageError(f"is larger than {MAX_DOCUMENT_BYTES} bytes", where=str(path))
    return _object(raw, str(path))


def _object(raw: bytes | str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise AdapterUsageError(f"is not JSON: {error}", where=where) from error
    if not isinstance(value, dict):
        raise AdapterUsageError("is not a JSON object", where=where)
    return value


def _config(text: str) -> dict[str, Any]:
    return _object(text, "GATE_CONFIG") if text else {}


def _active_rules(profile: Mapping[str, Any]) -> Mapping[str, Any]:
    active = profile.get("active")
    if active is None:
        return {}
    profiles = profile.get("profiles", profile)
    rules = profiles.get(active) if isinstance(active, str) and isinstance(profiles, dict) else None
    if not isinstance(rules, dict):
        raise AdapterUsageError(f"the profile document has no profile named {active!r}", where="--profile")
    return rules


def _repo_root(environ: Mapping[str, str]) -> Path:
    if given := environ.get("GATE_REPO_ROOT"):
        root = Path(given)
        if not root.is_dir():
            raise AdapterUsageError(f"there is no folder {given!r}", where="GATE_REPO_ROOT")
        return root.absolute()
    here = Path.cwd()
    for folder in (here, *here.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return here
