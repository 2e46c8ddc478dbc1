from __future__ import annotations

import pytest

from verigate.statements.commands import Command, Part, classify_command

OTHER = Command("part", None)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("mvn test", Command("tests", "maven")),
        ("./mvnw test -o", Command("tests", "maven")),
        ("./gradlew test", Command("tests", "gradle")),
        ("go vet ./...", Command("lint", "go")),
        ("pytest -n auto -q --tb=short", Command("tests", "pytest")),
        ("npm test -- --coverage", Command("tests", None)),
        ("npx tsc --noEmit", Command("build", "tsc")),
        ("mvn verify", None),
    ],
)
def test_a_command_checks_the_whole(command: str, found: Command | None) -> None:
    assert classify_command(command) == found


@pytest.mark.parametrize(
    ("command", "tool", "part"),
    [
        ("pytest tests/Unit -q", "pytest", Part(scope="tests/Unit", found=True)),
        ("npx vitest run src/a.test.ts", "vitest", Part(scope="src/a.test.ts", found=True)),
        ("pytest -k total", "pytest", Part("pytest -k total")),
        ("pytest -m slow", "pytest", Part("pytest -m slow", found=True)),
        ("pytest tests/a.py::test_b", "pytest", Part("pytest tests/a.py::test_b", found=True)),
        ("pytest tests/a.py tests/b.py", "pytest", Part("pytest tests/a.py tests/b.py", found=True)),
        ("mvn test -pl core", "maven", Part("mvn test -pl core", found=True)),
        ("ruff check src", "ruff", Part("ruff check src")),
    ],
)
def test_arguments_restrict_a_command_to_a_part(command: str, tool: str, part: Part) -> None:
    found = classify_command(command)
    assert found is not None
    assert (found.tool, found.part) == (tool, part)


@pytest.mark.parametrize(
    "command",
    ["go test ./... -race", "mypy --strict", "eslint . --max-warnings 0", "cargo test --release", "ruff check --fix"],
)
def test_an_option_may_change_what_is_checked(command: str) -> None:
    assert classify_command(command) == OTHER


def test_a_build_has_no_parts() -> None:
    assert classify_command("cargo build -p core") == OTHER
