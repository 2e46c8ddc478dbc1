import warnings

import pytest

from palette import colour


def test_colour():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert colour("red") == "#f00"
    assert len(caught) == 0


def test_old_name():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert colour("lime") == "#0f0"
    assert len(caught) == 1
    assert caught[0].category is DeprecationWarning
    assert caught[0].filename == __file__


def test_unknown():
    with pytest.raises(KeyError):
        colour("mauve")
