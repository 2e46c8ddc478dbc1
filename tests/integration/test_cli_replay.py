"""``gate replay``: the same verdict from the evidence alone, on every status; and what it says of edited evidence."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf
import pytest

RULES = {
    "tests_pass": True,
    "lint_errors_max": 0,
    "rules": [{"id": "few", "expr": 'artifacts["lint.json"].warnings < 3', "message": "too many warnings"}],
}
CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "lint.json", "tests.json")}


STATUSES = {"pass": 0, "fail": 1, "error": 3, "inconclusive": 4}
GOOD_DIFF = {"added": ["a.py", "b.py"], "modified": [], "deleted": []}


Run = Callable[[str], gr.GatedRepository]


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Of each status one verified task, made when it is first asked for."""
    return cache(lambda status: verify(tmp_path_factory.mktemp(status), status))


@pytest.fixture
def run(verified: Run, tmp_path: Path) -> Run:
    """A copy of the verified task whose verdict has the given status."""

    return lambda status: verified(status).copy(tmp_path)


def verify(folder: Path, status: str) -> gr.GatedRepository:
    artifacts: dict[str, Any] = {**CODE, "diff_names.json": GOOD_DIFF}
    if status == "fail":
        artifacts["tests.json"] = lf.BAD["tests.json"]
    acts = {"code:lint": "exit 1"} if status == "error" else {}
    repository = gr.make(folder, artifacts, RULES, acts=acts)
    repository.begin(commitments={"expected_total": 2})
    repository.put("a.py", "answer = 42\n")
    repository.put("b.py", "more = 1\n")
    repository.claim("file:./a.py", "b.py", statements=["it is fast"] if status == "inconclusive" else [])
    done = repository.verify()
    assert done.code == STATUSES[status], done.output
    return repository


@pytest.mark.parametrize("status", STATUSES)
def test_replay_agrees_and_ends_like_the_verdict(run: Run, status: str) -> None:
    repository = run(status)
    done = repository.gate("replay", "T1", "--json")
    assert done.code == STATUSES[status], done.output
    assert done.json == {
        "schema": "verigate:replay.v1",
        "task_id": "T1",
        "agrees": True,
        "status": status,
        "difference": None,
        "notes": [],
    }
    text = repository.gate("replay", "T1")
    assert (text.code, "the recomputed verdict is the recorded one" in text.out) == (STATUSES[status], True)


def test_replay_runs_nothing_and_reads_nothing_but_the_evidence(run: Run) -> None:
    repository = run("pass")
    # Neither a program nor the adapters nor the configuration are there any more, and the tree has changed.
    for name in ("adapters", "config"):
        shutil.rmtree(repository.root / name)
    repository.put("a.py", "answer = 0\n")
    (repository.root / ".artifacts/T1/claim.json").unlink()
    (repository.root / ".artifacts/T1/commitment.json").unlink()
    before = sorted((path, path.read_bytes()) for path in repository.root.rglob("*") if path.is_file())
    done = repository.gate("replay", "T1", "--json", PATH="")
    assert (done.code, done.json["agrees"]) == (0, True), done.output
    assert sorted((path, path.read_bytes()) for path in repository.root.rglob("*") if path.is_file()) == before
    moved = repository.home / "elsewhere"
    shutil.copytree(repository.root / ".artifacts", moved / ".artifacts")
    elsewhere = repository.gate(
        "replay", "T1", "--json", cwd=moved, PATH="", TZ="Asia/Tokyo", LANG="de_DE", PYTHONHASHSEED="7"
    )
    assert elsewhere.json["agrees"] is True, elsewhere.output


