import pytest
from validation import validate


def test_age_is_needed():
    with pytest.raises(ValueError, match=r"^age is missing$"):
        validate({"name": "ann"})


def test_complete():
    assert validate({"name": "ann", "age": 3}) == {"name": "ann", "age": 3}
