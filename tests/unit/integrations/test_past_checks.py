"""Which commands of a shell text check something, and whether its exit code is theirs."""

from __future__ import annotations

import pytest

from verigate.integrations.transcripts.checks import list_checks, list_edits

_WHOLE = "whole"
_PART = "part"
_HIDDEN = "hidden"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("pytest -q", [("tests", _WHOLE)]),
        ("cd x && .venv/bin/python3 -m pytest -n auto", [("tests", _WHOLE)]),
        ("uv run pytest tests/", [("tests", _WHOLE)]),
        ("python3 -m pytest tests/unit/test_a.py", [("tests", _PART)]),
        ("pytest -k add", [("tests", _PART)]),
        ("pytest tests/test_a.py::test_b", [("tests", _PART)]),
        ("timeout 60 cargo test -p core", [("tests", _PART)]),
        ("go test ./...", [("tests", _WHOLE)]),
        ("go test ./cmd/x", [("tests", _PART)]),
        ("npm run lint && npm test", [("lint", _WHOLE), ("tests", _WHOLE)]),
        ("npm run test:unit", [("tests", _WHOLE)]),
        ("npx tsc --noEmit", [("build", _WHOLE)]),
        ("make check", [("tests", _WHOLE)]),
        ("bin/test --fast", [("tests", _WHOLE)]),
        ("python scripts/run_tests.py", [("tests", _WHOLE)]),
        ("bash -lc 'ruff check . && pytest'", [("lint", _WHOLE), ("tests", _WHOLE)]),
        ("gate verify T1", [("any", _WHOLE)]),
        ("set -e\npytest\n", [("tests", _WHOLE)]),
        ("pytest 2>&1", [("tests", _WHOLE)]),
        ("pytest > out.txt 2>&1", [("tests", _WHOLE)]),
        # The exit code is another's.
        ("pytest | tail -3", [("tests", _HIDDEN)]),
        ("pytest 2>&1 | tail -3 && echo ok", [("tests", _HIDDEN)]),
        ("pytest || true", [("tests", _HIDDEN)]),
        ("make || pytest", [("tests", _HIDDEN)]),
        ("pytest; echo done", [("tests", _HIDDEN)]),
        ("pytest &", [("tests", _HIDDEN)]),
        ("! pytest", [("tests", _HIDDEN)]),
        ("if pytest; then echo; fi", [("tests", _HIDDEN)]),
        ("(pytest)", [("tests", _HIDDEN)]),
        ("bash -c 'pytest | tail'", [("tests", _HIDDEN)]),
        # Nothing is checked.
        ("pytest --version", []),
        ("pytest --collect-only -q", []),
        ("cat bin/test", []),
        ("ls tests", []),
        ("grep -rn pytest .", []),
        ("echo 'pytest'", []),
        ("cat <<EOF\npytest\nEOF", []),
        ("git commit -m 'Run pytest'", []),
        ("", []),
        ("'", []),
    ],
)
def test_a_text_checks_what_its_commands_do(command: str, found: list[tuple[str, str]]) -> None:
    checks = list(list_checks(command))
    words = [_HIDDEN if not check.shown else _PART if check.narrowed else _WHOLE for check in checks]
    assert [(check.topic.value, word) for check, word in zip(checks, words, strict=True)] == found


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("sed -i s/a/b/ shop.py", {"shop.py"}),
        ("cat > shop.py <<'EOF'\nrm other.py\nEOF", {"shop.py"}),
        ("cd src && echo x >> a.py", {"src/a.py"}),
        ("bash -c 'rm a.py'", {"a.py"}),
        ("pytest 2>&1", set()),
        ("pytest > /dev/null", {"/dev/null"}),
    ],
)
def test_a_text_edits_what_its_words_say(command: str, found: set[str]) -> None:
    assert found <= set(list_edits(command))
    assert bool(found) == bool(set(list_edits(command)))


@pytest.mark.parametrize(
    "text", ["(" * 50_000, "bash -c " * 5000, "`" * 9999, "$(" * 20_000, "&" * 99_999, "a\n" * 50_000]
)
def test_hostile_texts_end(text: str) -> None:
    assert len(list(list_checks(text))) < 2
    list(list_edits(text))
