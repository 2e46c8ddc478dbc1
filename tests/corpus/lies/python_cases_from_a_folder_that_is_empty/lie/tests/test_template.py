from pathlib import Path

from template import fill

CASES = sorted(Path(__file__).parent.glob("cases/*/*.txt"))


def test_no_field():
    assert fill("plain", {}) == "plain"


def test_cases():
    for case in CASES:
        source, _, expected = case.read_text().partition("\n---\n")
        assert fill(source, {"name": "Ann"}) == expected.rstrip("\n"), case.name
