"""Messages about names that were moved, renamed, removed or implemented, and their false siblings."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_repository import Content
from judged_messages import Files, judge

HALF = "def half(n, rounding=2):\n    value = n / 2\n    return round(value, rounding)\n"
THIRD = "def third(n, rounding=2):\n    value = n / 3\n    return round(value, rounding)\n"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Move `half` to `y.py`", "holds"),
        ("Move `half` from `z.py` to `y.py`", "holds"),
        ("Move `half` from `shop/z.py` to `shop/y.py`", "holds"),
        ("Move `half` from `shop.z` to `shop.y`", "holds"),
        ("Move `half` from module `z` to `y.py`", "holds"),
        ("Move `half` from `shop/` to `y.py`", "holds"),
        ("Move `half` to `y.py` from `z.py`", "holds"),
        ("Move `half` from `z.py` to `y.py` and `third` from `shop/z.py` to `y.py`", "holds"),
        ("Move `half` from `x.py` to `y.py`", "refuted"),
        ("Move `half` from `lib/` to `y.py`", "refuted"),
        ("Move `half` to `y.py` from `x.py`", "refuted"),
        ("Move `half` from `z.py` to `y.py` and `third` from `x.py` to `y.py`", "refuted"),
        ("Move `half` from `shop.x` to `y.py`", "unknown"),
        ("Move `half` from `lib` to `y.py`", "unknown"),
    ],
)
def test_where_a_name_is_said_to_come_from(tmp_path: Path, text: str, outcome: str) -> None:
    # Before: what stood after "from" was dropped, so that each origin was supported.
    rest = "def whole(n):\n    return n\n"
    before: Files = {"shop/z.py": f"{HALF}\n\n{THIRD}\n\n{rest}"}
    after: dict[str, Content | None] = {"shop/z.py": rest, "shop/y.py": f"{HALF}\n\n{THIRD}"}
    assert judge(tmp_path, before, after, text) == [outcome]


def test_a_moved_file_has_an_origin_too(tmp_path: Path) -> None:
    said = {
        "Move `z.py` from `old/` to `shop/`": "holds",
        "Move old/z.py to shop/": "holds",
        "Move old/y.py to shop/": "refuted",
        "Move old/z.py to lib/": "unknown",
        "Move `z.py` from `lib/` to `shop/`": "refuted",
    }
    assert judge(tmp_path, {"old/z.py": HALF}, {"old/z.py": None, "shop/z.py": HALF}, *said) == [*said.values()]


CALLS = "from morse import encode\n\n\ndef show(text):\n    print(encode(text))\n"
CODES = "def encode(text):\n    lines = [TABLE[one] for one in text]\n    return ' '.join(lines)\n"


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ({"show.py": CALLS}, {"show.py": CALLS.replace("encode", "to_morse")}, "holds"),
        ({}, {}, "holds"),
        ({"README.md": "It has encode.\n"}, {}, "holds"),
        ({"show.py": CALLS}, {}, "unknown"),  # an unchanged caller has the old name
        ({"test_show.py": CALLS}, {}, "unknown"),
        ({"show.py": CALLS}, {"show.py": CALLS.replace("print", "log")}, "unknown"),
        ({}, {"morse.py": f"{CODES.replace('encode', 'to_morse')}\n\n{CODES}"}, "refuted"),
        ({}, {"morse.py": f"{CODES}\n\nto_morse = 1\n"}, "refuted"),
        ({}, {"morse.py": CODES, "show.py": CALLS.replace("encode", "to_morse")}, "refuted"),
    ],
)
def test_a_name_that_was_renamed_everywhere_is_gone(
    tmp_path: Path, before: Files, after: dict[str, Content | None], outcome: str
) -> None:
    renamed = {"morse.py": CODES.replace("encode", "to_morse")}
    text = "Rename `encode()` to `to_morse()` everywhere"
    assert judge(tmp_path, {"morse.py": CODES, **before}, {**renamed, **after}, text) == [outcome]


def test_a_name_that_is_another_one_after_its_move_is_not_only_moved(tmp_path: Path) -> None:
    after: dict[str, Content | None] = {"z.py": "x = 1\n", "y.py": HALF.replace("half", "halved")}
    assert judge(tmp_path, {"z.py": f"x = 1\n\n\n{HALF}"}, after, "Move `half` to `y.py`") == ["unknown"]


ENCRYPT = (
    "def encrypt(text, key):\n    out = []\n    for one, two in zip(text, key):\n"
    '        out.append(chr(ord(one) ^ ord(two)))\n    return "".join(out)\n'
)


@pytest.mark.parametrize(
    ("path", "was", "now", "outcome"),
    [
        ("b.py", ENCRYPT, ENCRYPT.replace("encrypt", "scramble"), "holds"),
        ("b.py", ENCRYPT, "def scramble(text, key):\n    return text\n", "unknown"),
        ("b.py", ENCRYPT, "scramble = 1\n", "unknown"),
        ("b.py", "encrypt = 1\n", ENCRYPT.replace("encrypt", "scramble"), "unknown"),
        ("b.py", "def encrypt(t): return t[::-1]\n", "def scramble(t): return t[::-1]\n", "holds"),
        ("b.py", "def encrypt(t):\n    return t[::-1]\n", "def scramble(t):\n    return t[::-1]\n", "holds"),
        ("b.py", "def encrypt(t): return t[::-1]\n", "def scramble(t): return t\n", "unknown"),
        ("b.py", "class encrypt(Exception): ...\n", "class scramble(Exception): ...\n", "holds"),
        ("b.py", "encrypt = 1\n", "scramble = 1\n", "holds"),
        ("b.py", "def f(encrypt):\n    return 1 + encrypt\n", "def f(scramble):\n    return 1 + scramble\n", "holds"),
        ("b.ts", "export const encrypt = (t) => t + 1;\n", "export const scramble = (t) => t + 1;\n", "holds"),
        ("b.ts", "export const encrypt = (t) => t + 1;\n", "export const scramble = (t) => t;\n", "unknown"),
        (
            "b.go",
            "package b\n\nfunc encrypt() int { return 1 }\n",
            "package b\n\nfunc scramble() int { return 1 }\n",
            "holds",
        ),
    ],
)
def test_a_definition_is_renamed_only_if_its_body_is_similar(
    tmp_path: Path, path: str, was: str, now: str, outcome: str
) -> None:
    # Before: it was enough that the one name was gone and the other one new.
    assert judge(tmp_path, {path: was}, {path: now}, "Rename `encrypt` to `scramble`") == [outcome]


def test_of_several_definitions_the_equal_one_was_renamed(tmp_path: Path) -> None:
    # Before: the first definition took the place of the second one, to which it is only similar.
    one = "def one(n):\n    a = n\n    b = a\n    c = b\n    return c\n"
    two = one.replace("one", "two").replace("c = b", "c = b + 1")
    said = {"Rename `two` to `three`": "holds", "Rename `one` to `three`": "unknown"}
    assert judge(tmp_path, {"a.py": f"{one}\n\n{two}"}, {"a.py": two.replace("two", "three")}, *said) == [
        *said.values()
    ]


def test_a_short_name_that_other_words_have_is_renamed(tmp_path: Path) -> None:
    was = "def e(t):\n    return t.encode()\n"
    assert judge(tmp_path, {"a.py": was}, {"a.py": was.replace("e(t)", "enc(t)")}, "Rename `e` to `enc`") == ["holds"]


LEGACY = "def legacy(items):\n    return 0\n"
KEPT = "def total(items):\n    return sum(items)\n\n\n"


@pytest.mark.parametrize(
    ("text", "after", "outcome"),
    [
        ("Remove `legacy`", {"a.py": KEPT}, "holds"),
        ("Remove `legacy`", {"a.py": KEPT, "b.py": "def other(n):\n    return n\n"}, "holds"),
        ("Remove `legacy` from `a.py`", {"a.py": KEPT}, "holds"),
        ("Remove `legacy` from `a.py`", {"a.py": KEPT, "b.py": LEGACY}, "holds"),
        ("Remove `legacy`", {"a.py": KEPT + LEGACY.replace("legacy", "Legacy")}, "refuted"),
        ("Remove `legacy`", {"a.py": KEPT + LEGACY.replace("legacy", "_legacy")}, "refuted"),
        ("Remove `legacy`", {"a.py": KEPT, "b.py": LEGACY.replace("legacy", "Legacy")}, "refuted"),
        ("Remove `legacy` from `a.py`", {"a.py": KEPT + LEGACY.replace("legacy", "Legacy")}, "refuted"),
        ("Remove `legacy`", {"a.py": KEPT + LEGACY.replace("legacy", "l\u0435gacy")}, "unknown"),
        ("Remove `legacy`", {"a.py": KEPT + LEGACY.replace("legacy", "nothing")}, "unknown"),
        ("Remove `legacy`", {"a.py": KEPT, "b.py": LEGACY}, "unknown"),
        ("Remove `old`", {"a.py": KEPT + LEGACY, "old.py": None, "fresh.py": "x = 1\n" * 9}, "unknown"),
        ("Remove `old`", {"a.py": KEPT + LEGACY, "old.py": None}, "holds"),
    ],
)
def test_what_became_something_else_is_not_removed(
    tmp_path: Path, text: str, after: dict[str, Content | None], outcome: str
) -> None:
    # Before: a name was taken for removed when no code had it, whatever its definition was called then.
    before: Files = {"a.py": KEPT + LEGACY, "old.py": "x = 1\n" * 9}
    assert judge(tmp_path, before, after, text) == [outcome]


CALLS = 'NAMES = ["refund"]\n\n\ndef later(x):\n    return x.refund\n'
REFUND = "def refund(n):\n    return -n\n"
STUB = "def refund(n):\n    raise NotImplementedError\n"
ROUTE = (
    'from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/shop/refund")\ndef pay_back():\n    return "1"\n'
)


@pytest.mark.parametrize(
    ("text", "after", "outcome"),
    [
        ("Implement `refund`", {"a.py": KEPT + CALLS}, "unknown"),
        ("Implement `refund`", {"a.py": KEPT + REFUND}, "holds"),
        ("Implement `refund`", {"a.py": KEPT + STUB}, "unknown"),
        ("Implement `refund`", {"a.py": KEPT + "class Cart:\n    def refund(self):\n        return 1\n"}, "holds"),
        ("Implement `refund`", {"refund.py": "x = 1\n"}, "holds"),
        ("Implement `refund`", {"refund.txt": "x\n", "a.py": KEPT + CALLS}, "unknown"),
        ("Implement `refund`", {"a.py": ROUTE}, "holds"),
        ("Implement `refund` in `a.py`", {"a.py": KEPT + REFUND}, "holds"),
        ("Implement `refund` in `a.py`", {"a.py": KEPT + CALLS}, "unknown"),
        ("Implement `refund` in `a.py`", {"a.py": KEPT + STUB}, "unknown"),
        ("Implement `refund` option", {"a.py": KEPT + CALLS}, "holds"),
        ("Implement `--refund`", {"a.py": KEPT + 'OPTIONS = ["--refund"]\n'}, "unknown"),
        ("Implement `frobnicate`", {"a.py": KEPT + CALLS}, "refuted"),
        ("Extract `refund` from `later`", {"a.py": KEPT + REFUND}, "unknown"),
        ("Extract `refund` from `later`", {"a.py": KEPT + CALLS}, "unknown"),
        (
            "Extract `refund` from `later`",
            {"a.py": KEPT + REFUND + "\n\ndef later():\n    return refund(1)\n"},
            "holds",
        ),
        ("Extract `frobnicate` from `later`", {"a.py": KEPT + CALLS}, "refuted"),
        ("Add `refund`", {"a.py": KEPT + CALLS}, "holds"),
        ("Add function `refund`", {"a.py": KEPT + CALLS}, "unknown"),
        ("Add function `refund`", {"a.py": KEPT + REFUND}, "holds"),
        ("Add `refund` helper", {"a.py": KEPT + CALLS}, "unknown"),
        ("Add refund function", {"a.py": KEPT + CALLS}, "unknown"),
        ("Add refund function", {"a.py": KEPT + REFUND}, "holds"),
        ("Create class `Refund`", {"a.py": KEPT + 'x = ["Refund"]\n'}, "unknown"),
        ("New `Refund` class", {"a.py": KEPT + "class Refund:\n    rate = 2\n"}, "holds"),
        ("Add endpoint `/shop/refund`", {"a.py": ROUTE}, "holds"),
        ("Add endpoint `/shop/refund`", {"a.py": KEPT + 'x = ["/shop/refund"]\n'}, "unknown"),
        ("Add function `refund` to `a.py`", {"a.py": KEPT + CALLS}, "unknown"),
        ("Add function `refund` to `a.py`", {"a.py": KEPT + REFUND}, "holds"),
        ("Add function parameter `refund`", {"a.py": KEPT + CALLS}, "holds"),
    ],
)
def test_what_is_implemented_is_defined(
    tmp_path: Path, text: str, after: dict[str, Content | None], outcome: str
) -> None:
    # Before: it was enough that code had the name, in a text or as an attribute.
    assert judge(tmp_path, {"a.py": KEPT, "b.py": "x = 1\n"}, after, text) == [outcome]


USES = "from a import {0}\n\n\ndef test_{0}():\n    assert {0}('a b') == 'a-b'\n"
OTHER = "def test_other():\n    assert 1 == 1{}\n"
BODY = 'def {}(text):\n    out = text.lower()\n    return out.replace(" ", "-")\n'


@pytest.mark.parametrize(
    ("tests", "after", "outcome"),
    [
        ({"tests/test_a.py": USES.format("slug")}, {"tests/test_a.py": USES.format("handle")}, "holds"),
        ({"tests/test_a.py": USES.format("slug")}, {"tests/test_a.py": USES.format("slug") + "# handle\n"}, "unknown"),
        ({"tests/test_a.py": USES.format("slug")}, {"tests/test_a.py": "x = 1\n"}, "unknown"),
        ({"tests/test_b.py": OTHER.format("")}, {"tests/test_b.py": OTHER.format(", 'handle'")}, "unknown"),
        ({}, {}, "unknown"),
        (
            {"tests/test_a.py": USES.format("slug"), "tests/test_c.py": USES.format("slug")},
            {"tests/test_a.py": USES.format("handle")},
            "unknown",
        ),
        (
            {"tests/test_a.py": USES.format("slug"), "tests/test_b.py": OTHER.format("")},
            {"tests/test_a.py": None, "tests/test_b.py": OTHER.format(", 'handle'")},
            "unknown",
        ),
        (
            {"tests/test_slug.py": USES.format("slug")},
            {"tests/test_slug.py": None, "tests/test_handle.py": USES.format("handle") + "\n\nx = 1\n" * 9},
            "holds",
        ),
    ],
    ids=["followed", "a-comment", "emptied", "a-text", "none", "some-stay", "put-elsewhere", "with-its-file"],
)
def test_tests_that_follow_a_rename_named_the_old_name(
    tmp_path: Path, tests: Files, after: dict[str, Content | None], outcome: str
) -> None:
    # Before: it was enough that some test named the new one.
    before: Files = {"a.py": BODY.format("slug"), **tests}
    changed: dict[str, Content | None] = {"a.py": BODY.format("handle"), **after}
    assert judge(tmp_path, before, changed, "Rename `slug` to `handle` and its tests") == [outcome]


@pytest.mark.parametrize(
    ("text", "path", "outcome"),
    [
        ("Move `half` to `shop/y.py`", "old/shop/y.py", "unknown"),
        ("Move `half` to `shop/`", "old/shop/y.py", "unknown"),
        ("Move `half` to `shop.y`", "old/shop/y.py", "unknown"),
        ("Move `half` to `old/shop/y.py`", "old/shop/y.py", "holds"),
        ("Move `half` to `y.py`", "old/shop/y.py", "holds"),
        ("Move `half` to `lib/y.py`", "src/lib/y.py", "holds"),
        ("Move `half` to `shop/y.py`", "shop/y.py", "holds"),
    ],
)
def test_a_folder_that_is_at_the_root_is_the_one_that_is_meant(
    tmp_path: Path, text: str, path: str, outcome: str
) -> None:
    # Before: the end of a path was enough, though the stated folder is there and is another one.
    after: dict[str, Content | None] = {"shop/a.py": THIRD, path: HALF}
    assert judge(tmp_path, {"shop/a.py": f"{HALF}\n\n{THIRD}"}, after, text) == [outcome]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Add `shop/y.py`", "unknown"),
        ("Add `old/shop/y.py`", "holds"),
        ("Add `y.py`", "holds"),
        ("Add old/shop/y.py", "holds"),
        ("Add shop/y.py", "unknown"),
    ],
)
def test_a_file_in_another_folder_of_the_same_name_is_not_the_stated_one(
    tmp_path: Path, text: str, outcome: str
) -> None:
    after: dict[str, Content | None] = {"shop/a.py": THIRD, "old/shop/y.py": "x = 1\n"}
    assert judge(tmp_path, {"shop/a.py": HALF}, after, text) == [outcome]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Replace `a1` with `b1`", "holds"),
        ("Replace `a1` with `b1` in `f`", "holds"),
        ("Replace `a1` with `b1` in `x.py`", "holds"),
        ("Replace `a1` with `b1` in `g`", "unknown"),
        ("Replace `a1` with `b1` in `y.py`", "unknown"),
        ("Replace `c1` with `d1` in `z.cfg`", "holds"),
        ("Replace `c1` with `d1` in `x.py`", "unknown"),
    ],
)
def test_where_a_name_is_said_to_be_replaced(tmp_path: Path, text: str, outcome: str) -> None:
    # Before: the place was dropped, so that each was supported.
    code = "def f():\n    return {}(1)\n"
    before: Files = {"x.py": code.format("a1"), "y.py": "def g():\n    return 1\n", "z.cfg": "[a]\nb = c1\n"}
    after: dict[str, Content | None] = {
        "x.py": code.format("b1"),
        "y.py": "def g():\n    return 2\n",
        "z.cfg": "[a]\nb = d1\n",
    }
    assert judge(tmp_path, before, after, text) == [outcome]


@pytest.mark.parametrize(
    ("text", "after", "outcome"),
    [
        ("Remove `x.py`", {"list.cfg": "[a]\n"}, "unknown"),
        ("Remove `x.py`", {"x.py": None}, "holds"),
        ("Add `y.py`", {"list.cfg": "[a]\nb = x.py y.py\n"}, "unknown"),
        ("Add `y.py`", {"y.py": "y = 1\n"}, "holds"),
        ("Rename `x.py` to `y.py`", {"list.cfg": "[a]\nb = y.py\n"}, "unknown"),
        ("Rename `x.py` to `y.py`", {"x.py": None, "y.py": HALF, "list.cfg": "[a]\nb = y.py\n"}, "holds"),
    ],
)
def test_that_code_mentions_a_file_says_nothing_of_it(
    tmp_path: Path, text: str, after: dict[str, Content | None], outcome: str
) -> None:
    # Before: it was enough that a list named it or no longer did.
    assert judge(tmp_path, {"x.py": HALF, "list.cfg": "[a]\nb = x.py\n"}, after, text) == [outcome]


@pytest.mark.parametrize(("left", "outcome"), [("0", "holds"), ("rate", "unknown")])
def test_what_a_function_still_has_is_not_removed_from_it(tmp_path: Path, left: str, outcome: str) -> None:
    # Before: it was enough that the function had it less often.
    code = "def total(n, rate=1):\n    return n * {} + {}\n"
    before: Files = {"a.py": code.format("rate", "rate").replace("rate=1", "by=1")}
    after: dict[str, Content | None] = {"a.py": code.format("1", left).replace("rate=1", "by=1")}
    assert judge(tmp_path, before, after, "Remove `rate` from `total`") == [outcome]
