"""``gate serve`` as users start it: a process, its index, verifying again, events, an end by a signal.

Starts git, sh and the gate, which serves and verifies.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path

import gated_repository as gr
import literal_facts as literal
import published_tasks as published
import pytest
import served
import served_sample as sample
from gemini_server import answers, gemini_server

EVERYWHERE = "0.0.0.0"  # noqa: S104 - that it is refused without a token is what is tested


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    return sample.make_sample(tmp_path_factory.mktemp("serve"))


def started(repository: gr.GatedRepository, *arguments: str, **environ: str) -> AbstractContextManager[served.Server]:
    return served.start(
        repository.root, home=repository.home, arguments=arguments, environ=repository.environ(**environ)
    )


def test_a_task_is_verified_again_and_every_line_is_told(tmp_path: Path) -> None:
    repository = sample.make_sample(tmp_path)
    with started(repository) as server:
        server.wait_for("/tasks.json", "notice", "")
        before = server.json("/t/repository/T1.json")
        assert (before["state"], len(before["past"])) == ("pass", 1)
        repository.put("adapters/facts/out/code:tests/tests.json", literal.BAD["tests.json"])
        repository.sample.git("add", "-A")
        repository.sample.git("commit", "-qm", "tests fail", "--no-verify")
        repository.put("a.py", "answer = 43\n")
        repository.begin()
        server.log_in()
        tasks = server.events("tasks")
        moved = server.post("/t/repository/T1/verify", "/t/repository/T1")
        assert moved.status == 303, moved
        run = moved.headers["location"]
        # A second wish while it runs is the same run.
        assert server.post("/t/repository/T1/verify", "/t/repository/T1").headers["location"] in {run, "/runs/2"}
        events = server.events(f"run/{run.rpartition('/')[2]}", after="0-0")
        done = server.wait_for(f"{run}.json", "state", "ended")
        assert done["exit_code"] == 1, done
        assert done["words"] == ["verify", "--", "T1"]
        assert "FAIL" in done["output"]
        assert any(line.startswith("… code:tests") and line.endswith("runs") for line in done["lines"])
        assert any(line.startswith("✗ code:tests") for line in done["lines"]), done["lines"]
        assert events.wait("reset") == {}  # it came from nowhere, and is told to read the page
        changed = tasks.wait("tasks")
        assert "repository/T1" in changed["tasks"] or changed["more"]
        page = server.wait_for("/t/repository/T1.json", "state", "fail")
        assert [entry["status"] for entry in page["past"]] == ["fail", "pass"]
        assert page["past"][0]["number"] == 2
        listed = server.wait_for("/tasks.json?status=fail", "chosen", True)
        assert "T1" in {row["task_id"] for row in listed["queue"]["rows"]}
        events.close()
        tasks.close()
        # What the page says is what the command says.
        shown = repository.gate("explain", "T1", "--json").json
        of_page = {check["id"]: check for group in page["groups"] for check in group["checks"]}
        for check in shown["checks"]:
            own = of_page[check["id"]]
            assert (own["outcome"], own["message"]) == (check["outcome"], check.get("message", ""))
            assert own["commands"][-1] == check["reproduce"][-1]


@pytest.mark.release
def test_a_reader_that_comes_back_misses_no_event(repository: gr.GatedRepository) -> None:
    with started(repository) as server:
        server.wait_for("/tasks.json", "notice", "")
        first = server.events("tasks")
        seen: list[str] = []
        for number in range(3):
            published.publish_task(
                repository.root, f"new{number}", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True}
            )
            until = time.monotonic() + 30
            while f"repository/new{number}" not in {t for _, _, data in first.seen for t in data["tasks"]}:
                assert time.monotonic() < until, first.seen
                time.sleep(0.05)
            last, _, _ = first.seen[-1]
            seen += [identity for identity, _, _ in first.seen]
            first.close()
            # Meanwhile something happens.
            published.publish_task(
                repository.root, f"gap{number}", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True}
            )
            time.sleep(1.5)
            first = server.events("tasks", last=last)
            until = time.monotonic() + 30
            while f"repository/gap{number}" not in {t for _, _, data in first.seen for t in data["tasks"]}:
                assert time.monotonic() < until, first.seen
                time.sleep(0.05)
            assert all(kind == "tasks" for _, kind, _ in first.seen)
        assert len(seen) == len(set(seen))
        first.close()


@pytest.mark.release
def test_several_repositories_are_served_and_the_index_is_safe_to_delete(
    repository: gr.GatedRepository, tmp_path: Path
) -> None:
    for name in ("one/shop", "two/shop", "three/bank"):
        (tmp_path / "all" / name).mkdir(parents=True)
        published.publish_task(
            tmp_path / "all" / name, "T1", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True}
        )
    home = tmp_path / "home"
    home.mkdir()
    arguments = ("--root", str(tmp_path / "all"))
    with served.start(tmp_path, home=home, arguments=arguments) as server:
        server.wait_for("/tasks.json", "notice", "")
        page = server.json("/tasks.json")
        names = sorted(row["repository"] for row in page["queue"]["rows"])
        assert (names[0], len(names), len(set(names))) == ("bank", 3, 3)
        assert {name for name, *_ in page["facets"]} >= {"repository"}
        one = server.json("/tasks.json?repository=bank")
        assert [row["repository"] for row in one["queue"]["rows"]] == ["bank"]
        assert server.ask(f"/t/{names[1]}/T1").status == 200
        # It may go at any moment.
        (index,) = (home / ".cache/verigate/serve").glob("*.sqlite")
        for rubbish in (None, b"not an index"):
            index.unlink()
            if rubbish is not None:
                index.write_bytes(rubbish)
            until = time.monotonic() + 30
            while server.ask("/tasks.json").status != 200 or server.json("/tasks.json")["queue"]["tasks"] != 3:
                assert time.monotonic() < until
                time.sleep(0.1)
        # One that comes is found.
        (tmp_path / "all/four/new").mkdir(parents=True)
        published.publish_task(
            tmp_path / "all/four/new", "T1", {"tests.json": literal.BAD["tests.json"]}, {"tests_pass": True}
        )
        until = time.monotonic() + 30
        while server.json("/tasks.json")["queue"]["rows"][0]["repository"] != "new":
            assert time.monotonic() < until
            time.sleep(0.1)
    index.write_bytes(b"not an index any more")
    with served.start(tmp_path, home=home, arguments=arguments) as server:
        server.wait_for("/tasks.json", "notice", "")
        assert server.json("/tasks.json")["queue"]["tasks"] == 4
    with served.start(tmp_path, home=home, arguments=(*arguments, "--rebuild")) as server:
        server.wait_for("/tasks.json", "notice", "")
        assert server.json("/tasks.json")["queue"]["tasks"] == 4
    assert not list((tmp_path / "all").rglob("*.sqlite*"))


@pytest.mark.release
def test_without_a_cache_of_ones_own_nothing_is_left(tmp_path: Path) -> None:
    root = tmp_path / "repository"  # which is the home as well
    root.mkdir()
    (tmp_path / "tmp").mkdir()
    published.publish_task(root, "T1", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True})
    with served.start(root, home=root, environ={"TMPDIR": str(tmp_path / "tmp")}) as server:
        server.wait_for("/tasks.json", "notice", "")
        assert server.json("/tasks.json")["queue"]["tasks"] == 1
        assert list((tmp_path / "tmp").glob("verigate-serve-*/index.sqlite"))
    assert not list((tmp_path / "tmp").glob("verigate-serve-*"))
    assert not (root / ".cache/verigate/serve").exists()


def test_adapters_and_doctor_say_what_the_commands_say(repository: gr.GatedRepository) -> None:
    with started(repository) as server:
        page = server.json("/adapters/repository.json")
        listed = repository.gate("adapters", "list", "--json").json
        assert [each["name"] for each in page["adapters"]] == [each["name"] for each in listed["adapters"]]
        assert {each["name"] for each in page["capabilities"]} == set(listed["capabilities"])
        assert {each["name"] for each in page["engines"]} == {
            each["type"].replace("_", "-") for each in listed["engines"]
        }
        flags = {each["name"]: each["flags"] for each in page["engines"]}
        assert any(flags.values())
        assert server.json("/doctor/repository.json")["state"] == "none"
        server.log_in()
        moved = server.post("/doctor/repository", "/doctor/repository")
        assert moved.status == 303, moved
        server.wait_for(f"{moved.headers['location']}.json", "state", "ended", within_s=120)
        found = server.json("/doctor/repository.json")
        assert (found["problem"], found["state"]) == ("", "ended")
        assert "sandbox" in {each["code"] for each in found["checks"]}


def test_the_command_line_refuses_what_would_show_everything_to_others(repository: gr.GatedRepository) -> None:
    for arguments, said in (
        (("--host", "::"), "add --token"),
        (("--host", "192.0.2.1", "--token"), "can't listen there"),
        (("--port", "70000"), "70000"),
        (("--root", "/nowhere"), "/nowhere"),
    ):
        done = repository.gate("serve", *arguments)
        assert (done.code, said in done.err) == (2, True), done.output
    done = repository.gate("serve", GATE_SERVE_TOKEN="short")
    assert (done.code, "GATE_SERVE_TOKEN" in done.err) == (2, True), done.output
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = repository.gate("serve", "--port", str(taken.getsockname()[1]))
    assert (done.code, "choose another --port" in done.err) == (2, True), done.output


def test_beyond_loopback_only_the_token_opens(repository: gr.GatedRepository) -> None:
    token = "0123456789abcdefghijkl"
    with started(
        repository, "--host", EVERYWHERE, "--token", "--name", "gate.example", GATE_SERVE_TOKEN=token
    ) as server:
        assert server.token == token
        assert server.ask("/tasks").status == 401
        assert server.ask("/tasks", headers={"authorization": f"Bearer {token}"}).status == 200
        assert server.ask("/tasks", headers={"host": "gate.example"}).status == 401
        assert server.ask("/tasks", headers={"host": "evil.example"}).status == 421
        server.log_in()
        assert server.ask("/tasks").status == 200
        # The token is in no process that it starts, and in no page.
        assert token not in server.ask("/t/repository/T1").text
    environ = Path(f"/proc/{server.pid}/environ")
    assert not environ.exists()


@pytest.mark.release
def test_when_it_ends_what_it_started_ends(tmp_path: Path) -> None:
    repository = gr.make(
        tmp_path,
        {path: literal.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")},
        {"tests_pass": True},
        acts={"code:tests": "sleep 60"},
        timeout=90,
    )
    repository.put("a.py", "x = 1\n")
    repository.begin()
    repository.claim("file:a.py")
    (repository.root / ".artifacts/T1/verdict.json").write_text("{}")
    with started(repository) as server:
        server.log_in()
        moved = server.post("/t/repository/T1/verify", "/t/repository/T1")
        assert moved.status == 303, moved
        until = time.monotonic() + 60
        while not gr.processes_with("code:tests"):
            assert time.monotonic() < until
            time.sleep(0.1)
    assert gr.wait_until_gone(str(repository.home), 20) == []
    assert (
        not repository.has_verdict() or json.loads((repository.root / ".artifacts/T1/verdict.json").read_bytes()) == {}
    )


@pytest.mark.release
@pytest.mark.slow  # it loads google-genai
def test_what_a_verifier_was_asked_and_answered_is_shown(tmp_path: Path) -> None:
    patch = "diff --git a/a.py b/a.py\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n+answer = 42\n+# friendlier\n"
    paths = ("diff.json", "diff_names.json", "tests.json")
    artifacts = {**{path: literal.GOOD[path] for path in paths}, "diffs.patch": patch}
    rules = {"tests_pass": True, "verifier": {"engine": "gemini-api", "model": "gemini-x"}}
    repository = gr.make(tmp_path, artifacts, rules)
    repository.begin()
    repository.put("a.py", "answer = 42\n# friendlier\n")
    repository.claim("file:a.py", statements=["The error message is friendlier"])
    line = {"artifact": "diffs.patch", "file": "a.py", "first_line": 1, "last_line": 1, "quoted": "answer = 42"}
    with gemini_server(answers(("q1", "supported", [line]))) as model:
        assert repository.verify(**model.environment()).code == 0
    with started(repository) as server:
        page = server.json("/t/repository/T1.json")
        (call,) = page["transcript"]["calls"]
        assert [text for _, text in call["questions"]] == ["The error message is friendlier"]
        assert "The error message is friendlier" in call["prompt"]
        assert "supported" in call["answer"]
        assert "gemini-x" in page["transcript"]["summary"]
        (said,) = page["statements"]
        assert said["outcome"] == "holds"
        # A citation of lines leads to their file in the patch.
        address, _, place = said["facts"][0]["href"].partition("#")
        assert f'id="{place}"' in server.ask(address).text
        assert "What the verifier was asked" in server.ask("/t/repository/T1").text


def test_readers_and_verifications_at_once(tmp_path: Path) -> None:
    """The short form of tests/bench/serve_load.py."""
    repository = sample.make_sample(tmp_path)
    with started(repository) as server:
        server.wait_for("/tasks.json", "notice", "")
        server.log_in()
        problems: list[str] = []
        over = threading.Event()

        def read() -> None:
            while not over.is_set():
                for path in ("/tasks", "/t/repository/T1", "/history", "/t/repository/refuted.json"):
                    try:
                        found = server.ask(path)
                    except OSError as problem:
                        problems.append(f"{path}: {problem}")
                        continue
                    if found.status != 200:
                        problems.append(f"{path}: {found.status}")

        followers = [server.events("tasks") for _ in range(10)]
        readers = [threading.Thread(target=read) for _ in range(5)]
        for reader in readers:
            reader.start()
        for number in range(3):
            repository.put("a.py", f"answer = {number}\n")
            moved = server.post("/t/repository/T1/verify", "/t/repository/T1")
            server.wait_for(f"{moved.headers['location']}.json", "state", "ended", within_s=90)
        time.sleep(2)
        over.set()
        for reader in readers:
            reader.join()
        assert problems == []
        for follower in followers:
            follower.close()
        ids = {tuple(identity for identity, _, _ in follower.seen) for follower in followers}
        assert len(ids) == 1  # everybody saw the same
        assert len(ids.pop()) >= 2


def test_nothing_of_it_is_loaded_by_other_commands() -> None:
    code = (
        "import sys; from verigate.cli.app import run; "
        "assert run(['--help']) == 0; assert run(['serve', '--help']) == 0; "
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in "
        "{'starlette', 'uvicorn', 'jinja2', 'sse_starlette', 'sqlite3'} or name.startswith('verigate.serve')))"
    )
    done = subprocess.run((*gr.GATE[:2], "-c", code), capture_output=True, text=True, check=True, timeout=60)
    assert re.findall(r"^\[.*\]$", done.stdout, re.MULTILINE)[-1] == "[]", done.stdout
