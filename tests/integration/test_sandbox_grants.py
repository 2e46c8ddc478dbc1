"""config/sandbox.json in a real sandbox: what it opens, what it doesn't, and that no change opens its own."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest

TESTS = {"passed": 1, "failed": 0, "total": 1, "skipped": 0, "duration": 1}
FILE = "config/sandbox.json"
LOOK = """\
cd "$GATE_REPO_ROOT"
{ cat "$HOME_OF_THE_CALLER/data/words" || echo none; } >"$TASK_DIR/read.txt" 2>/dev/null
{ cat "$HOME_OF_THE_CALLER/.ssh/id" || echo none; } >"$TASK_DIR/secret.txt" 2>/dev/null
{ touch "$HOME_OF_THE_CALLER/data/new" && echo written || echo refused; } >"$TASK_DIR/write.txt" 2>/dev/null
{ cat made/by-hand || echo none; } >"$TASK_DIR/inside.txt" 2>/dev/null
echo "${SHOP_KEY-unset}" >"$TASK_DIR/variable.txt"
echo "the key is ${SHOP_KEY-unset}" >&2
"""


def make(
    folder: Path, granted: Any, *, rules: dict[str, Any] | None = None, base: bool = True, act: str = LOOK
) -> gr.GatedRepository:
    """A repository with an adapter that runs ``act``; ``granted`` is open to it, in the base or in the change."""
    home = folder / "home"
    repo = gr.make(
        folder,
        {"tests.json": TESTS},
        {"tests_pass": True, **(rules or {})},
        acts={"code:tests": act.replace("$HOME_OF_THE_CALLER", str(home))},
        files={
            **({FILE: {"facts": granted}} if granted is not None and base else {}),
            ".gitignore": "made/\n",
            "a.py": "A = 1\n",
        },
    )
    for path, content in (("data/words", "some words"), (".ssh/id", "a secret"), ("tmp/place/words", "hidden words")):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(content)
    repo.begin()
    repo.claim("file:a.py")
    repo.put("a.py", "A = 2\n")
    if granted is not None and not base:
        repo.put(FILE, {"facts": granted})
    repo.put("made/by-hand", "made by hand")
    return repo


def seen(repo: gr.GatedRepository, name: str) -> str:
    return (repo.root / ".artifacts/T1" / f"{name}.txt").read_text().strip()


def bind(path: str, **more: str) -> dict[str, Any]:
    return {"bind": [{"path": path, "reason": "the tests need it", **more}]}


def test_nothing_is_open_without_the_file(tmp_path: Path) -> None:
    repo = make(tmp_path, None)
    done = repo.verify("T1", SHOP_KEY="a-long-value")
    assert done.code == 0, done.output
    assert [seen(repo, name) for name in ("secret", "write", "inside", "variable")] == [
        "none", "refused", "none", "unset",
    ]  # fmt: skip
    assert "sandbox" not in repo.verdict()["policy"]
    assert "granted" not in repo.published("run.json")["invocations"][0]["sandbox"]


def test_a_granted_path_can_be_read_and_with_rw_written(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("~/data", mode="rw"))
    done = repo.verify()
    assert done.code == 0, done.output
    assert (seen(repo, "read"), seen(repo, "write")) == ("some words", "written")
    assert (repo.home / "data/new").exists()
    assert seen(repo, "secret") == "none"
    line = "sandbox opened: facts bind ~/data rw (the tests need it)"
    assert line in done.out, done.output
    granted = {"kind": "bind", "what": "~/data", "mode": "rw", "reason": "the tests need it"}
    assert repo.verdict()["policy"]["sandbox"] == {"granted": [{"adapter": "facts", **granted}]}
    assert repo.published("run.json")["invocations"][0]["sandbox"]["granted"] == [granted]
    assert repo.gate("replay", "T1").code == 0
    assert line in repo.gate("show", "T1").out


def test_a_hidden_folder_is_visible_where_it_is_granted(tmp_path: Path) -> None:
    place = tmp_path / "home/tmp/place"
    repo = make(tmp_path, bind(str(place)), act=f'{{ cat {place}/words || echo none; }} >"$TASK_DIR/read.txt"\n')
    done = repo.verify()
    assert done.code == 0, done.output
    assert seen(repo, "read") == "hidden words"


def test_secrets_stay_masked_unless_one_is_named(tmp_path: Path) -> None:
    around = make(tmp_path / "around", bind("~/data"))
    assert around.verify().code == 0
    assert seen(around, "secret") == "none"
    named = make(tmp_path / "named", bind("~/.ssh/id"))
    done = named.verify()
    assert done.code == 0, done.output
    assert seen(named, "secret") == "a secret"


def test_a_link_to_a_secret_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("~/innocent"))
    (repo.home / "innocent").symlink_to(repo.home / ".ssh")
    done = repo.verify()
    assert done.code == 3, done.output
    assert "a link into a place that holds secrets" in done.out


@pytest.mark.parametrize(
    ("path", "mode", "says"),
    [
        ("~/.cache/verigate", "ro", "a folder of the gate's own"),
        ("~/.local/state/verigate/cache.key", "ro", "a folder of the gate's own"),
        ("~/.local", "rw", "would change the gate"),
        ("ROOT/.git", "ro", "it is in the repository"),
        ("ROOT", "rw", "it is in the repository"),
        ("PARENT", "rw", "would change the gate or the repository"),
        ("PREFIX", "rw", "would change the gate or the repository"),
        ("a.py", "ro", "it is part of what is verified"),
        ("config", "rw", "it is part of what is verified"),
    ],
)
def test_no_grant_opens_the_gates_own_folders_or_the_subject(tmp_path: Path, path: str, mode: str, says: str) -> None:
    root = tmp_path / "repository"
    wanted = path.replace("ROOT", str(root)).replace("PARENT", str(tmp_path)).replace("PREFIX", sys.prefix)
    repo = make(tmp_path, bind(wanted, mode=mode))
    for own in (".cache/verigate", ".local/state/verigate"):
        (repo.home / own).mkdir(parents=True)
    (repo.home / ".local/state/verigate/cache.key").write_text("k")
    done = repo.verify()
    assert done.code == 3, done.output
    assert says in " ".join(done.out.split()), done.output


def test_a_path_that_git_ignores_stands_in_the_checkout(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("made"))
    done = repo.verify()
    assert done.code == 0, done.output
    assert seen(repo, "inside") == "made by hand"
    assert (repo.root / "made/by-hand").read_text() == "made by hand"


def test_a_generated_file_that_the_checkout_has_already_can_be_granted(tmp_path: Path) -> None:
    """The files of an in-place installation are copied into checkouts: a grant of one is no contradiction."""
    look = '{ cat pack/_version.py || echo none; } >"$TASK_DIR/inside.txt"\n'
    repo = make(tmp_path, bind("pack/_version.py"), act=f'cd "$GATE_REPO_ROOT"\n{look}')
    repo.put(".git/info/exclude", "_version.py\n")
    repo.put("pack/__init__.py", "A = 1\n")
    repo.put("pack/_version.py", "__version__ = '1'\n")
    done = repo.verify()
    assert done.code == 0, done.output
    assert seen(repo, "inside") == "__version__ = '1'"


def test_an_ignored_link_is_refused(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("made"))
    (repo.root / "made").rename(repo.root / "made.old")
    (repo.root / "made").symlink_to(repo.home / ".ssh")
    (repo.root / ".git/info/exclude").write_text("made\nmade.old\n")
    done = repo.verify()
    assert done.code == 3, done.output
    assert "it is a link, or below one" in done.out


def test_what_this_machine_lacks_is_reported(tmp_path: Path) -> None:
    repo = make(tmp_path, {**bind("~/nowhere"), "env": [{"name": "SHOP_KEY", "reason": "x"}]})
    assert repo.verify().code == 0
    missing = repo.published("run.json")["invocations"][0]["sandbox"]["missing"]
    assert missing == ["bind ~/nowhere", "env SHOP_KEY"]


def test_a_granted_variable_is_passed_on_and_its_value_written_nowhere(tmp_path: Path) -> None:
    granted = {"env": [{"name": "SHOP_KEY", "reason": "a key of the test shop"}]}
    repo = make(tmp_path, granted, act='[ -n "${SHOP_KEY-}" ] && echo "it is $SHOP_KEY" >&2\n')
    value = "a-value-of-some-length"
    done = repo.verify("T1", SHOP_KEY=value)
    assert done.code == 0, done.output
    published = [path for path in (repo.root / ".artifacts").rglob("*") if path.is_file()]
    assert not [path for path in published if value.encode() in path.read_bytes()]
    assert "it is [redacted]" in (repo.root / ".artifacts/T1/logs/code.tests.err").read_text()
    assert value not in done.output


@pytest.fixture
def port() -> Iterator[int]:
    """A service on the machine's loopback, which a sandbox without a network doesn't reach."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


