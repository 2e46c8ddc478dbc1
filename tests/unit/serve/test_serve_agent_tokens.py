"""Tokens of agents: each reads one task while it is verified, and nothing else. A server listens, programs ask it."""

from __future__ import annotations

import base64
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
import uvicorn
from msgspec.structs import replace
from served_client import BASE, TOKEN, make_root
from starlette.testclient import TestClient

from verigate.composition.serve import make_site
from verigate.domain.engine import AGENT_TOKEN, AGENT_URL, EngineCapabilities
from verigate.serve.agent_tokens import AUDIENCE, ISSUER, LONGEST_S, AgentTokens
from verigate.serve.web.access import Access
from verigate.serve.web.app import make_app
from verigate.serve.web.problems import PREFIX
from verigate.verifier.lifecycle.command import build_environment
from verigate.verifier.programs.claude import PROGRAM as CLAUDE

TASK = f"{PREFIX}/repositories/shop/tasks/refuted"


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("needs_token", [False, True])
def test_a_token_reads_its_task_and_nothing_else(tmp_path: Path, needs_token: bool) -> None:
    tokens = AgentTokens(PREFIX)
    access = Access("127.0.0.1", 8642, TOKEN, reads_need_token=needs_token, tokens=tokens)
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    site = make_site(access, environ, ("false",), repository=make_root(tmp_path), folders=(), rebuild=False)
    site.watcher.look()
    with TestClient(make_app(site), base_url=BASE, follow_redirects=False) as client:
        token, path = tokens.issue("shop", "refuted")
        assert path == TASK
        for own in (TASK, f"{TASK}/checks", f"{TASK}/artifacts/tests.json"):
            assert client.get(own, headers=bearer(token)).status_code == 200, own
        for other in (
            f"{PREFIX}/repositories/shop/tasks/hostile",
            f"{TASK}2",
            f"{TASK}/../hostile",
            f"{TASK}/%2e%2e/hostile",
            f"{PREFIX}/tasks",
            "/tasks",
            "/t/shop/refuted",
            "/events?about=tasks",
        ):
            assert client.get(other, headers=bearer(token)).status_code == 403, other
        for change in (f"{TASK}/verify", f"{TASK}/false-blocks", f"{PREFIX}/repositories/shop/doctor"):
            assert client.post(change, headers=bearer(token)).status_code in {401, 403}, change
        # Without it only loopback reads.
        assert client.get(TASK).status_code == (401 if needs_token else 200)
        tokens.revoke(token)
        assert client.get(TASK, headers=bearer(token)).status_code == (401 if needs_token else 200)


def test_what_is_not_ours_or_is_over_allows_nothing() -> None:
    clock = [1_000_000.0]
    tokens = AgentTokens(PREFIX, lambda: clock[0])
    token, _ = tokens.issue("shop", "T1")
    assert tokens.read(token) is not None
    head, body, sign = token.split(".")
    claims = jwt.decode(token, options={"verify_signature": False})
    assert (claims["iss"], claims["exp"] - claims["iat"]) == (ISSUER, LONGEST_S)

    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    other = {**claims, "sub": f"{PREFIX}/repositories/shop/tasks/T2"}
    for forged in (
        "",
        "..",
        "a.b.c",
        f"{head}.{body}.",
        f"{part({'alg': 'none', 'typ': 'JWT'})}.{body}.",
        f"{head}.{part(other)}.{sign}",
        jwt.encode(other, b"k" * 32, algorithm="HS256"),
        jwt.encode(other, tokens._key, algorithm="HS512" if len(tokens._key) >= 64 else "HS256") + "x",
        jwt.encode({**claims, "aud": "another"}, tokens._key, algorithm="HS256"),
        jwt.encode({name: value for name, value in claims.items() if name != "exp"}, tokens._key, algorithm="HS256"),
        jwt.encode({**claims, "jti": "0" * 32, "aud": AUDIENCE}, tokens._key, algorithm="HS256"),
        AgentTokens(PREFIX).issue("shop", "T1")[0],
        token * 100,
    ):
        assert tokens.read(forged) is None, forged[:80]
    clock[0] += LONGEST_S
    assert tokens.read(token) is None


def test_only_an_engine_that_declares_it_is_given_the_token() -> None:
    environ = {AGENT_URL: "http://127.0.0.1:1/api", AGENT_TOKEN: "a.b.c", "GATE_SERVE_TOKEN": TOKEN, "PATH": "/bin"}
    wants = replace(CLAUDE, capabilities=EngineCapabilities(supports_local_agent_jwt=True))
    given = build_environment(wants, environ, ())
    assert (given[AGENT_URL], given[AGENT_TOKEN]) == (environ[AGENT_URL], "a.b.c")
    assert "GATE_SERVE_TOKEN" not in given
    # Nor does a user's list of variables bring it to another.
    for names in ((), (AGENT_TOKEN, "GATE_*")):
        assert not {AGENT_URL, AGENT_TOKEN} & build_environment(CLAUDE, environ, names).keys()
    assert AGENT_TOKEN not in build_environment(wants, {"PATH": "/bin"}, ())


ASKS = """\
import json, os, sys, urllib.error, urllib.request
def ask(url, method="GET"):
    headers = {"authorization": f"Bearer {os.environ['GATE_AGENT_TOKEN']}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method, headers=headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as problem:
        return problem.code
url = os.environ["GATE_AGENT_URL"]
statuses = [ask(url), ask(url + "/statements"), ask(url.replace("refuted", "hostile")), ask(url + "/verify", "POST")]
print(json.dumps({"statuses": statuses, "token": os.environ["GATE_AGENT_TOKEN"], "url": url}))
"""


def test_what_verifies_can_ask_the_server_until_it_has_ended(tmp_path: Path) -> None:
    """In place of the gate a program runs that does what an engine may do: asks, with what it was given."""
    (tmp_path / "asks.py").write_text(ASKS)
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
        access = Access("127.0.0.1", port, TOKEN, reads_need_token=True, tokens=AgentTokens(PREFIX))
        environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        gate = (sys.executable, "-I", str(tmp_path / "asks.py"))
        site = make_site(access, environ, gate, repository=make_root(tmp_path), folders=(), rebuild=False)
        server = uvicorn.Server(uvicorn.Config(make_app(site), log_level="error"))
        thread = threading.Thread(target=server.run, args=([place],))
        thread.start()
        try:
            import httpx2

            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=bearer(TOKEN), timeout=60) as client:
                run = client.post(f"{TASK}/verify").raise_for_status().json()
                until = time.monotonic() + 60
                while run["state"] != "ended":
                    assert time.monotonic() < until, run
                    time.sleep(0.1)
                    run = client.get(f"{PREFIX}/runs/{run['id']}").json()
                asked = json.loads(run["output"])
                assert asked["statuses"] == [200, 200, 403, 403], run
                assert asked["url"] == f"http://127.0.0.1:{port}{TASK}"
                assert client.get(TASK, headers=bearer(asked["token"])).status_code == 401
        finally:
            server.should_exit = True
            thread.join()
