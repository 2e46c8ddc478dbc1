"""Compare words as read without a browser with words as Chromium shows them, on pages that nobody here wrote.

    .venv/bin/python tests/bench/rendered.py [--most N] FOLDER...

Each folder is taken for a subject of its own. Prints a line for each page on which the counts differ by more than 2 in
100, with the reasons of what isn't counted, then the times of the start and of a page (wall clock, own).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

for _room in ("src", "adapters/content/src"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / _room))

from content_adapter.reading.page import read_page  # noqa: E402 (an adapter is on no path of its own)
from content_adapter.rendering import render  # noqa: E402 (an adapter is on no path of its own)
from content_adapter.rendering.render import Renderer, Status, Verdicts  # noqa: E402 (an adapter is on no path of its own)
from content_adapter.word_count import count_words  # noqa: E402 (an adapter is on no path of its own)

_SUFFIXES = (".html", ".htm", ".md", ".adoc")
_LARGEST = 200_000
_SEEN: list[Verdicts] = []


class _Watched(Verdicts):
    """Keeps the verdicts on the page that is rendered; the first are those that count."""

    @classmethod
    def read(cls, measured):  # type: ignore[no-untyped-def]
        found = super().read(measured)
        _SEEN.append(found)
        return found


def main() -> None:
    """Print what the two ways of reading find."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=20, help="pages of each folder")
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    render.Verdicts = _Watched  # type: ignore[misc]
    walls, owns, starts, differ, total = [], [], [], 0, 0
    for folder in options.folders:
        renderer = Renderer(folder, ("",))
        begun = time.monotonic()
        renderer.render("start.html", "<!doctype html><p>one")
        starts.append(time.monotonic() - begun)
        for path in _list_pages(folder, options.most):
            static, raw = read_page(folder, path), read_page(folder, path, sheets=False)
            sure, most = count_words(static.text()), count_words(static.text(doubtful=True))
            _SEEN.clear()
            wall, own = time.monotonic(), time.process_time()
            shown = raw.with_shown(renderer.render(path, raw.markup_to_show))
            walls.append(time.monotonic() - wall)
            owns.append(time.process_time() - own)
            found, perhaps = count_words(shown.text()), count_words(shown.text(doubtful=True))
            total += 1
            if abs(found - sure) > 0.02 * max(found, sure):
                differ += 1
                why = Counter(
                    f"{status.name.lower()} {reason}"
                    for status, reason in zip(_SEEN[0].statuses, _SEEN[0].reasons, strict=True)
                    if status is not Status.SHOWN
                )
                print(f"{folder}/{path}: read {sure} ({most}), shown {found} ({perhaps}) {json.dumps(why)}")
        renderer.close()
    print(f"{total} pages, {differ} differ by more than 2 in 100; load {os.getloadavg()[0]:.0f}")
    middle = statistics.median
    print(f"start {middle(starts):.1f} s; a page {middle(walls):.1f} s (median), own {middle(owns):.2f} s")


def _list_pages(folder: Path, most: int) -> list[str]:
    """The pages of the folder in which an author may have hidden something, evenly taken."""
    every = sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.suffix in _SUFFIXES and path.is_file() and 2000 < path.stat().st_size < _LARGEST
    )
    pages = [path for path in every if read_page(folder, path, sheets=False).has_html]
    return pages[:: max(1, len(pages) // most)][:most]


if __name__ == "__main__":
    main()
