"""``gate verify --advisory`` and advisory hooks: everything is told, nothing is blocked, what is published stays."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NoReturn

import gated_repository as gr
import literal_facts as lf
import pytest

from verigate.cli import app, verify_fast_path
from verigate.errors import UsageError
from verigate.reporting.report import ADVISORY

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch")}
LET_GO = "gate: advisory: not verified, and nothing is blocked\n"


@pytest.mark.parametrize(
    ("line", "advisory"),
    [
        ("verify --advisory", True),
        ("verify T1 -q --advisory", True),
        ("verify T1 -qv --advisory", True),
        ("-C verify verify --advisory", True),
        ("verify T1", False),
        ("verify --base HEAD --advisory", True),
        # A task and a value may be called so: a commit can name the one, and an error would end with 0.
        ("verify -- --advisory", False),
        ("verify --base --advisory", False),
        ("verify --base --advisory --advisory", True),
    ],
)
def test_only_an_advisory_verify_ends_an_error_with_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, advisory: bool
) -> None:
    (tmp_path / "verify").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("verigate.cli.target.choose_task", _refuse)
    words = line.split()
    codes = {app.run(words)}
    if words[0] == "verify" and "-qv" not in words:
        codes.add(verify_fast_path.run(words[1:]))
    assert codes == {0 if advisory else UsageError.exit_code}


def _refuse(*_arguments: object, **_options: object) -> NoReturn:
    raise UsageError("no task can be chosen")


def test_a_refuted_task_is_told_and_let_go(tmp_path: Path) -> None:
    place = gr.make(tmp_path, {**CODE, "tests.json": lf.BAD["tests.json"]}, {"tests_pass": True})
    place.begin()
    place.put("a.py", "answer = 42\n")
    place.claim("file:a.py")
    report = tmp_path / "gate.json"
    done = place.verify("T1", "--advisory", "--format", f"json={report}")
    assert done.code == 0, done.output
    assert done.out.startswith("FAIL  T1")
    assert ADVISORY in done.out
    told = json.loads(report.read_bytes())
    assert (told["status"], told["metadata"]["advisory"]) == ("fail", ADVISORY)
    published = place.verdict()
    assert published["status"] == "fail"
    assert ADVISORY not in json.dumps(published)
    assert place.gate("show", "T1").out == done.out.replace(f"  {ADVISORY}\n", "")

    # An error lets go as well, and never looks like a pass; only what isn't a command line at all doesn't.
    place.put("config/adapter-plan.json", "{")
    broken = place.verify("T1", "--advisory", "--json")
    assert (broken.code, broken.json["exit_code"]) == (0, 2), broken.output
    assert broken.json["advisory"] == "not verified, and nothing is blocked"
    assert broken.err.endswith(LET_GO)
    assert place.verify("T1").code == 2
    assert place.verify("T1", "--advisory", "--no-such-option").code == 2


def test_nothing_to_verify_is_said_to_be_advisory_too(tmp_path: Path) -> None:
    place = gr.make(tmp_path, CODE, {})
    done = place.gate("verify", "--advisory", "--format", "tap")
    assert (done.code, ADVISORY in done.err, ADVISORY in done.out) == (0, True, True), done.output


def test_advisory_hooks_tell_and_let_go_and_become_ordinary_ones(tmp_path: Path) -> None:
    never = {"id": "never", "expr": 'artifacts["diff.json"].total_changes > 99', "message": "too few"}
    place = gr.make(tmp_path, CODE, {})
    place.put("config/adapter-plan.json", {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}})
    place.put("config/verification.profiles.json", {"code_default": {"rules": [never]}})
    place.sample.commit("a policy that nothing meets")
    installed = place.gate("install", "--hook", "pre-commit", "--advisory")
    assert installed.code == 0, installed.output

    def commit(name: str) -> subprocess.CompletedProcess[str]:
        place.put(name, "answer = 42\n")
        place.sample.git("add", "--", name)
        return subprocess.run(
            ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", name),
            cwd=place.root, env=place.environ(), capture_output=True, text=True, check=False,
        )  # fmt: skip

    done = commit("a.py")
    assert done.returncode == 0, done.stderr
    assert ADVISORY in done.stderr + done.stdout
    again = place.gate("install", "--hook", "pre-commit")
    assert again.out.startswith("updated"), again.output
    blocked = commit("b.py")
    assert blocked.returncode != 0
    assert ADVISORY not in blocked.stderr + blocked.stdout
    # A gate that is gone blocks, but not where the hook is advisory.
    hook = place.root / ".git/hooks/pre-commit"
    place.gate("install", "--hook", "pre-commit", "--advisory")
    gone = hook.read_text().replace(gr.GATE[0].rsplit("/", 1)[0], "/nowhere")
    hook.write_text(gone)
    assert commit("c.py").returncode == 0
    assert place.gate("install", "--agent", "claude", "--advisory").code == 2
