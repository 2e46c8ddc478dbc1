"""The errors of compilers, as Maven and Gradle print them."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_adapter.toolchains.java_errors import CompilerMessage, parse_java_errors
from verigate.sdk import ToolRun
from verigate.sdk.normalised_texts import Texts


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[ERROR] /r/src/A.java:[2,64] incompatible types", (True, "src/A.java", 2, 64, "incompatible types")),
        ("[WARNING] /r/src/A.java:[2,64] deprecated", (False, "src/A.java", 2, 64, "deprecated")),
        (
            "[ERROR] file:///r/src/A.kt:[5,1] Unresolved reference: x",
            (True, "src/A.kt", 5, 1, "Unresolved reference: x"),
        ),
        ("[ERROR] /r/src/A.kt: (5, 1) Unresolved", (True, "src/A.kt", 5, 1, "Unresolved")),
        ("/r/src/A.java:2: error: cannot find symbol", (True, "src/A.java", 2, 0, "cannot find symbol")),
        ("/r/src/A.java:2: warning: [removal] x", (False, "src/A.java", 2, 0, "[removal] x")),
        ("e: file:///r/src/A.kt:12:5 Unresolved reference", (True, "src/A.kt", 12, 5, "Unresolved reference")),
        ("e: /r/src/A.kt: (12, 5): Unresolved reference", (True, "src/A.kt", 12, 5, "Unresolved reference")),
        ("[ERROR] COMPILATION ERROR :", None),
        ("[ERROR] Failed to execute goal x:compile: /r/a", None),
    ],
)
def test_errors_of_compilers(line: str, found: tuple[bool, str, int, int, str] | None) -> None:
    run = ToolRun(("mvn",), 1, None, False, f"{line}\n{line}\n".encode(), b"")
    assert list(parse_java_errors(run, Texts(Path("/r")), "")) == ([CompilerMessage(*found)] if found else [])


@pytest.mark.parametrize("start", ["[ERROR]   ", "  "])
def test_what_javac_cannot_find_is_on_the_next_lines(start: str) -> None:
    text = (
        f"[ERROR] /r/src/A.java:[2,64] cannot find symbol\n{start}symbol:   method of(int)\n{start}location: class B\n"
    )
    run = ToolRun(("mvn",), 1, None, False, f"{text}[ERROR] /r/src/A.java:[3,1] other\n{text}".encode(), b"")
    found = [(each.line, each.symbol) for each in parse_java_errors(run, Texts(Path("/r")), "")]
    assert found == [(2, "method of(int)"), (3, "")]
