"""An engine that declares ``supportsLocalAgentJwt``, asked by a verification that a real server started.

The engine is what ``gate engine new`` makes, with a program that asks the API: with its token, without one, and for
more than the token allows. The same engine without the flag is given none.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest
import served

ASK = """

def ask_server():
    import os, pathlib, urllib.error, urllib.request

    def ask(url, method="GET", token=None):
        headers = {"authorization": f"Bearer {token}"} if token else {}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method=method, headers=headers)) as answer:
                return answer.status
        except urllib.error.HTTPError as problem:
            return problem.code

    url, token = os.environ.get("GATE_AGENT_URL"), os.environ.get("GATE_AGENT_TOKEN")
    found = {"url": url, "token": token}
    if url:
        found["statuses"] = {
            "the task": ask(url, token=token),
            "another task": ask(url[:-2] + "T2", token=token),
            "a change": ask(url + "/verify", "POST", token=token),
            "a change by a forged token": ask(url + "/verify", "POST", token=token[:-2] + "xx"),
            "a change without a token": ask(url + "/verify", "POST"),
        }
    pathlib.Path(__file__).with_name("found.json").write_text(json.dumps(found))


"""


def _make_engine(repository: gr.GatedRepository, *, declared: bool) -> Path:
    """Make the engine in the user's folder; return the file in which it writes what it was answered."""
    assert repository.gate("engine", "new", "asking", "--kind", "program").code == 0
    folder = repository.home / ".config/verigate/engines/asking"
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["engine"]["capabilities"] |= {"supportsLocalAgentJwt": declared}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    program = folder / "bin/asking"
    text = (
        program.read_text()
        .replace("def main()", f"{ASK}def main()")
        .replace("    prompt = sys.stdin.read()\n", "    prompt = sys.stdin.read()\n    ask_server()\n")
    )
    program.write_text(text)
    return folder / "bin/found.json"


@pytest.mark.slow
@pytest.mark.parametrize(
    "declared", [pytest.param(True, id="declared"), pytest.param(False, id="not declared", marks=pytest.mark.release)]
)
def test_an_engine_reads_its_task_by_the_token_that_it_declared(declared: bool, tmp_path: Path) -> None:
    patch = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+answer = 42\n"
    artifacts = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "lint.json", "tests.json")}
    rules = {"tests_pass": True, "verifier": {"engine": "asking"}}
    repository = gr.make(tmp_path, {**artifacts, "diffs.patch": patch}, rules)
    found = _make_engine(repository, declared=declared)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py", statements=["It is friendlier"])
    with served.start(repository.root, home=repository.home, environ={"PATH": repository.environ()["PATH"]}) as server:
        headers = {"authorization": f"Bearer {server.token}"}
        task = "/api/v1/repositories/repository/tasks/T1"
        run = json.loads(server.ask(f"{task}/verify", "POST", headers=headers).body)
        until = time.monotonic() + 120
        while run["state"] != "ended":
            assert time.monotonic() < until, run
            time.sleep(0.2)
            run = json.loads(server.ask(f"/api/v1/runs/{run['id']}", headers=headers).body)
        told: dict[str, Any] = json.loads(found.read_text())
        if not declared:
            assert told == {"url": None, "token": None}
            return
        assert told["url"] == f"{server.base}{task}"
        assert told["statuses"] == {
            "the task": 200,
            "another task": 403,
            "a change": 403,
            "a change by a forged token": 401,
            "a change without a token": 401,
        }
        # It is over with the verification: with it nothing is read that loopback can't read anyway.
        late = {"authorization": f"Bearer {told['token']}"}
        assert server.ask(f"{task}/verify", "POST", headers=late).status == 401
        assert repository.verdict("T1")["verifier"]["engine"] == "asking"
