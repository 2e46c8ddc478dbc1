from __future__ import annotations

import pytest

from verigate.statements.commands import classify_command


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("mvn test", ("tests", "maven")),
        ("./mvnw test -o", ("tests", "maven")),
        ("./gradlew test", ("tests", "gradle")),
        ("go vet ./...", ("lint", "go")),
        ("gradle test --tests", ("part", None)),
        ("mvn test -dtest=atest", ("part", None)),
        ("mvn test -pl core", ("part", None)),
        ("mvn verify", None),
    ],
)
def test_commands_of_compiled_languages(command: str, found: tuple[str, str | None] | None) -> None:
    assert classify_command(command) == found
