import pytest

from semver_lite import parse

TEXT = "1.22.3-rc.1+b7"


def test_major():
    assert parse(TEXT).major == 1


def test_minor():
    assert parse(TEXT).minor == 22


def test_patch():
    assert parse(TEXT).patch == 3


def test_pre():
    assert parse(TEXT).pre == "rc.1"


def test_build():
    assert parse(TEXT).build == "b7"


def test_pre_is_optional():
    assert parse("0.1.0").pre is None
    assert parse("0.1.0").build is None


def test_two_numbers_are_not_enough():
    with pytest.raises(ValueError):
        parse("1.2")
