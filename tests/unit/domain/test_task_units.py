from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.task import TASK_ID, Unit, UnitKind, parse_unit

TABLE = [
    ("file:src/a.py", UnitKind.FILE, "src/a.py"),
    ("file: ./src/a.py ", UnitKind.FILE, "src/a.py"),
    ("file:././a.py", UnitKind.FILE, "a.py"),
    ("func:foo", UnitKind.FUNCTION, "foo"),
    ("function:foo()", UnitKind.FUNCTION, "foo"),
    ("func:A.b()()", UnitKind.FUNCTION, "A.b"),
    ("endpoint:GET /x", UnitKind.ENDPOINT, "GET /x"),
    ("ep:post   /x/y ", UnitKind.ENDPOINT, "POST /x/y"),
    ("endpoint:/x", UnitKind.ENDPOINT, "/x"),
    ("/users/{id}", UnitKind.ENDPOINT, "/users/{id}"),
    ("DELETE /users", UnitKind.ENDPOINT, "DELETE /users"),
    ("url:https://a.example/?q=a:b", UnitKind.URL, "https://a.example/?q=a:b"),
    ("heading:What: and why", UnitKind.HEADING, "What: and why"),
    ("image:a b.png", UnitKind.IMAGE, "a b.png"),
    ("quote:To be, or not", UnitKind.QUOTE, "To be, or not"),
    ("statement:1", UnitKind.STATEMENT, "1"),
    ("there.txt", UnitKind.FILE, "there.txt"),
    ("./there.txt", UnitKind.FUNCTION, "./there.txt"),
    ("gone.txt", UnitKind.FUNCTION, "gone.txt"),
    ("FILE:a.py", UnitKind.FILE, "a.py"),
    ("C:foo", UnitKind.FUNCTION, "C:foo"),
    ("std::vector", UnitKind.FUNCTION, "std::vector"),
]


@pytest.mark.parametrize(("text", "kind", "key"), TABLE)
def test_a_unit_id_is_read(text: str, kind: UnitKind, key: str) -> None:
    assert parse_unit(text, {"there.txt"}.__contains__) == Unit(kind, key)


@pytest.mark.parametrize(
    "text", ["", "  ", "file:", "file: ", "file:./", "func:()", "url:", "endpoint:", "statement:\n"]
)
def test_a_unit_that_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names nothing"):
        parse_unit(text, lambda _: True)


prefixes = st.sampled_from(
    ["", "file:", "func:", "function:", "endpoint:", "ep:", "url:", "heading:", "statement:", "/"]
)
pieces = st.lists(
    st.sampled_from(["./", "()", " ", "a", "/", "GET", ":", "\t", "ß", "\u2028", "."]) | st.text(max_size=2)
)


@given(prefixes, pieces, st.booleans())
def test_an_id_is_read_again_as_the_same_unit(prefix: str, parts: list[str], exists: bool) -> None:
    """A replay reads the recorded ids; they must mean what they meant."""
    try:
        unit = parse_unit(prefix + "".join(parts), lambda _: exists)
    except ValueError:
        return
    assert unit.key
    for other in (True, False):
        assert parse_unit(unit.id, lambda _, other=other: other) == unit


@pytest.mark.parametrize("task_id", ["T1", "a", "A" * 64, "a_b-c", "-rf", "0"])
def test_what_can_be_a_task_id(task_id: str) -> None:
    assert TASK_ID.fullmatch(task_id)


@pytest.mark.parametrize("task_id", ["", "A" * 65, "../x", "a/b", ".", "a b", "a\n", "ä", "$(x)", "a.b", "\0"])
def test_what_can_not_be_a_task_id(task_id: str) -> None:
    assert not TASK_ID.fullmatch(task_id)
