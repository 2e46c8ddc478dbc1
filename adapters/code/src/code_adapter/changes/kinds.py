"""Classify a file by its path: code, test, documentation, CI, lock, manifest, configuration or something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Literal

from code_adapter.changes.manifests.reading import find_reader, is_lock
from code_adapter.integrity.roles import is_test_code
from verigate.sdk.languages import language_of
from verigate.sdk.pipelines import is_pipeline

Kind = Literal["code", "test", "docs", "ci", "lock", "manifest", "config", "other"]

_DOC_FOLDERS = frozenset({"doc", "docs", "documentation", "website", "site", "man", "changelog", "changelog.d"})
_DOC_FOLDERS |= {"newsfragments", "changes", ".changeset", "news", "changelogs"}
_EXAMPLES = frozenset({"example", "examples", "_example", "_examples", "demo", "demos", "samples"})
_DOC_SUFFIXES = frozenset({".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".txt", ".markdown"})
_DOC_NAMES = re.compile(
    r"(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CONTRIBUTING|SECURITY|GOVERNANCE|"
    r"CODE_OF_CONDUCT|MAINTAINERS|UPGRADING|MIGRATING|COPYING|FAQ|CITATION)(?:[._-].*)?|"
    r"mkdocs\.ya?ml|\.readthedocs\.ya?ml|book\.toml|typedoc\.json|\.all-contributorsrc",
    re.IGNORECASE,
)
_CI_NAMES = re.compile(
    r"\.?(?:dependabot|renovate|codecov|mergify|stale|labeler)(?:rc)?(?:\.(?:ya?ml|json5?|toml))?|CODEOWNERS"
)
_TOOLS = frozenset(
    {"scripts", "script", "tools", "tasks", "hack", "dev", "benchmarks", "benchmark", "bench", "benches", "perf"}
)
"""Folders at the root with programs for the developers, which are neither the product nor its tests."""

_CI_FOLDERS = frozenset({".github", ".circleci", ".gitlab", ".buildkite", ".ci", "ci", ".azure-pipelines"})
_CONFIG_SUFFIXES = frozenset(
    {".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".json5", ".jsonc", ".properties", ".conf"}
)
_BUILD_NAMES = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Taskfile.yml", "Rakefile"})
_SETTINGS = re.compile(r"(?:.*\.(?:config|conf)\.[cm]?[jt]s|noxfile\.py|conftest\.py|\..*rc(?:\.[cm]?js)?)")
_BUILDS = (".gradle.kts",)
"""Manifests that are programs."""

_MORE_CODE = frozenset(
    {".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rb", ".php", ".swift", ".kt", ".kts", ".scala", ".sh", ".bash", ".zsh"}
    | {
        ".fish",
        ".ps1",
        ".pl",
        ".lua",
        ".ex",
        ".exs",
        ".erl",
        ".hs",
        ".ml",
        ".clj",
        ".dart",
        ".zig",
        ".nim",
        ".r",
        ".jl",
    }
    | {
        ".sql",
        ".vue",
        ".svelte",
        ".css",
        ".scss",
        ".less",
        ".html",
        ".jinja",
        ".j2",
        ".pyx",
        ".pxd",
        ".s",
        ".asm",
        ".m",
    }
    | {".mm", ".groovy", ".proto", ".graphql", ".wasm", ".templ", ".tmpl", ".gotmpl", ".y", ".l"}
)


def classify(path: str) -> Kind:
    """Classify a file. Code is what is left when it is nothing else: an unknown name is ``other``."""
    pure = PurePosixPath(path)
    return next((kind for kind, applies in _RULES if applies(path, pure)), "other")


def is_text_by_suffix(path: str) -> bool:
    """Whether a file is documentation by its suffix alone, neither by its name nor by its folder."""
    return classify(path) == "docs" and not _is_docs(PurePosixPath(path))


def _is_ci(pure: PurePosixPath) -> bool:
    first = pure.parts[0]
    return first in _CI_FOLDERS or first.startswith(".ci.") or _CI_NAMES.fullmatch(pure.name) is not None


def _is_docs(pure: PurePosixPath) -> bool:
    folders = {part.lower() for part in pure.parts[:-1]}
    return _DOC_NAMES.fullmatch(pure.name) is not None or bool(folders & (_DOC_FOLDERS | _EXAMPLES))


def _is_code(path: str, pure: PurePosixPath) -> bool:
    return language_of(path) is not None or pure.suffix.lower() in _MORE_CODE


_RULES: tuple[tuple[Kind, Callable[[str, PurePosixPath], bool]], ...] = (
    ("lock", lambda path, pure: is_lock(path) or pure.parts[0] == ".yarn"),
    ("ci", lambda path, pure: is_pipeline(path) or _is_ci(pure)),
    ("test", lambda path, _: is_test_code(path)),
    ("docs", lambda _, pure: _is_docs(pure)),
    ("other", lambda _, pure: len(pure.parts) > 1 and pure.parts[0].lower() in _TOOLS),
    (
        "manifest",
        lambda path, _: (language_of(path) is None or path.endswith(_BUILDS)) and find_reader(path) is not None,
    ),
    ("config", lambda _, pure: pure.name in _BUILD_NAMES or _SETTINGS.fullmatch(pure.name) is not None),
    ("code", _is_code),
    ("docs", lambda _, pure: pure.suffix.lower() in _DOC_SUFFIXES),
    ("config", lambda _, pure: pure.name.startswith(".") or pure.suffix.lower() in _CONFIG_SUFFIXES),
)
"""Kinds in the order in which they are asked."""
