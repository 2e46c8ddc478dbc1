"""Adapters that take what they don't declare, and changes that would tire a reader: network, memory, length."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator

from repositories import Ended, Repository

from cases.adapters import CHECK, WRITE, adapters_project, python
from cases.pair import pair
from cases.samples import TEST_CALC
from cases.weakened import WEAKENED, weaken

_ASK = "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}/', timeout=5).read()\n"
_ASK_ITSELF = (
    "import http.server, threading, urllib.request\n"
    "server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n"
    "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
    "urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/', timeout=5).read()\n"
)
_TAKE = "taken = bytearray({mib} << 20)\nfor place in range(0, len(taken), 4096):\n    taken[place] = 1\n"
_NOTES = "# a note on what is tested, as long as anybody likes\n" * 15_000


@contextlib.contextmanager
def _machine_s_server() -> Iterator[int]:
    """A server of the machine's own network, with answers that nobody verified."""
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pair(3, "ADAPTER_CRASH", f"capability:{CHECK}")
def it_asks_the_machine_s_network_without_declaring_that(repo: Repository, lie: bool) -> Ended:
    with _machine_s_server() as port:
        adapters_project(repo, python((_ASK.format(port=port) if lie else _ASK_ITSELF) + WRITE))
        return repo.verify()


@pair(3, "ADAPTER_CRASH", f"capability:{CHECK}")
def it_takes_more_memory_than_it_declares(repo: Repository, lie: bool) -> Ended:
    sandbox = {"tools": ["python3"], "timeout": 60, "network": False, "memory_mb": 200}
    adapters_project(repo, python(_TAKE.format(mib=600 if lie else 20) + WRITE), sandbox=sandbox)
    return repo.verify()


@pair(*WEAKENED, language="Python")
def a_test_is_emptied_below_many_lines_of_comments(repo: Repository, lie: bool) -> Ended:
    """A reader that gives up, or that takes until its time is up, would let it pass."""
    after = TEST_CALC.replace("assert double(2) == 4", "double(2)") if lie else f"{TEST_CALC}\n"
    assert not lie or after != TEST_CALC
    return weaken(repo, {"tests/test_calc.py": _NOTES + TEST_CALC}, {"tests/test_calc.py": _NOTES + after})
