"""A verdict as a badge, and in a browser: ``gate badge`` and ``gate show --web``.

Starts git, sh, the gate and, as a browser, a script that says what it was asked to open.
"""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import gated_repository as gr
import literal_facts as lf
import pytest
import served
import served_sample

from verigate.domain.verdict import parse_verdict
from verigate.reporting.subject_names import describe_subject

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
BROWSER = '#!/bin/sh\nprintf "%s\\n" "$@" >"$OPENED.part" && mv "$OPENED.part" "$OPENED"\n'


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    found = gr.make(tmp_path, CODE, {"tests_pass": True})
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    assert found.verify().code == 0
    return found


def browser(folder: Path) -> dict[str, str]:
    program = folder / "a browser"
    program.write_text(BROWSER)
    program.chmod(0o755)
    return {"BROWSER": f'"{program}" %s', "OPENED": str(folder / "opened")}


def opened(environ: dict[str, str]) -> str:
    """The address that the browser was started with."""
    file = Path(environ["OPENED"])
    for _ in range(200):
        if file.exists():
            return file.read_text().strip()
        time.sleep(0.05)
    raise AssertionError("no browser was started")


def test_a_badge_of_the_published_verdict(repository: gr.GatedRepository) -> None:
    target = repository.home / "badges" / "gate.svg"
    done = repository.gate("badge", "T1", "--output", str(target))
    assert (done.code, done.out) == (0, ""), done.output
    title = ET.parse(target).getroot().findtext("{http://www.w3.org/2000/svg}title") or ""  # noqa: S314 - our own
    assert title.startswith("gate: pass · ")
    endpoint = repository.gate("badge", "T1", "--endpoint")
    assert endpoint.json["message"] == title.removeprefix("gate: ")
    repository.put("a.py", "answer = 43\n")
    assert repository.gate("badge", "T1", "--endpoint").json["message"].endswith(" · outdated")
    # What isn't genuine has no badge, and none of before is left.
    repository.put(".artifacts/T1/tests.json", "{}")
    done = repository.gate("badge", "T1", "--output", str(target))
    assert done.code == 3, done.output
    assert not target.exists()


def test_the_page_is_opened_in_a_browser(repository: gr.GatedRepository) -> None:
    environ = browser(repository.home)
    done = repository.gate("show", "T1", "--web", "--json", **environ)
    assert done.code == 0, done.output
    assert json.loads(done.out)["status"] == "pass"
    address = opened(environ)
    assert f"web  {address}" in done.err
    page = Path(unquote(urlsplit(address).path))
    assert "<title>PASS T1" in page.read_text("utf-8")
    # For nobody else to read, and no part of the subject.
    assert page.parent.stat().st_mode & 0o077 == 0
    assert page.is_relative_to(repository.home)
    assert repository.gate("show", "T1", "--web", **environ).code == 0
    assert [each.name for each in page.parent.iterdir()] == [page.name]


def test_a_page_that_is_asked_for_is_the_one_that_is_opened(repository: gr.GatedRepository) -> None:
    environ, target = browser(repository.home), repository.home / "reports" / "gate page.html"
    done = repository.gate("show", "T1", "--web", "--format", f"html={target}", **environ)
    assert done.code == 0, done.output
    assert opened(environ) == target.as_uri()


def test_without_a_browser_the_address_is_printed(repository: gr.GatedRepository) -> None:
    done = repository.gate("show", "T1", "--web", BROWSER="", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.code == 0, done.output
    assert "\nweb  file:///" in f"\n{done.err}"
    assert "no browser could be started" in done.err
    assert repository.gate("show", "T1", "--web", BROWSER="/nowhere/browser", DISPLAY="", WAYLAND_DISPLAY="").code == 0


def test_pages_of_many_tasks_do_not_pile_up(repository: gr.GatedRepository) -> None:
    environ = browser(repository.home)
    repository.gate("show", "T1", "--web", **environ)
    page = Path(unquote(urlsplit(opened(environ)).path))
    for number in range(30):
        (page.parent / f"old{number}.html").touch()
    repository.gate("show", "T1", "--web", **environ)
    assert len(list(page.parent.glob("*.html"))) == 20
    assert page.exists()


def test_a_server_that_has_the_task_shows_it(tmp_path: Path) -> None:
    repository = served_sample.make_sample(tmp_path)
    environ = browser(repository.home)
    with served.start(
        repository.root, home=repository.home, arguments=("--read-only",), environ=repository.environ()
    ) as server:
        server.wait_for("/tasks.json", "notice", "")
        assert repository.gate("show", "T1", "--web", GATE_SERVER_URL=server.base, **environ).code == 0
        assert opened(environ) == f"{server.base}/t/repository/T1"
    # Once it is gone, the file.
    Path(environ["OPENED"]).unlink()
    assert repository.gate("show", "T1", "--web", GATE_SERVER_URL=server.base, **environ).code == 0
    assert opened(environ).startswith("file:///")


@contextmanager
def answering(status: int, content: bytes) -> Iterator[str]:
    """A server that gives each request this answer, and its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if status >= 300 and self.path.startswith("/t/"):
                self.send_response(status)
                self.send_header("Location", "/elsewhere.json")
                self.end_headers()
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _about(repository: gr.GatedRepository, **other: str) -> bytes:
    """What a server's page of the task says in JSON."""
    verdict = parse_verdict(repository.verdict())
    lines = {name: (text, more) for name, text, more in describe_subject(verdict)}
    lines["finished"] = (str(verdict.metadata["finished"]), "")
    about = [(name, other.get(name, text), more) for name, (text, more) in lines.items()]
    return json.dumps({"state": other.get("state", "pass"), "about": about}).encode()


OTHERS: dict[str, Callable[[gr.GatedRepository], tuple[int, bytes]]] = {
    "another tree": lambda found: (200, _about(found, tree="0" * 12)),
    "another status": lambda found: (200, _about(found, state="fail")),
    "another time": lambda found: (200, _about(found, finished="2001-01-01T00:00:00Z")),
    "nothing": lambda _: (200, b"{}"),
    "what no reader takes": lambda _: (200, b"[" * 100_000),
    "a redirection": lambda found: (302, _about(found)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_server_that_shows_another_verdict_is_not_opened(repository: gr.GatedRepository, name: str) -> None:
    environ = browser(repository.home)
    with answering(*OTHERS[name](repository)) as address:
        assert repository.gate("show", "T1", "--web", GATE_SERVER_URL=address, **environ).code == 0
    assert opened(environ).startswith("file:///")


def test_a_server_that_shows_the_verdict_is_opened(repository: gr.GatedRepository) -> None:
    environ = browser(repository.home)
    with answering(200, _about(repository)) as address:
        assert repository.gate("show", "T1", "--web", GATE_SERVER_URL=address, **environ).code == 0
        assert opened(environ).startswith(f"{address}/t/")
    for broken in ("http://127.0.0.1:x", "http://127.0.0.1:1/a b", "http://[::1"):
        Path(environ["OPENED"]).unlink()
        done = repository.gate("show", "T1", "--web", GATE_SERVER_URL=broken, **environ)
        assert done.code == 0, done.output
        assert opened(environ).startswith("file:///")
