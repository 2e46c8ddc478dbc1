"""Find and start the machine's Chromium, without its own network, scripts of pages, or moving images."""

from __future__ import annotations

import importlib.util
import os
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.sdk import AdapterError
from verigate.sdk.errors import ExtraMissing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "google-chrome")
"""Programs to look for on PATH, in this order."""

HINT = (
    "install Chromium (Debian: apt-get install chromium); "
    'words_rendered of the profile asks for it, or "rendered" of the content adapter in config/adapters.json'
)
_START_MS = 60_000
_STILL = "imageAnimationPolicy=2"
"""Animated images stay at their first frame, so that two pictures of a page differ by nothing but its text."""

_OPTIONS = (
    "--disable-gpu",
    "--font-render-hinting=none",
    # The other settings are playwright's own, for a mouse: the last such option replaces all before it.
    f"--blink-settings={_STILL},primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    "--disable-background-networking",
    # Where there is no network namespace: a hint to connect to a host isn't a request that could be answered.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def find_lack(root: Path) -> AdapterError | None:
    """Find what is missing to render pages; None if nothing is. Imports and starts nothing."""
    program = find_chromium(root)
    if program is None:
        return AdapterError("Chromium isn't installed, which renders pages", hint=HINT)
    if importlib.util.find_spec("playwright") is None:
        return AdapterError(ExtraMissing("render", ["playwright"], program).message)
    return None


def find_chromium(root: Path) -> str | None:
    """Return the absolute path of the first of NAMES on PATH that isn't a file of the subject below ``root``."""
    for name in NAMES:
        found = shutil.which(name, path=os.environ.get("PATH"))
        if found is not None and not Path(found).resolve().is_relative_to(root.resolve()):
            return _skip_wrapper(Path(found).resolve())
    return None


def _skip_wrapper(program: Path) -> str:
    """Return what a script starts in the end: Debian's needs programs that aren't on an adapter's PATH."""
    with program.open("rb") as stream:
        is_script = stream.read(2) == b"#!"
    behind = Path("/usr/lib") / program.name / program.name
    return str(behind if is_script and os.access(behind, os.X_OK) else program)


@contextmanager
def start_browser(root: Path) -> Iterator[Browser]:
    """Start a browser, and end it with the block. Raises AdapterError if something is missing or it doesn't start."""
    lack, program = find_lack(root), find_chromium(root)
    if lack is not None or program is None:
        raise lack or AdapterError("Chromium is gone", hint=HINT)
    from playwright.sync_api import Error, sync_playwright

    with _own_memory():
        running = sync_playwright().start()
    try:
        try:
            browser = _launch(running, program)
        except Error as error:
            lines = error.message.strip().splitlines()
            # What it printed before its end says more than that it ended.
            printed = [line.partition("[err]")[2].strip() for line in lines if "[err]" in line] or lines
            raise AdapterError(f"Chromium doesn't start: {printed[0]}", where=program, hint=HINT) from error
        try:
            yield browser
        finally:
            browser.close()
    finally:
        running.stop()


def _launch(running: Playwright, program: str) -> Browser:
    # The sandbox around the adapter holds the browser too; inside it, there is no room for one of its own.
    return running.chromium.launch(executable_path=program, args=list(_OPTIONS), timeout=_START_MS)


@contextmanager
def _own_memory() -> Iterator[None]:
    """Lift the soft limit of address space, which bounds parsers: V8 reserves far more than it uses."""
    bound, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (bound, most))
