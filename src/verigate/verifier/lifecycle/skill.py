"""Read the skill that an engine runs, a folder with a SKILL.md; without one it answers the gate's questions.

``assets/runner.json`` in a skill's folder declares what SKILL.md can't: the prompt's template, inputs, parameters,
artifacts, the shape of the answer and the dependencies. ``assets/<engine>_settings.json`` are its defaults for an
engine's configuration.
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
from verigate.user_folders import UserFolders
from verigate.verifier.lifecycle.skill_keys import ArtifactKey, InputKey, ParameterKey, check_schema

SKILL_FILE = "SKILL.md"
RUNNER_FILE = "assets/runner.json"
OWN_TEMPLATE = "{% if parameter.instruction %}{{ parameter.instruction }}\n{% endif %}{{ parameter.prompt }}"
"""The template for the gate's own questions; a skill's template places them itself."""

OWN_PARAMETERS = frozenset({"instruction", "prompt", "task_id", "model"})
"""Parameters that the gate gives to each template."""

_LONGEST_DESCRIPTION = 500
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_ARTIFACT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,199}")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_PATCH = """

## Where artifacts go

Write every file that you make below `{artifacts}`, an absolute path. Relative paths in this skill are meant below that
folder, whatever it says elsewhere.
"""


class Runner(Struct, frozen=True, forbid_unknown_fields=True):
    """A skill's ``assets/runner.json``. An input that is a text is a file, and the text describes it."""

    schema_address: str | None = field(default=None, name="$schema")
    prompt: str = OWN_TEMPLATE
    input: Mapping[str, str | InputKey] = field(default_factory=dict)
    parameter: Mapping[str, ParameterKey] = field(default_factory=dict)
    artifact: Mapping[str, ArtifactKey] = field(default_factory=dict)
    output: Mapping[str, Any] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()


class SkillManifest(Struct, frozen=True):
    """A skill: its declared inputs, parameters and artifacts, and the JSON Schema of its ``output``, {} for any.

    ``dependencies`` are requirements of Python packages (PEP 508). ``folder`` is None for the gate's own questions.
    """

    id: str = "verify"
    folder: str | None = None
    prompt: str = OWN_TEMPLATE
    description: str = ""
    input: Mapping[str, InputKey] = field(default_factory=dict)
    parameter: Mapping[str, ParameterKey] = field(default_factory=dict)
    artifact: Mapping[str, ArtifactKey] = field(default_factory=dict)
    output: Mapping[str, Any] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()

    @property
    def files(self) -> frozenset[str]:
        """The names of the declared input files."""
        return frozenset(name for name, key in self.input.items() if key.type == "file")

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
    runner = Runner()
    if path.is_file():
        try:
            runner = msgspec.json.decode(path.read_bytes(), type=Runner)
        except msgspec.DecodeError as problem:
            raise UsageError(str(problem), where=str(path)) from problem
    _check_runner(runner, str(path))
    inputs = {name: InputKey(description=key) if isinstance(key, str) else key for name, key in runner.input.items()}
    return SkillManifest(
        folder.name,
        str(folder),
        runner.prompt,
        _read_description(folder / SKILL_FILE),
        inputs,
        runner.parameter,
        runner.artifact,
        runner.output,
        runner.dependencies,
    )


def _check_runner(runner: Runner, where: str) -> None:
    """Raise UsageError for a name, a schema or a dependency that can't be used."""
    for what, pattern, names in (
        ("an input file", _ID, runner.input),
        ("a parameter", _WORD, runner.parameter),
        ("an artifact", _ARTIFACT, runner.artifact),
    ):
        bad = next((name for name in names if not pattern.fullmatch(name) or ".." in name.split("/")), None)
        if bad is not None:
            raise UsageError(f"{bad!r} is no name of {what}", where=where, hint="letters, digits, - _ .")
    taken = sorted(OWN_PARAMETERS & runner.parameter.keys())
    if taken:
        raise UsageError(f"the parameter {taken[0]!r} is the gate's own", where=where, hint="choose another name")
    if runner.output:
        check_schema(runner.output, f"{where} /output")
    for part in ("input", "parameter", "artifact"):
        for name, key in getattr(runner, part).items():
            if not isinstance(key, str) and key.schema:
                check_schema(key.schema, f"{where} /{part}/{name}/schema")
    flag = next((item for item in runner.dependencies if not item.strip() or item.strip().startswith("-")), None)
    if flag is not None:
        raise UsageError(f"{flag!r} is no requirement", where=where, hint="as in requests>=2")


def _read_description(path: Path) -> str:
    """Return ``description`` of the front matter of a SKILL.md; "" if it has none that can be read."""
    import yaml

    try:
        head, _, rest = path.read_text("utf-8").partition("---\n")
        found = yaml.safe_load(rest.partition("\n---")[0]) if not head.strip() else None
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ""
    said = found.get("description") if isinstance(found, dict) else None
    return " ".join(said.split())[:_LONGEST_DESCRIPTION] if isinstance(said, str) else ""


def find_own_skills(environ: Mapping[str, str], repository: str | None) -> tuple[Path, ...]:
    """Find the user's skills: the folders with a SKILL.md in ``~/.config/verigate/skills``, by name.

    () if that folder lies in the repository: whoever is judged could have written it.
    """
    place = UserFolders(environ, repository).config("skills")
    if place is None or not Path(place).is_dir():
        return ()
    return tuple(sorted(folder for folder in Path(place).iterdir() if (folder / SKILL_FILE).is_file()))


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