class Editor:
    """Changes files of a task folder and names their new digests everywhere, as a careful forger would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def edit(self, name: str, change: Callable[[Any], object]) -> None:
        document = json.loads((self.folder / name).read_bytes())
        change(document)
        (self.folder / name).write_text(json.dumps(document))
        if name != "verdict.json":
            self.seal(name)

    def seal(self, name: str) -> None:
        index = json.loads((self.folder / "artifacts.json").read_bytes())
        for entry in index["files"]:
            if entry["path"] == name:
                content = (self.folder / name).read_bytes()
                entry.update(size=len(content), sha256=hashlib.sha256(content).hexdigest())
        (self.folder / "artifacts.json").write_text(json.dumps(index))
        sums = "".join(f"{entry['sha256']}  {entry['path']}\n" for entry in index["files"])
        (self.folder / "checksums.sha256").write_text(sums)
        seal = hashlib.sha256((self.folder / "artifacts.json").read_bytes()).hexdigest()
        self.edit("verdict.json", lambda verdict: verdict["metadata"].update(index_sha256=seal))


def entry(path: str, **fields: Any) -> Callable[[Any], object]:
    def change(index: Any) -> None:
        for item in index["files"]:
            if item["path"] == path:
                item.update(fields)

    return change


def drop_check(verdict: Any) -> None:
    verdict["checks"] = [check for check in verdict["checks"] if check["id"] != "code.tests_pass"]


EDITS: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "tests pass after all": ("tests.json", lambda tests: tests.update(passed=3, failed=0, failures=[]), "/checks/"),
    "fewer lint warnings": ("lint.json", lambda lint: lint.update(warnings=0), "/checks/"),
    "status": ("verdict.json", lambda verdict: verdict.update(status="pass"), "/status"),
    "reasons": ("verdict.json", lambda verdict: verdict.update(reasons=[]), "/reasons"),
    "a check less": ("verdict.json", drop_check, "/checks"),
    "metrics": ("verdict.json", lambda verdict: verdict["metrics"]["tests"].update(failed=0), "/metrics/tests/failed"),
    "an outcome": ("verdict.json", lambda verdict: verdict["checks"][0].update(outcome="refuted"), "/checks/0/outcome"),
    "threshold": ("run.json", lambda run: run["policy"]["rules"].pop("tests_pass"), "/checks"),
    "looser threshold": ("run.json", lambda run: run["policy"]["rules"].update(lint_errors_max=9), "/checks/"),
    "unit": ("run.json", lambda run: run["task"]["units"].pop(), "/checks"),
    "claim": ("run.json", lambda run: run["task"].update(claim=None, units=None), "/checks"),
    "tree": ("run.json", lambda run: run["subject"].update(tree="0" * 40), "/subject/tree"),
    "judges": ("run.json", lambda run: run["policy"].update(judges_changed=["config/x"]), "/checks/"),
    "failure": (
        "run.json",
        lambda run: run["invocations"][0].update(failure={"reason": "ADAPTER_CRASH", "message": "m", "hint": None}),
        "/checks/0",
    ),
    "producer": ("artifacts.json", entry("tests.json", producer=None), ""),
    "media spec": ("artifacts.json", entry("tests.json", media_spec=None), "/checks/"),
    "volatile": ("artifacts.json", entry("tests.json", volatile=["/failed", "/failures"]), "/checks/"),
}


@pytest.mark.release
@pytest.mark.parametrize("name", EDITS)
def test_the_first_difference_of_evidence_that_was_edited_and_sealed_again(run: Run, name: str) -> None:
    file, change, place = EDITS[name]
    repository = run("fail")
    editor = Editor(repository.root / ".artifacts" / "T1")
    editor.edit(file, change)
    if file == "artifacts.json":
        editor.seal("")
    done = repository.gate("replay", "T1", "--json")
    assert done.code == 3, done.output
    if done.json["schema"] == "verigate:replay.v1":
        assert done.json["agrees"] is False
        assert done.json["difference"]["pointer"].startswith(place), done.json
        assert done.json["difference"]["recorded"] != done.json["difference"]["recomputed"]
        text = repository.gate("replay", "T1")
        assert (text.code, "first difference at" in text.out) == (3, True)
        assert "recorded:" in text.out
    else:
        assert place == "", done.output
        assert "not verified" in done.json["faults"][0]["message"]
    for command in ("show", "explain"):
        assert repository.gate(command, "T1").code == 3, "an edited verdict is not shown as one"


def test_the_policy_s_digest_follows_its_rules(run: Run) -> None:
    """Rules edited in the record and in the verdict alike keep no old name."""
    repository = run("pass")
    editor = Editor(repository.root / ".artifacts" / "T1")
    editor.edit("run.json", lambda run: run["policy"]["rules"].pop("rules"))
    editor.edit("verdict.json", lambda verdict: verdict["policy"]["thresholds"].pop("rules"))
    editor.edit(
        "verdict.json",
        lambda verdict: verdict.update(checks=[item for item in verdict["checks"] if item["id"] != "custom.few"]),
    )
    done = repository.gate("replay", "T1", "--json")
    assert done.code == 3
    assert done.json["difference"]["pointer"] == "/policy/digest"


ODD: dict[str, tuple[str, Callable[[Any], object]]] = {
    "checks a string": ("verdict.json", lambda verdict: verdict.update(checks="x")),
    "checks of strings": ("verdict.json", lambda verdict: verdict.update(checks=["x"])),
    "units gone": ("verdict.json", lambda verdict: verdict.pop("units")),
    "status odd": ("verdict.json", lambda verdict: verdict.update(status="perfect")),
    "status a list": ("verdict.json", lambda verdict: verdict.update(status=["pass"])),
    "run empty": ("run.json", lambda run: run.clear()),
    "run odd": ("run.json", lambda run: run.update(task=3)),
    "rules odd": ("run.json", lambda run: run["policy"].update(rules={"tests_min": "many", "word_min": []})),
    "rules a list": ("run.json", lambda run: run["policy"].update(rules=[1])),
    "plan odd": ("run.json", lambda run: run.update(plan=[])),
    "tests odd": ("tests.json", lambda tests: tests.clear()),
    "tests odder": ("tests.json", lambda tests: tests.update(passed="x", failed=None)),
}


@pytest.mark.parametrize("name", ODD)
def test_evidence_of_any_shape_is_told_and_never_a_traceback(run: Run, name: str) -> None:
    file, change = ODD[name]
    repository = run("pass")
    Editor(repository.root / ".artifacts" / "T1").edit(file, change)
    for command in ("replay", "show", "explain"):
        done = repository.gate(command, "T1", "--json")
        assert done.code == 3, (command, done.output)
        assert done.json["schema"] in {"verigate:error.v1", "verigate:replay.v1"}
        assert "internal error" not in done.err, done.output
    listed = repository.gate("list", "--json")
    assert (listed.code, listed.json["tasks"][0]["status"]) == (0, None), listed.output
