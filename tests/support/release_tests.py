"""Tests that a whole run leaves out unless it is asked for them by ``--release``.

They take long, and each is much like one that always runs: those marked ``release``; and of a test in
``tests/integration``, or marked ``slow``, that has three cases or more, all but the first and a quarter of the others,
unless it chooses them itself or is marked ``every_case``. What is named on the command line runs in any case.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

_LEFT_OUT = pytest.StashKey[bool]()
_HANDED = "release_left_out"
_MANY = 3
"""Cases of a slow test, of which some are enough between releases."""
_ONE_IN = 4
"""Of the cases of a slow test after the first."""
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
    """Decide in the process that was called, and hand that to its workers if it has some."""
    if hasattr(config, "workerinput"):
        config.stash[_LEFT_OUT] = config.workerinput[_HANDED]
    else:
        whole = config.args_source == pytest.Config.ArgsSource.TESTPATHS
        config.stash[_LEFT_OUT] = whole and not config.getoption("release", False)
        if config.pluginmanager.hasplugin("xdist"):
            config.pluginmanager.register(_Handing(config.stash[_LEFT_OUT]))


class _Handing:
    """Hands to each of xdist's workers whether the tests are left out."""

    def __init__(self, left_out: bool) -> None:
        self._left_out = left_out

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_HANDED] = self._left_out


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remove the tests that are left for a release, and say so as pytest does of what ``-m`` leaves out."""
    if config.stash[_LEFT_OUT]:
        left = [item for item in items if item.get_closest_marker("release") is not None]
        integration = config.rootpath / "tests/integration"
        left += _most_cases(
            item
            for item in items
            if (item.path.is_relative_to(integration) or item.get_closest_marker("slow") is not None)
            and item.get_closest_marker("every_case") is None
        )
        out = {item.nodeid for item in left}
        items[:] = [item for item in items if item.nodeid not in out]
        config.hook.pytest_deselected(items=left)


def _most_cases(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """All cases but the first and a quarter of the others of each test that marks none: the same each time."""
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    return [
        item
        for of_one in cases.values()
        if len(of_one) >= _MANY and all(item.get_closest_marker("release") is None for item in of_one)
        for item in of_one[1:]
        if zlib.crc32(item.nodeid.encode()) % _ONE_IN
    ]


def describe(config: pytest.Config) -> str:
    """What a whole run says about them, empty if it ran them."""
    return "left for a release: bin/test --release runs them too" if config.stash[_LEFT_OUT] else ""
