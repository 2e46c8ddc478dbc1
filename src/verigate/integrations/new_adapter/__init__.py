"""Make the files of a new adapter: a working one, with its manifest, a schema, a fixture and a test."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.domain.manifest import CAPABILITY_NAME
from verigate.domain.standard_artifacts import STANDARD
from verigate.errors import ExecutionError, UsageError
from verigate.formats.near_names import suggest_name
from verigate.integrations.new_adapter.languages import LANGUAGES, Language
from verigate.integrations.new_adapter.toml_tool import LANGUAGE, plan_toml_tool

TEMPLATES = Path(__file__).resolve().parent / "templates"
NAME = re.compile(r"[a-z][a-z0-9-]{0,47}")
_SUFFIX = ".in"
_STANDARD = frozenset(item.capability for item in STANDARD)


class NewFile(Struct, frozen=True):
    """A file to write: ``path`` relative to the adapter's folder."""

    path: str
    content: str
    executable: bool = False


class FileTemplate(string.Template):
    """A template with ``@@{word}``: shells, make, Perl and JavaScript use a dollar themselves."""

    delimiter = "@@"
    idpattern = "[a-z_]+"


def plan_new_files(name: str, language: str, capability: str | None = None) -> tuple[NewFile, ...]:
    """Plan the files of an adapter ``name`` that provides ``capability`` (default ``<name>:check``), by path.

    Raises UsageError for an invalid name, an unknown language or an invalid capability.
    """
    if not NAME.fullmatch(name):
        hint = "use lower-case letters, digits and dashes, a letter first, at most 48"
        raise UsageError(f"{name!r} is not a valid name for an adapter", hint=hint)
    kind = LANGUAGES.get(language)
    if language == LANGUAGE:
        if capability is not None and not CAPABILITY_NAME.fullmatch(capability):
            raise UsageError(f"{capability!r} is not of the form domain:action", where="--capability")
        return (NewFile(f"{name}.toml", plan_toml_tool(name, capability)),)
    if kind is None:
        known = (*LANGUAGES, LANGUAGE)
        hint = (
            suggest_name(language, known) or f"choose one of {', '.join(known)}; the contract is the same for any other"
        )
        raise UsageError(f"there is no template for {language!r}", where="--language", hint=hint)
    capability = capability or f"{name}:check"
    if not CAPABILITY_NAME.fullmatch(capability):
        raise UsageError(f"{capability!r} is not of the form domain:action", where="--capability")
    if capability in _STANDARD:
        raise UsageError(
            f"{capability} has a standard artifact, whose shape is fixed",
            where="--capability",
            hint="choose another name, or see docs/adapters.md for the artifact that it must write",
        )
    words = _collect_values(name, kind, capability)
    files = {file.path: file for file in _render(("common", *kind.folders), words)}
    manifest = json.dumps(_make_manifest(name, kind, capability, words), indent=2) + "\n"
    files["manifest.json"] = NewFile("manifest.json", manifest)
    for case, fixture in _make_fixtures(words).items():
        path = f"fixtures/{case}/fixture.json"
        files[path] = NewFile(path, json.dumps(fixture, indent=2) + "\n")
    return tuple(files[path] for path in sorted(files))


def write_new(target: Path, files: tuple[NewFile, ...]) -> None:
    """Write the files into the folder ``target``, which must not exist. Raises UsageError."""
    try:
        target.mkdir(parents=True)
    except FileExistsError:
        hint = "choose another name, or another folder with --into; nothing is overwritten"
        raise UsageError("the target already exists", where=str(target), hint=hint) from None
    except OSError as problem:
        raise ExecutionError(f"can't create the folder: {problem.strerror}", where=str(target)) from problem
    for file in files:
        path = target / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(file.content)
        if file.executable:
            path.chmod(0o755)


def _collect_values(name: str, kind: Language, capability: str) -> dict[str, str]:
    checks = "the adapter's own tests and then `gate adapter check`" if kind.test else "`gate adapter check`"
    building = (
        f"\n`bin/adapter-{name}` compiles the sources for each call, unless `make` has built them before. A run has the"
        "\nfiles that are tracked and no others: commit `build/` if compiling takes too long.\n"
    )
    return {
        "name": name,
        "capability": capability,
        "domain": capability.partition(":")[0],
        "artifact": f"{capability.replace(':', '-')}.json",
        "source": kind.source.replace("NAME", name),
        "needs": ", ".join(f"`{tool}`" for tool in kind.tools),
        "checks": checks,
        "building": building if kind.compile else "",
        "test": kind.test or "# It has no tests of its own yet.",
        "compiler": kind.compiler,
        "compile": kind.compile_here + kind.compile,
        "make_compile": kind.compile.replace("$", "$$"),
        "make_test": kind.make_test,
    }


def _render(folders: tuple[str, ...], words: Mapping[str, str]) -> Iterator[NewFile]:
    for folder in folders:
        for source in sorted((TEMPLATES / folder).rglob(f"*{_SUFFIX}")):
            path = source.relative_to(TEMPLATES / folder).as_posix().removesuffix(_SUFFIX)
            path = path.replace("NAME", words["name"])
            content = FileTemplate(source.read_text("utf-8")).substitute(words).rstrip("\n") + "\n"
            # The name has no dot in the package, where it would hide the templates next to it from packagers.
            yield NewFile(".gitignore" if path == "gitignore" else path, content, content.startswith("#!"))


def _make_manifest(name: str, kind: Language, capability: str, words: Mapping[str, str]) -> dict[str, Any]:
    spec_id = f"{capability}.v1"
    return {
        "$schema": "https://verigate.invalid/schemas/manifest.v1.json",
        "name": name,
        "version": "0.1.0",
        "description": "Conflict markers that a merge left behind",
        "entry": f"bin/adapter-{name}",
        "capabilities": [
            {
                "name": capability,
                "description": "The lines that begin with a conflict marker, and the number of files read",
                "needs": [],
                "outputs": [{"path": words["artifact"], "media_spec": spec_id}],
            }
        ],
        "media_specs": {spec_id: {"media_type": "application/json", "schema": _SCHEMA}},
        "sandbox": {"tools": list(kind.tools), "timeout": kind.timeout, "network": False, "filesystem": "readonly"},
    }


def _make_fixtures(words: Mapping[str, str]) -> dict[str, Any]:
    """Make subjects and their expected results. A document holds their files, where the adapter doesn't find them."""
    findings = [{"file": "notes.txt", "line": 2}, {"file": "src/app.txt", "line": 1}]
    left = {"notes.txt": "one\n<<<<<<< ours\ntwo\n", "plain.txt": "three\n", "src/app.txt": "<<<<<<< ours\n"}
    counted = {"/files_checked": 3, "/files_skipped": 0, "/findings": findings}
    return {
        "left-behind": {"issues": True, "files": left, "expect": {words["artifact"]: counted}},
        "nothing": {
            "files": {"notes.txt": "a <<<<<<< in a line\n"},
            "expect": {words["artifact"]: {"/files_checked": 1, "/findings": []}},
        },
    }


_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["files_checked", "files_skipped", "findings"],
    "properties": {
        "files_checked": {"type": "integer", "minimum": 0},
        "files_skipped": {"description": "Links and everything that is not a file", "type": "integer", "minimum": 0},
        "findings": {
            "type": "array",
            "x-sorted": ["file", "line"],
            "items": {
                "type": "object",
                "required": ["file", "line"],
                "properties": {"file": {"type": "string"}, "line": {"type": "integer", "minimum": 1}},
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""Of the artifact that every template writes."""
