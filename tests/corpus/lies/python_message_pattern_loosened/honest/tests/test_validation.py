import pytest
from validation import validate


def test_age_is_needed():
    with pytest.raises(ValueError, match=r"\Aage is missing\Z"):
        validate({"name": "ann"})


def test_complete():
    assert validate({"name": "ann", "age": 3}) == {"name": "ann", "age": 3}