@pytest.mark.parametrize(("access", "reached"), [("hosts", "yes"), ("loopback", "no"), (None, "no")])
def test_the_network_of_the_machine_is_open_only_where_it_is_granted(
    tmp_path: Path, port: int, access: str | None, reached: str
) -> None:
    granted = {"network": {"access": access, "reason": "a service"}} if access else None
    code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
    act = f'{{ "$GATE_PYTHON" -c "{code}" && echo yes || echo no; }} >"$TASK_DIR/read.txt" 2>/dev/null\n'
    repo = make(tmp_path, granted, act=act)
    done = repo.verify()
    assert done.code == 0, done.output
    assert seen(repo, "read") == reached
    assert ("sandbox" in repo.verdict()["policy"]) == (access == "hosts")


def test_a_change_that_opens_its_own_sandbox_runs_without_it_and_is_refuted(tmp_path: Path) -> None:
    repo = make(tmp_path, {**bind("~/data", mode="rw"), "env": [{"name": "SHOP_KEY", "reason": "x"}]}, base=False)
    done = repo.verify("T1", SHOP_KEY="a-long-value")
    assert done.code == 1, done.output
    assert "INTEGRITY_FAIL" in done.out
    assert (seen(repo, "write"), seen(repo, "variable")) == ("refused", "unset")
    assert not (repo.home / "data/new").exists()
    assert "not in the base, so not opened: facts: bind ~/data (rw), facts: env SHOP_KEY" in done.err
    assert "sandbox" not in repo.verdict()["policy"]


