"""The places of a change in which code may do something else than before."""

from __future__ import annotations

import time

import pytest

from code_adapter.sensitivity.changed_places import GONE, Place, find_places
from code_adapter.syntax.changes import ChangedFile, Side

Version = dict[str, str]

SHOP = """\
import math

RATE = 0.2


@cached
def tax(price):
    # As the law has it.
    return price * RATE


class Cart:
    limit = 9

    def total(self, prices):
        return math.fsum(prices)
"""


def places(before: Version, after: Version, **named: bool) -> list[tuple[str, str | None, bool]]:
    return [(each.path, each.unit, each.needed) for each in find(before, after, **named)]


def find(before: Version, after: Version, *, named: bool = False, before_too: bool = False) -> list[Place]:
    files = []
    for path in sorted({*before, *after}):
        sides = [
            None if path not in version else Side(path, "100644", version[path].encode()) for version in (before, after)
        ]
        if before.get(path) != after.get(path):
            files.append(ChangedFile(*sides))
    return find_places(files, lambda _: before_too, lambda _: named)[0]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("price * RATE", "price * RATE + 0", [("tax", True)]),
        ("    # As the law has it.\n", "", []),
        ("@cached\n", "", [("tax", True)]),
        ("RATE = 0.2", "RATE = 0.20", [(None, False), ("tax", True)]),
        ("import math", "import numpy as math", [(None, False), ("Cart.total", True)]),
        ("limit = 9", "limit = 8", [("Cart", True)]),
        ("\n\nclass Cart", "\n\nregister(Cart)\n\n\nclass Cart", [(None, False), ("Cart", False)]),
        ("import math\n", "import math\nimport plugins\n", [(None, True)]),
        ("\n\nclass Cart", "\n\nclass Empty:\n    pass\n\n\nclass Cart", [("Empty", False)]),
    ],
)
def test_a_place_is_a_function_or_what_is_outside(old: str, new: str, wanted: list[tuple[str | None, bool]]) -> None:
    assert old in SHOP
    found = places({"shop.py": SHOP}, {"shop.py": SHOP.replace(old, new, 1)})
    assert found == [("shop.py", unit, needed) for unit, needed in wanted]


def test_lines_are_those_of_the_function_alone() -> None:
    (place,) = find({"shop.py": SHOP}, {"shop.py": SHOP.replace("limit = 9", "limit = 8")})
    assert place.lines == {12, 13, 14}


@pytest.mark.parametrize(
    ("path", "acts"),
    [
        ("shop/rates.json", True),
        ("bin/clean.sh", True),
        ("shop/orders.sql", True),
        ("README.md", False),
        ("tests/test_shop.py", False),
        (".github/workflows/ci.yml", False),
        (".editorconfig", False),
        (".env", True),
    ],
)
def test_files_without_mutants_may_act_too(path: str, acts: bool) -> None:
    assert places({path: "a: 1\n"}, {path: "a: 2\n"}) == ([(path, None, True)] if acts else [])


HALF = "def half(price, digits=2):\n    value = price / 2\n    return round(value, digits)\n"


def test_what_moves_is_no_place_and_neither_is_an_import_that_follows() -> None:
    user = "from shop.{} import half\n\n\ndef bill(price):\n    return half(price)\n"
    before = {"shop/old.py": f"{HALF}\n\n{SHOP}", "shop/bill.py": user.format("old")}
    after = {"shop/old.py": SHOP, "shop/new.py": HALF, "shop/bill.py": user.format("new")}
    assert places(before, after) == []
    other = {**after, "shop/bill.py": user.format("other")}
    assert places(before, other) == [("shop/bill.py", None, False), ("shop/bill.py", "bill", True)]
    changed = {**after, "shop/new.py": HALF.replace("digits=2", "digits=3")}
    assert places(before, changed) == [*places(before, other), ("shop/new.py", "half", True)]


def test_a_new_name_is_no_change_and_neither_is_a_call_that_follows() -> None:
    user = "def bill(price):\n    return {}(price) + 1\n"
    before, after = HALF + user.format("half"), HALF.replace("half", "halved") + user.format("halved")
    assert places({"shop.py": before}, {"shop.py": after}) == []
    assert places({"shop.py": before}, {"shop.py": after.replace("+ 1", "+ 2")}) == [("shop.py", "bill", True)]


