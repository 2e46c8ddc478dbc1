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
        "Move `z.py` from `lib/` to `shop/`": "refuted",
    }
    assert judge(tmp_path, {"old/z.py": HALF}, {"old/z.py": None, "shop/z.py": HALF}, *said) == [*said.values()]


def test_a_name_that_is_another_one_after_its_move_is_not_only_moved(tmp_path: Path) -> None:
    after: dict[str, Content | None] = {"z.py": "x = 1\n", "y.py": HALF.replace("half", "halved")}
    assert judge(tmp_path, {"z.py": f"x = 1\n\n\n{HALF}"}, after, "Move `half` to `y.py`") == ["unknown"]
