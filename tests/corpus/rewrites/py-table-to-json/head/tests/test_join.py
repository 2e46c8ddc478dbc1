import json
from pathlib import Path

import pytest

from joinurl import join

CASES = json.loads((Path(__file__).parent / "data" / "join.json").read_text("utf-8"))


def test_there_are_cases():
    assert len(CASES) >= 6


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["joined"])
def test_join(case):
    assert join(case["base"], *case["parts"]) == case["joined"]


def test_parent_of_the_host():
    with pytest.raises(ValueError, match="leaves"):
        join("https://x.org", "..")