def test_what_is_gone_counts_if_code_still_has_its_name() -> None:
    after = SHOP.replace("@cached\ndef tax(price):\n    # As the law has it.\n    return price * RATE\n\n\n", "")
    assert places({"shop.py": SHOP}, {"shop.py": after}) == []
    (gone,) = find({"shop.py": SHOP}, {"shop.py": after}, named=True)
    assert (gone.unit, gone.why) == ("tax", GONE)
    assert places({"shop.py": SHOP}, {}) == []


def test_tests_within_a_source_are_no_place() -> None:
    inner = "    use super::*;\n\n    #[test]\n    fn is_two() { assert_eq!(two(), 2); }\n"
    source = f"pub fn two() -> i32 {{ 2 }}\n\n#[cfg(test)]\nmod tests {{\n{inner}}}\n"
    after = source.replace("use super::*;", "use super::two;").replace("is_two", "gives_two")
    assert places({"src/lib.rs": source}, {"src/lib.rs": after}) == []
    assert places({"src/lib.rs": source}, {"src/lib.rs": source.replace("{ 2 }", "{ 1 + 1 }")}) == [
        ("src/lib.rs", "two", True)
    ]


SPLIT = "def split(text):\n    for word in text.split(' '):\n        print(word)\n    return text\n"


@pytest.mark.parametrize(
    ("before", "after", "unit"),
    [
        # The last line belongs to the loop now.
        ({"a.py": SPLIT}, {"b.py": SPLIT.replace("    return", "        return")}, "split"),
        ({"a.py": SPLIT}, {"a.py": SPLIT.replace("' '", "'  '")}, "split"),
        ({"a.py": SPLIT}, {"b.py": SPLIT.replace("' '", "'\t'").replace("split(text)", "parts(text)")}, "parts"),
        ({"a.py": "RATE = 1\nRATE = 2\n"}, {"a.py": "RATE = 2\nRATE = 1\n"}, None),
        ({"a.py": "if DEBUG:\n    RATE = 1\n"}, {"a.py": "if DEBUG:\n    pass\nRATE = 1\n"}, None),
        ({"plugins/a.py": "import registry\nregistry.add('a')\n"}, {}, None),
        # Only ``split`` moved, and ``join`` is another one there.
        (
            {"old.py": SPLIT, "use.py": "from old import join\n\n\ndef use():\n    join()\n"},
            {"new.py": SPLIT, "use.py": "from new import join\n\n\ndef use():\n    join()\n"},
            "use",
        ),
        (
            {"old.py": SPLIT, "use.py": "import old, new\n\n\ndef use():\n    old.join()\n"},
            {"new.py": SPLIT, "use.py": "import old, new\n\n\ndef use():\n    new.join()\n"},
            "use",
        ),
    ],
)
def test_what_only_looks_as_if_it_moved_is_a_place(before: Version, after: Version, unit: str | None) -> None:
    assert unit in {each.unit for each in find(before, after)}


@pytest.mark.parametrize("known", ["named", "before_too"])
def test_a_name_that_something_else_has_explains_nothing(known: str) -> None:
    """A call of another method of that name would be another call."""
    user = "def use(it):\n    return it.{}()\n"
    before = {"a.py": HALF, "use.py": user.format("half")}
    after = {"a.py": HALF.replace("half", "halved"), "use.py": user.format("halved")}
    assert places(before, after) == []
    assert ("use.py", "use", True) in places(before, after, **{known: True})


def test_the_order_of_imports_is_none() -> None:
    imports = "import b\nimport a\n\n\ndef use():\n    return a.x + b.x\n"
    assert places({"use.py": imports}, {"use.py": imports.replace("import b\nimport a", "import a\nimport b")}) == []


def test_a_large_file_takes_little_time() -> None:
    """What reads a file takes hardly more than in proportion to its length."""
    source = "\n\n".join(f"def f{number}(a):\n    return a + {number}\n" for number in range(4000))
    started = time.process_time()
    found = places({"a.py": f"RATE = 1\n\n{source}"}, {"a.py": f"RATE = 2\n\n{source.replace('a +', 'a -')}"})
    assert len(found) == 4001
    assert time.process_time() - started < 20


def test_an_attribute_of_a_file_is_a_place_and_one_of_a_function_is_its_own() -> None:
    """``#![cfg(…)]`` leaves the whole file out of the program."""
    source = "#[inline]\npub fn two() -> i32 {\n    2\n}\n"
    before = {"src/lib.rs": source}
    assert places(before, {"src/lib.rs": f'#![cfg(feature = "old")]\n{source}'}) == [("src/lib.rs", None, True)]
    assert places(before, {"src/lib.rs": source.replace("inline", "cold")}) == [("src/lib.rs", "two", True)]
