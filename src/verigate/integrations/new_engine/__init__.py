"""Make the files of a new engine: a working one of each kind, which abstains until its author puts a model in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name
from verigate.integrations.new_adapter import FileTemplate, NewFile

TEMPLATES = Path(__file__).resolve().parent / "templates"
KINDS = ("program", "python", "http")
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LONGEST = 48
_SUFFIX = ".in"


def plan_new_engine(name: str, kind: str) -> tuple[NewFile, ...]:
    """Plan the files of an engine ``name`` of a kind, by path. Raises UsageError for an invalid name or kind."""
    if not NAME.fullmatch(name) or len(name) > _LONGEST:
        hint = "use lower-case letters, digits and dashes, a letter first, at most 48, as in my-model"
        raise UsageError(f"{name!r} is not a valid name for an engine", hint=hint)
    if kind not in KINDS:
        hint = suggest_name(kind, KINDS) or f"choose one of {', '.join(KINDS)}"
        raise UsageError(f"there is no kind {kind!r}", where="--kind", hint=hint)
    word = name.replace("-", "_")
    words = {
        "name": name,
        "type": word,
        "word": word.removesuffix("_cli"),
        "label": name.replace("-", " ").capitalize(),
        "package": f"{word}_engine",
    }
    files = {file.path: file for file in _render(kind, words)}
    if kind != "python":
        files["manifest.json"] = NewFile("manifest.json", _encode(_make_manifest(kind, words)))
    if kind == "http":
        path = f"{words['word']}_enforced.json"
        files[path] = NewFile(path, _encode({"logit_bias": None}))
    return tuple(files[path] for path in sorted(files))


def _encode(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"


def _render(kind: str, words: Mapping[str, str]) -> Iterator[NewFile]:
    for source in sorted((TEMPLATES / kind).rglob(f"*{_SUFFIX}")):
        path = source.relative_to(TEMPLATES / kind).as_posix().removesuffix(_SUFFIX)
        path = path.replace("NAME", words["name"]).replace("PACKAGE", words["package"])
        content = FileTemplate(source.read_text("utf-8")).substitute(words).rstrip("\n") + "\n"
        yield NewFile(path, content, content.startswith("#!"))


def _make_manifest(kind: str, words: Mapping[str, str]) -> dict[str, Any]:
    head = {
        "$schema": "https://verigate.invalid/schemas/engine.v1.json",
        "kind": "engine",
        "name": words["name"],
        "version": "0.1.0",
    }
    document = f"# {words['name']}\n\nUse when: say for what it is good.\nDon't use when: say for what it isn't.\n"
    described = {"kind": kind, "type": words["type"], "label": words["label"], "agentConfigurationDoc": document}
    engine: dict[str, Any]
    if kind == "http":
        engine = {
            **described,
            "base_url": "http://127.0.0.1:8080/v1",
            "key_from": None,
            "models": [],
            "capabilities": {"json_output": True, "response_schema": True},
            "defaults": {},
        }
    else:
        engine = {
            **described,
            "command": [f"bin/{words['name']}"],
            "arguments": [{"words": ["--model", "{model}"], "needs": "model"}],
            "capabilities": {"json_output": True},
            "environment": [],
            "credentials": [],
            "log": [
                {"kind": "message", "when": {"/type": "message"}, "text": ["/text"]},
                {
                    "kind": "usage",
                    "when": {"/type": "end"},
                    "fields": {"input_tokens": ["/input"], "output_tokens": ["/output"]},
                },
                {"kind": "error", "when": {"/type": "error"}, "text": ["/text"], "fields": {"error": ["/text"]}},
            ],
        }
    return {**head, "engine": engine}
