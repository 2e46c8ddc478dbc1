"""Keep of a page what a browser shows of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from content_adapter.rendering.chromium import start_browser
from content_adapter.rendering.ink import Ink, Pictures
from content_adapter.rendering.serving import Served
from content_adapter.rendering.windows import Window, choose_first, choose_others
from content_adapter.styles.visibility import UNREAD
from content_adapter.visible_text import NOT_SHOWN
from verigate.sdk import AdapterError, path_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, JSHandle, Page

_SCRIPT = Path(__file__).with_name("shown.js")
_MOST_PIECES = 100_000
_MOST_PICTURES = 400
"""Bounds of one page. What is beyond them is doubtful."""

_LOAD_MS = 30_000


class Status(IntEnum):
    """The numbers of ``shown.js``."""

    SHOWN = 0
    DOUBTFUL = 1
    HIDDEN = 2


_OF_INK = {
    Ink.FAINT: (Status.DOUBTFUL, "faint"),
    Ink.BLURRED: (Status.DOUBTFUL, "blur"),
    Ink.NONE: (Status.HIDDEN, "no-ink"),
    Ink.CUT: (Status.HIDDEN, "cut"),
    Ink.SMEARED: (Status.HIDDEN, "blur"),
}


@dataclass(slots=True)
class Verdicts:
    """A status and a reason for each piece of a page, and in the first window a digest of its styles."""

    statuses: list[Status]
    reasons: list[str]
    signatures: list[str]

    @classmethod
    def read(cls, measured: Iterable[Sequence[Any]]) -> Verdicts:
        """Read what ``measure`` of ``shown.js`` returns."""
        rows = list(measured)
        return cls([Status(row[0]) for row in rows], [str(row[1]) for row in rows], [str(row[2]) for row in rows])

    def set(self, index: int, status: Status, reason: str) -> None:
        """Replace the verdict on a piece."""
        self.statuses[index], self.reasons[index] = status, reason

    def list_painted(self) -> list[int]:
        """List the pieces that should be painted."""
        skipped = {"gradient", "unloaded", "folded"}
        return [
            n for n, status in enumerate(self.statuses) if status < Status.HIDDEN and self.reasons[n] not in skipped
        ]


@dataclass(slots=True)
class Renderer:
    """Renders pages, one after the other, in one browser that starts with the first. Close it at the end."""

    root: Path
    roots: Sequence[str]
    _browser: Browser | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def render(self, path: str, markup: str) -> str:
        """Return ``markup`` without what isn't shown, and with doubtful text in elements whose style is UNREAD.

        Raises AdapterError, which names ``path``, if there is no browser, or it can't show the page.
        """
        if self._browser is None:
            try:
                self._browser = self._stack.enter_context(start_browser(self.root))
            except AdapterError as error:
                raise AdapterError(error.message, where=path_text(path), hint=error.hint) from error
        from playwright.sync_api import Error

        served = Served(self.root, path, markup, self.roots)
        first = choose_first(markup)
        try:
            with ExitStack() as stack:
                context = self._browser.new_context(
                    viewport={"width": first.width, "height": first.height}, service_workers="block"
                )
                stack.callback(context.close)
                context.set_default_timeout(_LOAD_MS)
                context.route("**/*", served.answer)
                page = context.new_page()
                page.goto(served.url, wait_until="load")
                return _Look(page, context.new_cdp_session(page), first).look(served)
        except Error as error:
            reason = error.message.strip().splitlines()[0]
            raise AdapterError(
                f"Chromium can't show it: {reason}",
                where=path_text(path),
                hint='exclude it with "exclude" of the content adapter in config/adapters.json',
            ) from error

    def close(self) -> None:
        """End the browser."""
        self._browser = None
        self._stack.close()


class _Look:
    """One page in the browser."""

    def __init__(self, page: Page, session: CDPSession, first: Window) -> None:
        self._page, self._session, self._first = page, session, first
        self._pictures = 0
        self._may_move = True

    def look(self, served: Served) -> str:
        options = {"skip": f"{NOT_SHOWN},noscript", "most": _MOST_PIECES, "doubtful": f"{UNREAD}:1"}
        self._may_move = served.may_move
        script: JSHandle = self._page.evaluate_handle(_SCRIPT.read_text("utf-8"), options)
        found = self._measure(script, self._first)
        self._paint(script, found, found.list_painted())
        for index in script.evaluate("(it, statuses) => it.layout(statuses)", found.statuses):
            found.set(index, Status.DOUBTFUL, "upon")
        shown = list(found.statuses)
        for window in choose_others(self._first, served.styles):
            if not window.decides and Status.HIDDEN not in shown:
                continue
            other = self._measure(script, window)
            if window.decides:
                differ = [n for n in other.list_painted() if other.signatures[n] != found.signatures[n]]
                self._paint(script, other, differ)
            _combine(found, shown, other, window)
        if served.leaves_doubt:
            for index in found.list_painted():
                found.set(index, Status.DOUBTFUL, "unread")
        self._open(self._first)
        return str(script.evaluate("(it, statuses) => it.finish(statuses)", found.statuses))

    def _open(self, window: Window) -> None:
        self._page.set_viewport_size({"width": window.width, "height": window.height})
        self._page.emulate_media(media=window.media, color_scheme=window.scheme)

    def _measure(self, script: JSHandle, window: Window) -> Verdicts:
        self._open(window)
        script.evaluate("(it, ms) => it.stop(ms)", window.after_ms)
        return Verdicts.read(script.evaluate("it => it.measure()"))

    def _paint(self, script: JSHandle, found: Verdicts, wanted: Sequence[int]) -> None:
        """Judge the ink of the wanted pieces where they come by, and of those that fail in the middle of the window."""
        failed = self._pass(script, wanted, found.set, centred=False)
        self._pass(script, sorted(failed), found.set, centred=True)

    def _pass(
        self, script: JSHandle, wanted: Sequence[int], tell: Callable[[int, Status, str], None], *, centred: bool
    ) -> set[int]:
        """Return the pieces that may only be covered at the edge of the window, by what doesn't scroll."""
        pending, failed = dict.fromkeys(wanted), set[int]()
        while pending:
            first = next(iter(pending))
            if self._pictures >= _MOST_PICTURES:
                for index in pending:
                    tell(index, Status.DOUBTFUL, "unmeasured")
                return set()
            near = [index for index, _ in zip(pending, range(3000), strict=False)]
            placed = script.evaluate(
                "(it, [first, centred, near]) => it.place(first, centred, near)", [first, centred, near]
            )
            if first not in {entry[0] for entry in placed}:
                tell(first, Status.HIDDEN, "outside")
                del pending[first]
            if not placed:
                continue
            ink, moves = self._picture(script)
            for index, final, is_image, length, boxes in placed:
                if moves is not None and moves.differ(boxes):
                    tell(index, Status.DOUBTFUL, "moves")
                    del pending[index]
                    continue
                seen = ink.judge(boxes, length, is_image=is_image)
                if seen in {Ink.PLAIN, Ink.FAINT, Ink.BLURRED} or final:
                    if seen in _OF_INK:
                        tell(index, *_OF_INK[seen])
                elif centred:
                    continue
                else:
                    failed.add(index)
                del pending[index]
        return failed

    def _picture(self, script: JSHandle) -> tuple[Pictures, Pictures | None]:
        """Take pictures with and without text; also two with text, if these differ because something moves."""
        self._pictures += 1
        before = self._shoot()
        script.evaluate("it => it.ink(false)")
        bare = self._shoot()
        script.evaluate("it => it.ink(true)")
        after = self._shoot() if self._may_move else before
        return Pictures(after, bare), None if before == after else Pictures(before, after)

    def _shoot(self) -> bytes:
        made = self._session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return base64.b64decode(made["data"])


def _combine(found: Verdicts, shown: Sequence[Status], other: Verdicts, window: Window) -> None:
    """Leave open what one window shows and another one doesn't, but for what the first one paints without a trace."""
    unseen = {reason for status, reason in _OF_INK.values() if status is Status.HIDDEN}
    for index, status in enumerate(other.statuses):
        lost = window.decides and shown[index] == Status.SHOWN and status != Status.SHOWN
        found_again = shown[index] == Status.HIDDEN != status and found.reasons[index] not in unseen
        if lost or found_again:
            found.set(index, Status.DOUBTFUL, window.name)
