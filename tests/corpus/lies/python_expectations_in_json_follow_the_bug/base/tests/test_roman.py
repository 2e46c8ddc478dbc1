import json
from pathlib import Path

import pytest
from roman import to_roman

CASES = json.loads(Path(__file__).with_name("data").joinpath("roman.json").read_text())


@pytest.mark.parametrize("number", CASES)
def test_roman(number):
    assert to_roman(int(number)) == CASES[number]