def test_a_change_may_open_less_than_its_base_and_is_a_change_of_policy(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("~/data", mode="rw"))
    repo.put(FILE, {"facts": bind("~/data", mode="ro")})
    done = repo.verify()
    assert done.code == 1, done.output
    assert (seen(repo, "read"), seen(repo, "write")) == ("some words", "refused")


def test_a_base_that_allows_changes_of_policy_lets_the_change_open(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("~/data", mode="rw"), rules={"allow_policy_change": True}, base=False)
    done = repo.verify()
    assert done.code == 0, done.output
    assert seen(repo, "write") == "written"


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"fact": {"env": []}}, "did you mean 'facts'?"),
        ({"facts": {"bind": [{"path": "/x"}]}}, "'reason' is missing"),
        ({"facts": {"bind": [{"path": "/x", "reason": " "}]}}, "the reason is empty"),
        ({"facts": {"bind": [{"path": "/", "reason": "x"}]}}, "too wide"),
        ({"facts": {"bind": [{"path": "/run", "reason": "x"}]}}, "too wide"),
        ({"facts": {"bind": [{"path": "a/../../b", "reason": "x"}]}}, "isn't a plain path"),
        ({"facts": {"bind": [{"path": "/proc/1", "reason": "x"}]}}, "belongs to the kernel"),
        ({"facts": {"bind": [{"path": ".git/config", "reason": "x"}]}}, "belongs to the gate or to git"),
        ({"facts": {"bind": [{"path": "a\nb", "reason": "x"}]}}, "control characters"),
        ({"facts": {"env": [{"name": "LD_PRELOAD", "reason": "x"}]}}, "set by the gate itself"),
        ({"facts": {"env": [{"name": "HOME", "reason": "x"}]}}, "set by the gate itself"),
        ({"facts": {"env": [{"name": "A", "reason": "x"}, {"name": "A", "reason": "y"}]}}, "listed twice"),
        ({"facts": {"network": {"access": "all", "reason": "x"}}}, "hosts"),
        ({"facts": {"nework": {}}}, "network"),
    ],
)
def test_a_file_that_cant_be_used_is_exit_code_2(tmp_path: Path, document: Any, says: str) -> None:
    repo = make(tmp_path, None)
    repo.put(FILE, json.dumps(document))
    done = repo.verify()
    assert done.code == 2, done.output
    assert says in " ".join(done.err.split()), done.output
    assert FILE in done.err


