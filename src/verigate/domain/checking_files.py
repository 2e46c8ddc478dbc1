"""Tell by names and words which files may judge or check something, before anything that knows is loaded.

It errs on the side of yes: ``subject.policy_files`` and the detectors of ``code:integrity`` decide. What is no here is
not looked at while an agent works, and is at the end of its turn.
"""

from __future__ import annotations

_JUDGING = frozenset({"config", "adapters", "hooks"})
_JUDGING_FILES = frozenset({"crush.json", "opencode.json", "opencode.jsonc", "prek.toml"})

_WORDS = ("test", "spec", "check", "lint", "mock", "fixture", "snap", "golden", "expect")
_SETTINGS = (
    *(".toml", ".cfg", ".ini", ".json", ".jsonc", ".json5", ".yml", ".yaml", ".xml", ".properties", ".gradle", ".kts"),
    *(
        ".config.js",
        ".config.ts",
        ".config.mjs",
        ".config.cjs",
        ".config.mts",
        ".sh",
        ".bash",
        ".mk",
        ".pth",
        ".csproj",
    ),
    *(".props", ".targets", ".gemspec", ".bats", ".feature", ".rake"),
)
_NAMES = frozenset(
    {"makefile", "gnumakefile", "rakefile", "gemfile", "justfile", "jenkinsfile", "dockerfile", "noxfile.py"}
)
_SAID = (
    *("noqa", "nosec", "type: ignore", "type:ignore", "pylint:", "pragma", "ruff:", "mypy:", "pyright:", "flake8:"),
    *("eslint", "ts-ignore", "ts-nocheck", "ts-expect-error", "biome-ignore", "oxlint-", "istanbul", "c8 ignore"),
    *("v8 ignore", "nolint", "allow(", "expect(", "rubocop:", "@suppress", "phpstan", "phpcs:", "psalm", "nosonar"),
    *(
        "pytest",
        "unittest",
        "jest",
        "vitest",
        "mocha",
        "node_env",
        "rails_env",
        "testing",
        "cfg(test",
        "doctest",
        ">>>",
    ),
    *(
        "getframe",
        "f_back",
        "f_globals",
        "f_locals",
        "f_builtins",
        "inspect",
        "get_referrers",
        "get_objects",
        ".stack",
        "surefire",
        "junit",
    ),
    *("expect", "assert.", "node:", "node_", "globalthis", "\\u000", "\\u{", "coverage", "__main__"),
    *("sys.modules", "importlib", "monkeypatch", "__eq__", "__bool__", "os._exit", "sys.exit", "atexit", "settrace"),
    *("\u200b", "\u202e", "\u2066", "\ufeff", "\u200e", "\u200f"),
)
"""Words of suppressions, of test runners and of code that asks whether it is tested, in lower case."""


def may_judge(path: str) -> bool:
    """Whether a path of a repository may be one of the judges' own files: those begin with a dot, or are listed."""
    first = path.partition("/")[0]
    return first.startswith((".", "lefthook")) or first in _JUDGING or path in _JUDGING_FILES


def may_check(path: str, content: str | None) -> bool:
    """Whether an edit of this file may weaken a check. ``content`` is what it holds now, None if that isn't known."""
    lower = path.lower()
    name = lower.rpartition("/")[2]
    if content is None or name in _NAMES or name.endswith(_SETTINGS) or any(word in lower for word in _WORDS):
        return True
    text = content.lower()
    return "/." in f"/{lower}" or any(word in text for word in _SAID)
