"""The application of ``gate serve`` without a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import literal_facts as literal
import published_tasks as published
import served_sample
from starlette.testclient import TestClient

from verigate.composition.serve import make_site
from verigate.serve.web.access import Access
from verigate.serve.web.app import make_app

TOKEN = "t" * 24
BASE = "http://127.0.0.1:8642"
GATE = (sys.executable, "-I", "-m", "verigate")


def make_root(parent: Path) -> Path:
    """A repository ``shop`` with a task of each state."""
    folder = parent / "shop"
    folder.mkdir()
    served_sample.publish_refuted(folder)
    served_sample.publish_hostile(folder)
    published.publish_task(folder, "broken", literal.GOOD, served_sample.RULES, actor="alice")
    tests = folder / ".artifacts/broken/tests.json"
    tests.write_bytes(tests.read_bytes().replace(b'"failed": 0', b'"failed": 1'))
    (folder / ".artifacts/open").mkdir()
    (folder / ".artifacts/open/commitment.json").write_text('{"task_id": "open", "type": "every"}')
    return folder


def client_of(root: Path, home: Path, **rules: Any) -> TestClient:
    access = Access("127.0.0.1", 8642, TOKEN, **rules)
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    site = make_site(access, environ, GATE, repository=root, folders=(), rebuild=False)
    site.watcher.look()
    return TestClient(make_app(site), base_url=BASE, follow_redirects=False)