def test_hostile_text_in_a_reason_is_escaped(tmp_path: Path) -> None:
    reason = "\x1b[2J PASS \u202e"
    repo = make(tmp_path, {"bind": [{"path": "~/data", "reason": reason}]})
    done = repo.verify()
    assert done.code == 0, done.output
    assert "\x1b" not in done.out
    assert "\\x1b[2J PASS \\u202e" in done.out


def test_the_doctor_lists_what_is_open(tmp_path: Path) -> None:
    repo = make(tmp_path, bind("~/data", mode="rw"))
    done = repo.gate("doctor", "--json")
    (found,) = [check for check in done.json["checks"] if check["code"] == "sandbox.facts"]
    assert found["message"] == "config/sandbox.json opens bind ~/data (rw) (the tests need it)"


def test_a_call_gets_the_time_that_the_base_gives_it(tmp_path: Path) -> None:
    act = 'echo "${GATE_TIMEOUT-none}" >"$TASK_DIR/time.txt"\nsleep 1.5\n'
    given = {"time": {"seconds": 1, "reason": "it is a quick one"}}
    stopped = make(tmp_path / "short", given, act=act).verify("T1")
    assert stopped.code == 3, stopped.output
    assert "it timed out after 1 s" in stopped.output
    longer = make(tmp_path / "long", {"time": {"seconds": 40, "reason": "it takes long"}}, act=act)
    done = longer.verify("T1")
    assert done.code == 0, done.output
    assert seen(longer, "time") == "40"
    assert "facts time 40 (it takes long)" in done.output


def test_what_is_granted_to_a_name_is_not_given_to_another_adapter_that_takes_it(tmp_path: Path) -> None:
    repo = gr.make(
        tmp_path,
        {"tests.json": TESTS},
        {"tests_pass": True},
        order=["code:tests", "other:look"],
        optional=["other:look"],
        files={FILE: {"code": {"env": [{"name": "SHOP_KEY", "reason": "the tests need it"}]}}},
    )
    repo.begin()
    repo.claim("file:a.py")
    repo.put("a.py", "A = 2\n")
    place = tmp_path / "elsewhere/code"
    place.mkdir(parents=True)
    manifest = {"name": "code", "version": "1.0.0", "entry": "run", "capabilities": ["other:look"]}
    (place / "manifest.json").write_text(json.dumps(manifest))
    (place / "run").write_text('#!/bin/sh\necho "the key is ${SHOP_KEY-unset}" >&2\nexit 3\n')
    (place / "run").chmod(0o755)
    refused = repo.verify(GATE_ADAPTER_PATH=str(place.parent), SHOP_KEY="a-long-value")
    assert (refused.code, "2 adapters are called 'code'" in refused.err) == (2, True), refused.output
    assert FILE in refused.err
    (place / "manifest.json").write_text(json.dumps({**manifest, "name": "other"}))
    done = repo.verify(GATE_ADAPTER_PATH=str(place.parent), SHOP_KEY="a-long-value")
    assert done.code == 0, done.output
    (log,) = (repo.root / ".artifacts/T1/logs").glob("other*err")
    assert "unset" in log.read_text()
