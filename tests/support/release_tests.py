"""Tests marked ``release``, which a whole run leaves out unless it is asked for them by ``--release``.

They take long, and each is much like one that always runs. What is named on the command line runs in any case.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

_LEFT_OUT = "release_left_out"
_Case = TypeVar("_Case")


def some_always(
    cases: Iterable[_Case],
    name: Callable[[_Case], str],
    always: Callable[[_Case], bool] = lambda _: False,
    *,
    one_in: int = 2,
) -> list[Any]:
    """Parameters of tests that are much alike: all but one in ``one_in``, the same each time, are left for a release.

    Those of which ``always`` holds are not.
    """
    return [
        pytest.param(
            case,
            id=name(case),
            marks=() if always(case) or zlib.crc32(name(case).encode()) % one_in == 0 else pytest.mark.release,
        )
        for case in cases
    ]


def left_for_a_release(*cases: object) -> list[Any]:
    """Parameters that are left for a release, beside some that always run."""
    return [pytest.param(case, marks=pytest.mark.release) for case in cases]


def add_option(parser: pytest.Parser) -> None:
    """Add ``--release``."""
    parser.addoption("--release", action="store_true", help="also run what is run before each release and once a week")


def register(config: pytest.Config) -> None:
    """Decide in the process that was called; xdist hands the options of that one to its workers."""
    if not hasattr(config, "workerinput"):
        whole = config.args_source == pytest.Config.ArgsSource.TESTPATHS
        setattr(config.option, _LEFT_OUT, whole and not config.getoption("release", False))


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remove the tests that are left for a release."""
    if getattr(config.option, _LEFT_OUT, False):
        items[:] = [item for item in items if item.get_closest_marker("release") is None]


def describe(config: pytest.Config) -> str:
    """What a whole run says about them, empty if it ran them."""
    return "left for a release: bin/test --release runs them too" if getattr(config.option, _LEFT_OUT, False) else ""
