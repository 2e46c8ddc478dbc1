"""Subjects that say what they do in few words, compared with what code:changes writes about real diffs."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_messages import Files, judge

WORKFLOW = ".github/workflows/ci.yml"
_STEP = (
    "jobs:\n  a:\n    strategy:\n      matrix:\n        node: [{}]\n    steps:\n      - uses: actions/setup-go@v{}\n"
)
_CARGO = '[package]\nname = "a"\nversion = "{}"\n[dependencies]\nclap = "={}"\n'
_RUST = "jobs:\n  a:\n    steps:\n      - uses: x/rust@v1\n        with: {{toolchain: '{}'}}\n"
_DOCS = "# Cache\n\nThe cache has a guide: [{}]({}).\n\n## Limits\n\n{}\n"
_OLD, _NEW = "https://a.example/guide", "https://b.example/guide"

CASES: dict[str, tuple[Files, Files, dict[str, str]]] = {
    "a workflow": (
        {WORKFLOW: _STEP.format("20, 22", 5)},
        {WORKFLOW: _STEP.format("20, 22, 23", 6)},
        {
            "actions/setup-go v6": "holds",
            "actions/setup-go v7": "refuted",
            "docs/setup v6": "unknown",
            "Switch to `actions/setup-go@v6`": "holds",
            "Switch to `actions/setup-go@v7`": "refuted",
            "Update to latest actions/setup-go": "holds",
            "Run CI tests on Node 23": "holds",
            "Run CI tests on Node 20": "unknown",
            "Drop Node 23": "refuted",
            "chore: Release": "unknown",
        },
    ),
    "a manifest": (
        {"Cargo.toml": _CARGO.format("1.2.2", "4.5.0")},
        {"Cargo.toml": _CARGO.format("1.2.3", "4.4.0")},
        {
            "chore: Release": "holds",
            "Release v1.2.3": "holds",
            "Release v1.2.4": "refuted",
            "Update to latest clap": "refuted",
            "Upgrade zorkmid-lib to the latest version": "refuted",
            "Update to latest zorkmid": "unknown",
            "chore(deps): clap 4.4.0": "holds",
            "chore(deps): clap 4.5.0": "unknown",
            "a 1.2.3": "holds",
            "a 1.2.4": "refuted",
            "chore: start v0.4.x": "unknown",
        },
    ),
    "a toolchain": (
        {WORKFLOW: _RUST.format("1.97")},
        {WORKFLOW: _RUST.format("1.98")},
        {"Update Rust Stable to v1.98": "holds", "Update Rust Stable to v1.99": "unknown", "Drop Rust 1.98": "refuted"},
    ),
    "texts": (
        {"docs/cache.md": _DOCS.format("here", _OLD, "It have no limits.")},
        {"docs/cache.md": _DOCS.format("here", _NEW, "It has no limits.")},
        {
            "docs: cleanup": "holds",
            "docs: fix the guide link of the cache": "holds",
            "test: cleanup": "refuted",
            "Update the guide link in cache.md": "holds",
            "Update the guide link in zorkmid.md": "refuted",
            "Update the zorkmid link in cache.md": "unknown",
        },
    ),
    "grammar": (
        {"docs/cache.md": "It have no limits.\n"},
        {"docs/cache.md": "It has no limits.\n"},
        {"docs: fix grammar issues": "holds", "Fix grammar issues": "holds", "test: fix grammar issues": "refuted"},
    ),
    "a new text": (
        {"docs/cache.md": "It has no limits.\n"},
        {"docs/cache.md": "It has no limits.\n\nThe totals of all orders are kept for a day.\n"},
        {"docs: fix grammar issues": "unknown", "docs: update": "holds", "ci: update": "refuted"},
    ),
    "code and a text": (
        {"docs/cache.md": "It have no limits.\n", "a.py": "def limit(a):\n    return a\n"},
        {"docs/cache.md": "It has no limits.\n", "a.py": "def limit(a):\n    return a + 1\n"},
        {
            "docs: fix grammar issues": "refuted",
            "docs: cleanup": "refuted",
            "Update the limits text in cache.md": "unknown",
        },
    ),
    "tests alone": (
        {"tests/test_a.py": "def test_a():\n    assert 1\n"},
        {"tests/test_a.py": "def test_a():\n    assert 1\n\n\ndef test_wake_up_on_close():\n    assert 2\n"},
        {
            "Add a regression test for the wake-up on close": "holds",
            "Add a regression test for the zorkmid on close": "unknown",
            "ci: cleanup": "unknown",
            "docs: cleanup": "refuted",
        },
    ),
    "a text that came": (
        {"docs/a.md": "# A\n"},
        {"docs/a.md": "# A\n\nOur sponsors are listed here.\n"},
        {"Add sponsors to docs": "holds", "Remove sponsors from docs": "unknown", "Update sponsors in a.md": "holds"},
    ),
    "a program that is a test": (
        {"test.c": "int a(void) { return 1; }\n"},
        {"test.c": "int a(void) { return 2; }\n"},
        {"test: verify the sign": "unknown", "docs: verify the sign": "refuted"},
    ),
    "code that follows a dependency": (
        {"Cargo.toml": _CARGO.format("1.2.3", "4.5.0"), "src/a.rs": "fn a() -> u8 { 1 }\n"},
        {"Cargo.toml": _CARGO.format("1.2.3", "4.6.0"), "src/a.rs": "fn a() -> u8 { 2 }\n"},
        {"deps: update clap to 4.6.0": "unknown", "deps: update clap to 4.7.0": "refuted", "docs: a": "refuted"},
    ),
    "a release for one platform": (
        {"pom.xml": "<project><properties><guava.version>33.6.0-jre</guava.version></properties></project>"},
        {"pom.xml": "<project><properties><guava.version>33.7.0-jre</guava.version></properties></project>"},
        {"Bump guava to 33.7.0": "holds", "Bump guava to 33.7.1": "refuted", "Bump guava to 33.7.0-android": "refuted"},
    ),
    "code alone": ({"a.py": "a = 1\n"}, {"a.py": "a = 2\n"}, {"deps: make a 2": "refuted"}),
    "two names": (
        {"a.cs": "class A { }\n"},
        {"a.cs": "class A { DateOnly b; TimeOnly c; }\n"},
        {"Implement DateOnly/TimeOnly": "unknown", "Implement `frobnicate_all`": "refuted"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_few_words_say_is_compared_with_the_diff(tmp_path: Path, case: str) -> None:
    before, after, said = CASES[case]
    assert dict(zip(said, judge(tmp_path, before, dict(after), *said), strict=True)) == said
