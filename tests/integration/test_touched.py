"""A commit of documents runs no tests in the git hook; the verdict says so, and everything else runs them."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from gated_repository import Done, GatedRepository

NAMES = ["code:diff", "code:integrity", "code:tests"]
ENTRY = {"order": NAMES, "required": NAMES, "optional": []}
FILES = {
    ".gitignore": ".artifacts/\n",
    "config/adapter-plan.json": {"code": ENTRY, "facts": ENTRY},
    "README.md": "# It\n",
    "a.py": "a = 1\n",
}
RULES = {"tests_pass": True, "integrity": True}
SKIPPED = "skipped: the change is of documents only; CI and `gate verify` without --touched run it"


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    return gr.make(tmp_path, {"tests.json": lf.GOOD["tests.json"]}, RULES, files=FILES)


def stage(repository: GatedRepository, path: str, content: str = "new\n") -> None:
    repository.put(path, content)
    repository.sample.git("add", "--all")


def verify(repository: GatedRepository, *arguments: str) -> Done:
    return repository.gate("verify", "--staged", "--json", "--quiet", *arguments)


def ran(repository: GatedRepository, task_id: str = "implicit") -> bool:
    return "code:tests" in [call["capability"] for call in repository.published("run.json", task_id)["invocations"]]


def test_a_change_of_documents_runs_no_tests_and_says_so(repository: GatedRepository) -> None:
    stage(repository, "README.md", "# It works\n")
    done = verify(repository, "--touched")
    assert (done.code, ran(repository)) == (0, False), done.output
    found = {check["id"]: check for check in done.json["checks"]}
    for name in ("capability:code:tests", "code.tests_pass"):
        assert (found[name]["outcome"], found[name]["message"]) == ("not_applicable", SKIPPED)
    assert found["code.integrity"]["outcome"] == "holds"
    assert repository.published("run.json", "implicit")["plan"]["skipped"] == ["code:tests"]
    assert repository.gate("replay", "implicit").code == 0
    assert (verify(repository).code, ran(repository)) == (0, True)


@pytest.mark.parametrize(
    "path",
    [
        "a.py",
        "notes.unknown",
        "pyproject.toml",
        "config/other.json",
        "requirements.txt",
        "tests/data.md",
        ".github/x.yml",
    ],
)
def test_any_other_file_runs_them(repository: GatedRepository, path: str) -> None:
    stage(repository, "README.md", "# It works\n")
    stage(repository, path)
    verify(repository, "--touched")
    assert ran(repository)


@pytest.mark.release
def test_a_document_that_is_a_link_or_a_program_runs_them(repository: GatedRepository) -> None:
    (repository.root / "linked.md").symlink_to("a.py")
    stage(repository, "notes.txt")
    verify(repository, "--touched")
    assert ran(repository)
    (repository.root / "linked.md").unlink()
    (repository.root / "notes.txt").chmod(0o755)
    repository.sample.git("add", "--all")
    verify(repository, "--touched")
    assert ran(repository)


def test_a_change_of_policy_runs_them(repository: GatedRepository) -> None:
    stage(repository, "hooks/pre-commit/notes.md")
    assert verify(repository, "--touched").code == 1
    assert ran(repository)


@pytest.mark.release
def test_what_a_task_needs_runs(repository: GatedRepository) -> None:
    # The task has changed code before: its difference from the base isn't one of documents.
    repository.begin(task_type="code")
    repository.claim("file:README.md")
    stage(repository, "README.md", "# It works\n")
    done = verify(repository, "T1", "--touched")
    assert (done.code, ran(repository, "T1")) == (0, False), done.output
    repository.claim("file:README.md", statements=["All tests pass."])
    assert verify(repository, "T1", "--touched").code == 0
    assert ran(repository, "T1")
    repository.claim("file:README.md")
    repository.begin(task_type="code", commitments={"quality": {"tests_min": 1}})
    verify(repository, "T1", "--touched")
    assert ran(repository, "T1")
    repository.begin(task_type="code")
    stage(repository, "a.py", "a = 2\n")
    verify(repository, "T1", "--touched")
    assert ran(repository, "T1")


@pytest.mark.release
@pytest.mark.parametrize(
    "rules",
    [
        {"required_artifacts": ["tests.json"]},
        {"required_artifacts": ["code:tests"]},
        {"rules": [{"id": "some", "expr": 'artifacts["tests.json"].total > 0', "message": "none"}]},
    ],
)
def test_what_a_profile_reads_itself_runs(tmp_path: Path, rules: dict[str, object]) -> None:
    repository = gr.make(tmp_path, {"tests.json": lf.GOOD["tests.json"]}, {**RULES, **rules}, files=FILES)
    stage(repository, "README.md", "# It works\n")
    assert verify(repository, "--touched").code == 0
    assert ran(repository)


def test_what_another_capability_needs_runs(repository: GatedRepository) -> None:
    document = json.loads((repository.root / "adapters/facts/manifest.json").read_text())
    document["capabilities"] = ["code:tests", {"name": "my:count", "needs": ["code:tests"]}]
    repository.put("adapters/facts/manifest.json", document)
    repository.put("adapters/facts/out/my:count/count.json", {"count": 1})
    entry = {**ENTRY, "order": [*NAMES, "my:count"], "required": [*NAMES, "my:count"]}
    repository.put("config/adapter-plan.json", {"code": entry})
    repository.sample.commit("another capability")
    stage(repository, "README.md", "# It works\n")
    assert verify(repository, "--touched").code == 0
    assert ran(repository)
