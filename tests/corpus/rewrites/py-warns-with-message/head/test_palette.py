import warnings

import pytest

from palette import colour


def test_colour():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert colour("red") == "#f00"


def test_old_name():
    with pytest.warns(DeprecationWarning, match="^lime is called green now$") as caught:
        assert colour("lime") == "#0f0"
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_unknown():
    with pytest.raises(KeyError):
        colour("mauve")
