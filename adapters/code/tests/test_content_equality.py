"""Whether two versions of settings, data or a text differ in nothing but layout."""

from __future__ import annotations

import pytest

from code_adapter.changes.content_equality import compare_content
from code_adapter.syntax.changes import ChangedFile, Side


def compare(path: str, old: str, new: str) -> str:
    return compare_content(ChangedFile(Side(path, "100644", old.encode()), Side(path, "100644", new.encode())))


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("app.yaml", "a: {b: 1, c: 2}\n", "a:\n    b: 1\n\n    c: 2 # c\n", "equal"),
        ("app.yaml", "a: 'x'\n", 'a: "x"\n', "equal"),
        ("app.yaml", "a: x\n", 'a: "x"\n', "equal"),
        ("app.yml", "a: >\n  one\n  two\n", "a: 'one two\n\n  '\n", "equal"),
        ("app.yaml", "limit: 10\n", "limit: 99\n", "differs"),
        ("app.yaml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nc: 2\n", "differs"),
        ("app.yaml", "a: 1\n", 'a: "1"\n', "differs"),
        ("app.yaml", "a: yes\n", 'a: "yes"\n', "differs"),
        ("app.yaml", "a: 1\nb: 2\n", "b: 2\na: 1\n", "differs"),
        ("app.yaml", "a: &x 1\nb: *x\n", "a: &x 1\nb: 1\n", "differs"),
        ("app.yaml", "a: !Ref b\n", "a:   !Ref b\n", "equal"),
        ("app.yaml", "a: !Ref b\n", "a: !Sub b\n", "differs"),
        ("app.yaml", "a: 1\n", "a: [1\n", "unknown"),
        ("a.json", '{"a":[1,true]}', '{\n  "a": [1, true]\n}\n', "equal"),
        ("a.json", '{"a": 1}', '{"a": true}', "differs"),
        ("a.json", '{"a": 1}', '{"a": 1.0}', "differs"),
        ("a.json", '{"a": 2, "a": 1}', '{"a": 1}', "differs"),
        ("a.json", "{}", "{ // none\n}", "unknown"),
        ("a.toml", "a = [1,2]\n[b]\nc = true\n", "a = [\n  1,\n  2,\n]\n\n[b]\nc = true # c\n", "equal"),
        ("a.toml", "a = 1\n", "a = true\n", "differs"),
        ("a.toml", "a = 1\n", "a = \n", "unknown"),
        ("a.ini", "[a]\nb=1\nc\n", "[a]\nb = 1\n\nc\n", "equal"),
        ("setup.cfg", "[a]\nb = 1\n", "[a]\nB = 1\n", "differs"),
        ("setup.cfg", "[a]\nb = 1\n", "[a]\nb = 2\n", "differs"),
        ("a.ini", "[a]\nb = 1\n", "b = 1\n", "unknown"),
        ("README.md", "* one *two*\n* three\n\nA\n---\n", "- one _two_\n- three\n\nA\n===\n", "differs"),
        ("README.md", "* one __two__\n* three\n", "- one **two**\n-   three\n", "equal"),
        ("README.md", "One two\nthree.\n", "One\ntwo three.\n", "equal"),
        ("README.md", "|a|b|\n|-|-|\n|1|2|\n", "| a   | b |\n| --- | - |\n| 1   | 2 |\n", "equal"),
        ("README.md", "5 - 3\n", "5 + 3\n", "differs"),
        ("README.md", "It may fail.\n", "It may not fail.\n", "differs"),
        ("docs/a.rst", "A\n=\n", "A\n==\n", "equal"),
        ("Makefile", "a:\n\tb\n", "a:\n\tc\n", "unknown"),
        ("app.conf", "a 1\n", "a  1\n", "unknown"),
        ("a.py", "x = 1\n", "x  = 1\n", "unknown"),
    ],
)  # fmt: skip
def test_what_differs_but_for_layout(path: str, old: str, new: str, expected: str) -> None:
    assert compare(path, old, new) == expected


def test_aliases_in_aliases_are_compared_once() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    assert compare("a.yaml", bomb, bomb.replace(", ", ",  ")) == "equal"


def test_what_is_new_of_another_mode_or_no_text_is_unknown() -> None:
    side = Side("a.json", "100644", b"{}")
    assert compare_content(ChangedFile(None, side)) == "unknown"
    assert compare_content(ChangedFile(side, Side("a.json", "100755", b"{ }"))) == "unknown"
    assert compare_content(ChangedFile(side, Side("a.yaml", "100644", b"{ }"))) == "unknown"
    assert compare_content(ChangedFile(side, Side("a.json", "100644", b"{}\0"))) == "unknown"
    assert compare_content(ChangedFile(side, Side("a.json", "100644", b"\xff"))) == "unknown"
    assert compare_content(ChangedFile(side, Side("a.json", "100644", b"[" * 100_000))) == "unknown"
