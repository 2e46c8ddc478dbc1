"""What every test run has, also one with workers: their controller reads only this conftest before it reports."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import failures_at_once
import pytest
import release_tests
import reused_passes
from hypothesis import settings
from twin_tally import pytest_terminal_summary

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["pytest_terminal_summary"]

# Projects that are material of tests, with tests of their own.
collect_ignore = ["corpus"]

# What a test starts writes no bytecode beside the sources. The tests themselves take half as long to collect with it.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
sys.dont_write_bytecode = False

# What bin/test --fast asks for: a quarter of the examples, and as with all of them the same ones each time.
settings.register_profile(
    "quick", settings.get_profile("ci"), max_examples=settings.get_profile("ci").max_examples // 4
)

# What the gate does otherwise in CI is set by the tests of it: CI shows nothing else than a developer's machine.
for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI"):
    os.environ.pop(name, None)

# A shell without job control starts its background jobs with SIGINT ignored, and nohup with SIGHUP, and so would every
# process that a test starts and interrupts.
for number, action in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, action)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Without this file, where pytest is given other paths than those of the project, there is no such option."""
    reused_passes.add_option(parser)
    release_tests.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """After pytest's cache, which keeps the passes."""
    reused_passes.register(config)
    failures_at_once.register(config)
    release_tests.register(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow ones first: workers take from each other's ends, and end together where what is left is quick."""
    release_tests.leave_out(config, items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What was found stays to the end. Looking through it for garbage takes a part of every test's time."""
    gc.freeze()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright  # few modules open pages

    program = shutil.which("chromium")
    assert program is not None, "bin/test installs chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, env=dict(os.environ))
        yield started
        started.close()
