"""Read the skill that an engine runs, a folder with a SKILL.md; without one it answers the gate's questions.

``assets/runner.json`` in a skill's folder declares what SKILL.md can't: the prompt's template, the input files, the
dependencies. ``assets/<engine>_settings.json`` are its defaults for an engine's configuration.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from verigate.errors import UsageError

SKILL_FILE = "SKILL.md"
RUNNER_FILE = "assets/runner.json"
OWN_TEMPLATE = "{% if parameter.instruction %}{{ parameter.instruction }}\n{% endif %}{{ parameter.prompt }}"
"""The template for the gate's own questions; a skill's template places them itself."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_PATCH = """

## Where artifacts go

Write every file that you make below `{artifacts}`, an absolute path. Relative paths in this skill are meant below that
folder, whatever it says elsewhere.
"""


class _Runner(Struct, frozen=True, forbid_unknown_fields=True):
    prompt: str = OWN_TEMPLATE
    input: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()


class SkillManifest(Struct, frozen=True):
    """A skill. ``input`` maps the names of the declared input files to descriptions for people.

    ``dependencies`` are requirements of Python packages (PEP 508). ``folder`` is None for the gate's own questions.
    """

    id: str = "verify"
    folder: str | None = None
    prompt: str = OWN_TEMPLATE
    input: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()

    def read_settings(self, engine: str) -> tuple[str, Mapping[str, Any]]:
        """Read the skill's defaults for an engine's configuration; return their file and values. Raises UsageError."""
        if self.folder is None:
            return "", {}
        for name, read in ((f"{engine}_settings.json", _read_json), ("config.toml", _read_toml)):
            path = Path(self.folder) / "assets" / name
            if path.is_file():
                return str(path), read(path)
        return "", {}


def read_skill(folder: Path) -> SkillManifest:
    """Read the skill in ``folder``. Raises UsageError for an unusable one."""
    if not (folder / SKILL_FILE).is_file():
        raise UsageError(f"there is no {SKILL_FILE}", where=str(folder), hint="name the folder of a skill")
    if not _ID.fullmatch(folder.name):
        raise UsageError("this is no name for a skill", where=str(folder), hint="letters, digits, - _ .")
    path = folder / RUNNER_FILE
    runner = _Runner()
    if path.is_file():
        try:
            runner = msgspec.json.decode(path.read_bytes(), type=_Runner)
        except msgspec.DecodeError as problem:
            raise UsageError(str(problem), where=str(path)) from problem
    bad = next((name for name in runner.input if not _ID.fullmatch(name)), None)
    if bad is not None:
        raise UsageError(f"{bad!r} is no name of an input file", where=str(path), hint="letters, digits, - _ .")
    flag = next((item for item in runner.dependencies if not item.strip() or item.strip().startswith("-")), None)
    if flag is not None:
        raise UsageError(f"{flag!r} is no requirement", where=str(path), hint="as in requests>=2")
    return SkillManifest(folder.name, str(folder), runner.prompt, runner.input, runner.dependencies)


def digest_folder(folder: Path) -> str:
    """Compute a digest of a skill's folder: over the path and the content of each of its files, in order."""
    digest = hashlib.sha256()
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        name = os.fsencode(path.relative_to(folder))
        digest.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def redirect_artifacts(text: str, artifacts: str) -> str:
    """Tell the skill in its SKILL.md to write to the run's folder for artifacts; idempotent."""
    added = _PATCH.format(artifacts=artifacts)
    return text if added in text else text.rstrip("\n") + added


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except ValueError as problem:
        raise UsageError(f"it is not JSON: {problem}", where=str(path)) from problem
    if not isinstance(found, dict):
        raise UsageError("it is no JSON object", where=str(path))
    return found


def _read_toml(path: Path) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except ValueError as problem:
        raise UsageError(f"it is not TOML: {problem}", where=str(path)) from problem
