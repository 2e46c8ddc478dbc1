"""What `gate init` prints of the tools that it found."""

from __future__ import annotations

import pytest

from verigate.cli.init_report import show_stack
from verigate.integrations.setup.missing_programs import MissingProgram
from verigate.integrations.setup.stack import Stack, StackFinding

UNKNOWN = "  (how to run it isn't known: declare its command in config/adapters.json)"


@pytest.mark.parametrize(
    ("kind", "name", "line"),
    [
        ("tests", "pytest", "found   tests     pytest       path"),
        ("lint", "clippy", "found   lint      clippy       path  (not installed)"),
        ("unread tests", "prove", f"found   tests     prove        path{UNKNOWN}"),
        ("unread lint", "rubocop", f"found   lint      rubocop      path{UNKNOWN}"),
    ],
)
def test_a_tool_that_the_gate_cannot_run_is_listed_with_what_to_do(
    capsys: pytest.CaptureFixture[str], kind: str, name: str, line: str
) -> None:
    lacking = MissingProgram("clippy", "code:lint", ("apt-get install rust-clippy",))
    show_stack(Stack((StackFinding(kind, name, "path"),)), (lacking,), ())
    assert capsys.readouterr().out == f"{line}\n"
