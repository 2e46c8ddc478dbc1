"""Read what settings and directives silence in linters of scripts and texts, those defined in adapters/tools.

Each settings file is reduced to what it silences: rules, paths, and options that make a linter check less.

Sources: the configuration references of ShellCheck, yamllint, Hadolint, codespell, markdownlint, Bandit and
detect-secrets.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from code_adapter.integrity.tools.documents import load_ini, load_json, load_toml, load_yaml

Silenced = tuple[str, str]
"""("rule" | "path" | "option" | "word", what)."""

Reader = Callable[[str], Iterator[Silenced]]
"""What a settings file silences, from its text."""


def _shellcheck(source: str) -> Iterator[Silenced]:
    for line in source.splitlines():
        key, equals, value = line.partition("#")[0].partition("=")
        if equals and key.strip() == "disable":
            yield from (("rule", code) for code in re.split(r"[,\s\"']+", value) if code)
        elif equals and key.strip() == "extended-analysis" and value.strip() == "false":
            yield "option", "extended-analysis=false"


def _yamllint(source: str) -> Iterator[Silenced]:
    document = load_yaml(source)
    stated = document if isinstance(document, dict) else {}
    if stated.get("extends") != "default":
        # Without a file yamllint asks what its "default" does.
        yield "option", f"extends: {stated.get('extends')}"
    yield from _patterns(stated.get("ignore"), r"\n+")
    yield from (("option", f"{key}: {stated[key]}") for key in ("ignore-from-file", "yaml-files") if key in stated)
    rules = stated.get("rules")
    for name, value in rules.items() if isinstance(rules, dict) else ():
        if value is False or value == "disable":
            yield "rule", str(name)
        elif isinstance(value, dict):
            if value.get("level", "error") != "error":
                yield "rule", f"{name} ({value['level']})"
            yield from _patterns(value.get("ignore"), r"\n+")


def _hadolint(source: str) -> Iterator[Silenced]:
    document = load_yaml(source)
    stated = document if isinstance(document, dict) else {}
    override: dict[str, Any] = stated.get("override") or {}
    yield from (("rule", str(code)) for code in stated.get("ignored") or ())
    for level in ("warning", "info", "style"):
        yield from (("rule", f"{code} ({level})") for code in override.get(level) or ())
    yield from (("option", f"{key}: {stated[key]}") for key in ("failure-threshold", "no-fail") if stated.get(key))


def _codespell(options: Any) -> Iterator[Silenced]:
    for name, value in options.items() if isinstance(options, dict) else ():
        key = str(name).replace("_", "-")
        if key == "skip":
            yield from _patterns(value, r"[,\n]+")
        elif key in {"ignore-words-list", "L", "ignore-words", "I", "uri-ignore-words-list"}:
            yield from (("word", word) for word in re.split(r"[,\s]+", str(value)) if word)
        elif key not in {"count", "check-hidden", "check-filenames", "quiet-level", "interactive", "context"}:
            yield "option", f"{key}: {value}"


def _codespell_ini(source: str) -> Iterator[Silenced]:
    yield from _codespell(load_ini(source).get("codespell"))


def _codespell_toml(source: str) -> Iterator[Silenced]:
    tool = load_toml(source).get("tool")
    yield from _codespell(tool.get("codespell") if isinstance(tool, dict) else None)


def _markdownlint(source: str) -> Iterator[Silenced]:
    plain = source.lstrip()
    document = load_json(source) if plain[:1] in {"{", "/"} else load_yaml(source)
    for name, value in document.items() if isinstance(document, dict) else ():
        if value is False:
            yield ("option" if name == "default" else "rule"), str(name)
        elif value == "warning" or (isinstance(value, dict) and value.get("severity") == "warning"):
            yield "rule", f"{name} (warning)"
        elif name == "extends":
            yield "option", f"extends: {value}"


def _bandit(source: str) -> Iterator[Silenced]:
    options = load_ini(source).get("bandit", {})
    yield from (("rule", code) for code in re.split(r"[,\s]+", options.get("skips", "")) if code)
    yield from _patterns(options.get("exclude"), r"[,\n]+")
    yield from (("option", f"{key}: {options[key]}") for key in ("tests", "targets") if options.get(key))


def _ignored(source: str) -> Iterator[Silenced]:
    yield from _patterns([line for line in source.splitlines() if not line.startswith("#")], "")


def _patterns(value: Any, separator: str) -> Iterator[Silenced]:
    items = value if isinstance(value, list) else re.split(separator, str(value or ""))
    yield from (("path", str(item).strip()) for item in items if str(item).strip())


_READERS: tuple[tuple[str, str, Reader], ...] = (
    ("shellcheck", ".shellcheckrc", _shellcheck),
    ("shellcheck", "shellcheckrc", _shellcheck),
    ("yamllint", ".yamllint", _yamllint),
    ("yamllint", ".yamllint.y*ml", _yamllint),
    ("hadolint", ".hadolint.y*ml", _hadolint),
    ("codespell", ".codespellrc", _codespell_ini),
    ("codespell", "setup.cfg", _codespell_ini),
    ("codespell", "pyproject.toml", _codespell_toml),
    ("markdownlint", ".markdownlint.*", _markdownlint),
    ("markdownlint", ".markdownlintrc", _markdownlint),
    ("markdownlint", ".markdownlintignore", _ignored),
    ("bandit", ".bandit", _bandit),
)

_SHELL = frozenset({".sh", ".bash", ".dash", ".ksh", ".bats"})
_DIRECTIVES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("shellcheck", re.compile(r"#\s*shellcheck\s+(?:[\w-]+=\S+\s+)*disable=(?P<codes>\S+)(?P<reason>.*)")),
    ("yamllint", re.compile(r"#\s*yamllint\s+disable(?:-line|-file)?(?P<codes>(?:\s+rule:[\w-]+)*)(?P<reason>.*)")),
    ("hadolint", re.compile(r"#\s*hadolint\s+(?:global\s+)?ignore\s*=\s*(?P<codes>[\w,]*)(?P<reason>.*)")),
    (
        "markdownlint",
        re.compile(
            r"<!--\s*markdownlint-(?:disable(?:-file|-line|-next-line)?|configure-file)\b"
            r"(?P<codes>(?:\s+[\w-]*[a-zA-Z][\w-]*)*)(?P<reason>.*)"
        ),
    ),
    ("codespell", re.compile(r"[^\w\s]\s?codespell:ignore\b(?P<codes>(?:\s+\w[\w,]*)?)(?P<reason>.*)")),
    (
        "detect-secrets",
        re.compile(r"pragma:?\s*(?:allow|white)list[ -](?:nextline[ -])?secret(?P<codes>)(?P<reason>.*)"),
    ),
)


@dataclass(frozen=True, slots=True)
class Directive:
    """A comment that silences a linter: its rules, empty for all, and the reason next to it."""

    tool: str
    codes: tuple[str, ...]
    reason: str
    path: str
    line: int
    shown: str


def is_text_linter_file(path: str) -> bool:
    """Whether the file may configure a linter of scripts or texts."""
    return any(True for _ in list_readers(path))


def list_readers(path: str) -> Iterator[tuple[str, Reader]]:
    """List the linters that a file may configure, each with what reads it. Readers raise Unreadable."""
    name = PurePosixPath(path).name
    return ((tool, reader) for tool, pattern, reader in _READERS if fnmatch.fnmatchcase(name, pattern))


def find_directives(path: str, source: str) -> Iterator[Directive]:
    """Find the comments of a file that silence a linter of its kind."""
    wanted = [(tool, pattern) for tool, pattern in _DIRECTIVES if _MARKS[tool] in source and _reads(tool, path, source)]
    for number, line in enumerate(source.splitlines() if wanted else (), start=1):
        for tool, pattern in wanted:
            match = pattern.search(line[:_MAX_LINE])
            if match is None:
                continue
            named = match["codes"].replace("rule:", " ")
            codes = tuple(sorted(code for code in re.split(r"[,\s\"']+", named) if code))
            reason = match["reason"].strip("*/#-:—– \t\r\n>")
            yield Directive(tool, codes, reason, path, number, " ".join(line.split())[:160])


_MARKS = {
    "shellcheck": "shellcheck",
    "yamllint": "yamllint",
    "hadolint": "hadolint",
    "markdownlint": "markdownlint-",
    "codespell": "codespell:ignore",
    "detect-secrets": "pragma",
}
_MAX_LINE = 4000


def _reads(tool: str, path: str, source: str) -> bool:
    """Whether ``tool`` is for this file; elsewhere its directives are words."""
    name, suffix = PurePosixPath(path).name.lower(), PurePosixPath(path).suffix.lower()
    match tool:
        case "shellcheck":
            first = source.split("\n", 1)[0]
            return suffix in _SHELL or (first.startswith("#!") and re.search(r"\b(?:ba|da|k)?sh\b", first) is not None)
        case "yamllint":
            return suffix in {".yml", ".yaml"}
        case "hadolint":
            return name.startswith(("dockerfile", "containerfile")) or suffix in {".dockerfile", ".containerfile"}
        case "markdownlint":
            return suffix in {".md", ".markdown", ".mdx"}
        case _:
            return True
