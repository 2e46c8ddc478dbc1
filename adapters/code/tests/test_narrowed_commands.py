"""Commands that run a part of their tests, by the options of the runner that they call."""

from __future__ import annotations

import pytest

from code_adapter.integrity.tools.commands import find_new_weakness


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("pytest", "pytest -k fast", ["-k fast"]),
        ("python -m pytest", "python -m pytest -m smoke", ["-m smoke"]),
        ("pytest", "pytest --noconftest", ["--noconftest"]),
        ("pytest", "pytest -p no:python", ["-p no:python"]),
        ("go test ./...", "go test -run TestAdd ./...", ["-run TestAdd"]),
        ("go test ./...", "go test -short ./...", ["-short"]),
        ("jest", "jest -t adds", ["-t adds"]),
        ("npx jest", "npx jest --onlyChanged", ["--onlyChanged"]),
        ("vitest run", "vitest run -t adds", ["-t adds"]),
        ("mocha", "mocha -f adds", ["-f adds"]),
        ("node --test", "node --test --test-shard=1/2", ["--test-shard=1/2"]),
        ("mvn -B test", "mvn -B test -Dtest=ATest", ["-Dtest=ATest"]),
        ("./gradlew test", "./gradlew test --tests A", ["--tests A"]),
        ("rspec", "bundle exec rspec --tag fast", ["--tag fast"]),
        ("phpunit", "vendor/bin/phpunit --filter add", ["--filter add"]),
        ("dotnet test", "dotnet test --filter Fast", ["--filter Fast"]),
        ("ctest", "ctest -E slow", ["-E slow"]),
    ],
)
def test_an_option_that_leaves_tests_out_is_found(before: str, after: str, found: list[str]) -> None:
    assert list(find_new_weakness(before, after)) == found
    assert list(find_new_weakness(after, after)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pytest", "pytest -p no:cacheprovider -p no:randomly"),
        ("pytest", "pytest -n 2 --cov"),
        ("pytest -k 'not slow'", "pytest"),
        ("go test ./...", "go test -race -v ./..."),
        ("make -k all", "make -k all check"),
        ("jest", "jest --coverage --runInBand"),
        ("echo pytest", "echo pytest; grep -k x file"),
        ("cargo test", "cargo test --workspace"),
    ],
)
def test_other_options_leave_nothing_out(before: str, after: str) -> None:
    assert list(find_new_weakness(before, after)) == []
