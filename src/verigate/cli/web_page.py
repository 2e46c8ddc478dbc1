"""Open a task in a browser: its page on a server that runs, else the HTML report as a file."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import HTTPRedirectHandler

from verigate.cli.output import say
from verigate.cli.server_page import find_page
from verigate.evidence.store import Published
from verigate.user_folders import UserFolders

_KEPT = 20
"""Pages that are kept; the oldest go."""

_TIMEOUT_S = 2
_MOST_BYTES = 32 * 1024 * 1024


def open_page(html: Path, *, root: Path, published: Published, environ: Mapping[str, str]) -> None:
    """Open the task's page on the server that the environment names, else the file ``html``; print the address.

    The server's page counts only if it shows this verdict: another repository may have the same name there. Where there
    is no browser to start, the address is all.
    """
    address = _find_on_server(find_page(root, published.folder.name, environ), published) or html.absolute().as_uri()
    say(f"web  {address}", err=True)
    if not _start_browser(address, environ):
        say("no browser could be started; open that address, or name a program in BROWSER", err=True)


def choose_file(root: Path, task_id: str, environ: Mapping[str, str]) -> Path:
    """Return the file for a task's page: in the user's cache, the same one each time, and only for the user to read."""
    folder = UserFolders(environ, str(root)).cache("pages")
    if folder is None:
        from tempfile import mkdtemp

        return Path(mkdtemp(prefix="verigate-"), f"{task_id}.html")
    Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
    mine = Path(folder, f"{digest}-{task_id}.html")
    others = [each for each in Path(folder).glob("*.html") if each != mine]
    for old in sorted(others, key=lambda each: each.lstat().st_mtime, reverse=True)[_KEPT - 1 :]:
        old.unlink(missing_ok=True)
    return mine


def _find_on_server(page: str, published: Published) -> str | None:
    """Return the address of the task's page if a server answers there that it shows this verdict."""
    if not page:
        return None
    import http.client
    import json
    import urllib.request

    try:
        # An error of a handler that has no way on, rather than a redirection that is followed.
        opener = urllib.request.build_opener(_NoRedirection)
        with opener.open(f"{page}.json", timeout=_TIMEOUT_S) as answer:
            shown = json.loads(answer.read(_MOST_BYTES))
        return page if _shows(shown, published) else None
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return None


def _shows(shown: Any, published: Published) -> bool:
    """Whether the JSON of a task's page is about this verdict: its status, its subject and when it was made."""
    from verigate.domain.verdict import parse_verdict
    from verigate.reporting.subject_names import describe_subject

    verdict = parse_verdict(published.verdict)
    if not isinstance(shown, dict) or shown.get("state") != verdict.status.value:
        return False
    wanted = [("finished", str(verdict.metadata.get("finished")), ""), *describe_subject(verdict)]
    about = shown.get("about")
    return isinstance(about, list) and all(list(line) in about for line in wanted)


class _NoRedirection(HTTPRedirectHandler):
    """Leaves a redirection the error that it is without a handler."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


def _start_browser(address: str, environ: Mapping[str, str]) -> bool:
    import webbrowser

    # Without a display there are browsers for terminals, which would draw into a file.
    if not any(environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")) and (
        sys.platform.startswith("linux") and not sys.stdout.isatty()
    ):
        return False
    try:
        return webbrowser.open(address)
    except (OSError, webbrowser.Error):
        return False
