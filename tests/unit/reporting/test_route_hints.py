"""What ``gate route`` advises where it couldn't read a name."""

from __future__ import annotations

import pytest

from verigate.reporting.route import render_route
from verigate.statements.reading import read_statement


def show(text: str) -> str:
    return render_route([(text, read_statement(text))])


@pytest.mark.parametrize(
    "text", ["Renamed total to sum_up.", "I renamed total to sum_up.", "We have renamed total to sum_up."]
)
def test_a_bare_name_is_to_be_written_as_code(text: str) -> None:
    assert "if total is a name, write it as code: `total()`" in show(text)


@pytest.mark.parametrize("text", ["I renamed it.", "I renamed everything.", "I renamed `total` and its friends."])
def test_a_word_that_is_no_name_gets_no_advice(text: str) -> None:
    assert "write it as code" not in show(text)
