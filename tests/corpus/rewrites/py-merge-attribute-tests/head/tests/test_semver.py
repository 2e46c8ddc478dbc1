import pytest

from semver_lite import Version, parse


def test_all_parts():
    assert parse("1.22.3-rc.1+b7") == Version(major=1, minor=22, patch=3, pre="rc.1", build="b7")


def test_pre_and_build_are_optional():
    assert parse("0.1.0") == Version(0, 1, 0, pre=None, build=None)


def test_two_numbers_are_not_enough():
    with pytest.raises(ValueError, match="1.2"):
        parse("1.2")
