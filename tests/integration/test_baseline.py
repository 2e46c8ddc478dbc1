"""A baseline in a repository with old findings, by real ruff and the real command line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
from lean_environment import lean_environment, make_environment, site_packages
from repositories import Ended, Repository

from verigate.config.baseline import encode_baseline

FILE = "config/verigate-baseline.json"
OLD = "import os\nimport sys\n\n\ndef old():\n    return 1\n"
ADDED = OLD + "\n\ndef added():\n    return 2\n"
ON_THAT_DAY = """
import sys
from verigate import composition
composition.today = lambda: sys.argv[1]
from verigate.cli import main
main(sys.argv[2:])
"""


def with_ruff(repo: Repository) -> Repository:
    """An environment of the project's own, which git is told to leave alone."""
    repo.write({".git/info/exclude": ".venv/\n"})
    make_environment(repo.root / ".venv")
    site_packages(repo.root / ".venv").symlink_to(site_packages(lean_environment()))
    return repo


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two findings and the baseline that covers them, committed."""
    folder = tmp_path_factory.mktemp("baseline")
    repo = with_ruff(Repository.make(folder))
    repo.policy(("code:lint",), {"lint_errors_max": 0})
    repo.commit({"old.py": OLD})
    written = repo.gate("baseline", "write", "--json", "--reason", "older than the gate", "--expires", "30")
    assert written.exit_code == 0, str(written)
    document = json.loads(written.stdout)
    assert (document["added"], document["unbound"], len(document["entries"])) == (2, 0, 2)
    repo.commit()
    return folder


@pytest.fixture
def repo(template: Path, tmp_path: Path) -> Repository:
    folder = tmp_path / "copy"
    shutil.copytree(template, folder, symlinks=True)
    made = Repository(folder / "repo", folder / "home")
    made.task(type_="change")
    made.claim("file:old.py", type_="change")
    return made


def entries(repo: Repository) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((repo.root / FILE).read_text())["entries"]
    return found


def put(repo: Repository, found: list[dict[str, Any]]) -> None:
    repo.write({FILE: json.dumps({"schema": "verigate:baseline.v1", "entries": found})})


def lint(ended: Ended) -> dict[str, Any]:
    check = ended.check("code.lint_errors_max")
    assert check is not None, str(ended)
    return check


def test_old_findings_are_left_out_wherever_they_moved_and_every_report_says_so(repo: Repository) -> None:
    repo.write({"old.py": '"""Now with a text."""\n\n' + ADDED})
    ended = repo.verify()
    assert ended.exit_code == 0, str(ended)
    date = entries(repo)[0]["expires"]
    assert f"expiring {date}" in lint(ended)["message"]
    reports = {
        name: f"out.{name}" for name in ("text", "junit", "tap", "github", "gitlab", "markdown", "html", "sarif")
    }
    formats = [f"--format={name}=../{file}" for name, file in reports.items()]
    assert repo.gate("show", "T1", "--json", *formats).exit_code == 0
    for file in reports.values():
        text = (repo.root.parent / file).read_text()
        assert "2 lint findings are left out" in text or file == "out.sarif", file
        assert date in text, file
    (run,) = json.loads((repo.root.parent / "out.sarif").read_text())["runs"]
    assert [result["suppressions"][0]["kind"] for result in run["results"]] == ["external", "external"]
    assert {result["partialFingerprints"]["verigateFinding/v2"] for result in run["results"]} == {
        entry["fingerprint"] for entry in entries(repo)
    }
    explained = repo.gate("explain", "T1", "lint_errors_max").stdout.decode()
    assert "old.py:3:8: F401: `os` imported but unused" in explained
    assert f"left out until {date}" in explained


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (ADDED + "\n\ndef more():\n    import json\n", 1),
        (OLD.replace("import os", "import os  # noted"), 1),
        (OLD + "\n\ndef more():\n    import os\n", 2),
    ],
    ids=["a new one", "an edited line", "a copy of an old one"],
)
def test_a_new_finding_refutes(repo: Repository, content: str, left: int) -> None:
    repo.write({"old.py": content})
    ended = repo.verify()
    assert (ended.exit_code, ended.reasons) == (1, {"LINT_FAIL"}), str(ended)
    assert lint(ended)["actual"] == left


def test_a_file_that_was_renamed_has_no_old_findings(repo: Repository) -> None:
    repo.write({"old.py": None, "renamed.py": OLD})
    ended = repo.verify()
    assert lint(ended)["actual"] == 2, str(ended)


def test_an_entry_covers_until_its_date_and_the_verdict_of_that_day_is_the_one_of_any_day(repo: Repository) -> None:
    put(repo, [{**entry, "created": "2020-01-01", "expires": "2020-03-01"} for entry in entries(repo)])
    repo.git("commit", "--quiet", "--message=As it was in 2020", FILE)
    repo.task(type_="change")
    repo.write({"old.py": ADDED})
    then = on("2020-02-29", repo)
    assert then.exit_code == 0, str(then)
    replayed = repo.gate("replay", "T1", "--json")
    assert (replayed.exit_code, json.loads(replayed.stdout)["agrees"]) == (0, True), "decided again years later"
    repo.artifact("baseline.json").write_text(encode_baseline(()).decode())
    assert repo.gate("replay", "T1").exit_code == 3, "another baseline than the one that was in force"
    expired = repo.verify()
    assert expired.exit_code == 1, str(expired)
    assert "2 of them were in the baseline until it expired on 2020-03-01" in lint(expired)["message"]
    too_early = on("2019-12-31", repo)
    assert too_early.exit_code == 2, str(too_early)
    assert "in the future" in too_early.stderr.decode()


def on(day: str, repo: Repository) -> Ended:
    """``gate verify T1`` on another day."""
    argv = [sys.executable, "-I", "-c", ON_THAT_DAY, day, "verify", "T1", "--json", "--quiet"]
    environ = repo._environment()
    done = subprocess.run(argv, cwd=repo.root, env=environ, capture_output=True, check=False, timeout=60)
    return Ended(done.returncode, done.stdout, done.stderr)


def test_adding_to_the_baseline_is_a_change_of_policy(repo: Repository) -> None:
    repo.write({"old.py": ADDED.replace("import os\n", "import json\n")})
    assert repo.gate("baseline", "write", "--quiet").exit_code == 0
    ended = repo.verify()
    assert (ended.exit_code, ended.reasons) == (1, {"INTEGRITY_FAIL"}), str(ended)
    assert FILE in str(ended.check("gate.judges"))


@pytest.mark.release
def test_taking_away_from_the_baseline_is_none(repo: Repository) -> None:
    repo.write({"old.py": ADDED.replace("import os\n", "")})
    stale = repo.verify()
    assert stale.exit_code == 0, str(stale)
    assert stale.verdict is not None
    assert stale.verdict["policy"]["baseline"]["stale"] == 1
    assert repo.gate("baseline", "prune", "--quiet").exit_code == 0
    assert [entry["rule"] for entry in entries(repo)] == ["F401"]
    pruned = repo.verify()
    assert pruned.exit_code == 0, str(pruned)


def test_a_baseline_that_cannot_be_used_is_exit_code_2(repo: Repository) -> None:
    put(repo, [{key: value for key, value in entry.items() if key != "expires"} for entry in entries(repo)])
    repo.write({"old.py": ADDED})
    ended = repo.gate("verify", "T1", "--quiet")
    assert ended.exit_code == 2, str(ended)
    said = ended.stderr.decode()
    assert f"{FILE}:1 /entries/0" in said
    assert "'expires' is missing" in said


def test_what_writing_says_and_does_not_write(repo: Repository) -> None:
    before = entries(repo)
    repo.write({"old.py": ADDED.replace("import os\n", "import json\n")})
    dry = repo.gate("baseline", "write", "--quiet", "--dry-run")
    assert dry.exit_code == 0, str(dry)
    told = dry.stdout.decode()
    assert f"would write {FILE}: 2 entries" in told
    assert "1 finding is left out until" in told
    assert "1 finding keeps the date of before" in told
    assert "1 finding no longer occurs and left the file" in told
    assert entries(repo) == before
    listed = repo.gate("baseline", "show")
    assert listed.stdout.decode().count("older than the gate") == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--expires", "400"), "366 days from now"),
        (("--expires", "someday"), "neither a number of days nor a date"),
        (("--reason", " "), "1 to 1000 characters"),
        (("--staged", "--ref", "HEAD"), "two different subjects"),
    ],
)
def test_what_cannot_be_asked_for_is_exit_code_2(repo: Repository, arguments: tuple[str, ...], says: str) -> None:
    ended = repo.gate("baseline", "write", *arguments)
    assert ended.exit_code == 2, str(ended)
    assert says in ended.stderr.decode()


@pytest.mark.release
def test_setting_the_gate_up_where_linters_find_something_mentions_it(tmp_path: Path) -> None:
    repo = with_ruff(Repository.make(tmp_path, {"old.py": OLD, "pyproject.toml": "[tool.ruff]\n"}))
    ended = repo.gate("init")
    assert ended.exit_code == 0, str(ended)
    assert "would write config/verigate-baseline.json\n  leaves 2 lint findings out until " in ended.stdout.decode()
    assert not (repo.root / FILE).exists()
    fixed = repo.gate("init", "--fix", "--yes", "--json")
    document = json.loads(fixed.stdout)
    assert (document["verdict"]["status"], document["settled"]) == ("pass", [FILE]), str(fixed)


def test_an_unknown_part_of_the_command_gets_the_nearest(repo: Repository) -> None:
    ended = repo.gate("baseline", "wriet")
    assert ended.exit_code == 2, str(ended)
    assert "Did you mean: write?" in ended.stderr.decode()


def test_nothing_is_written_where_no_linter_looked(tmp_path: Path) -> None:
    repo = Repository.make(tmp_path, {"notes.txt": "one\n"})
    ended = repo.gate("baseline", "write", "--quiet")
    assert ended.exit_code == 3, str(ended)
    assert "no linter looked at any file" in ended.stderr.decode()
    assert not (repo.root / FILE).exists()
    pruned = repo.gate("baseline", "show")
    assert pruned.stdout.decode() == "there is no baseline; gate baseline write makes one\n"


def test_a_tool_counts_where_a_plan_names_it(tmp_path: Path) -> None:
    """Shipped tools list findings too; those that no plan names aren't run, and one that a plan names is."""
    repository = gr.make(
        tmp_path, order=("shellcheck:lint",), capabilities=("other:nothing",), files={"a.sh": "#!/bin/sh\necho $1\n"}
    )
    repository.sample.commit("a script")
    done = repository.gate("baseline", "write", "--reason", "older than the gate")
    assert done.code == 0, done.output
    written = json.loads((repository.root / "config/verigate-baseline.json").read_bytes())
    assert [entry["path"] for entry in written["entries"]] == ["a.sh", "adapters/facts/run"]
