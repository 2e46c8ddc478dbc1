"""The GitLab template: its script run by sh, as the runner does, on a merge request that holds and one that doesn't."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml
from comments_server import TOKEN, comments_server
from gated_repository import make

ROOT = Path(__file__).resolve().parents[2]
INSTALLER = """\
#!/bin/sh
# Makes an environment whose gate is the one under test; anything else is python's.
[ "$1 $2" = '-m venv' ] || exec '{python}' "$@"
mkdir -p "$3/bin" && cd "$3/bin"
printf '#!/bin/sh\\necho "$@" >"$0.called"\\n' >pip
cp pip python
printf '#!/bin/sh\\nexec %s -I -m verigate "$@"\\n' '{python}' >gate
printf '#!/bin/sh\\nexec %s -I -m verigate.integrations.ci "$@"\\n' '{python}' >gate-ci
chmod +x pip python gate gate-ci
"""


def install(folder: Path) -> None:
    """Put a python3 into a folder that installs the gate under test."""
    folder.mkdir()
    installer = folder / "python3"
    installer.write_text(INSTALLER.format(python=sys.executable))
    installer.chmod(0o755)


def test_the_comment_is_a_job_of_its_own_that_has_nothing_of_the_change(tmp_path: Path) -> None:
    job = yaml.safe_load((ROOT / "templates" / "gitlab-comment.yml").read_text("utf-8"))["verigate-comment"]
    assert (job["variables"]["GIT_STRATEGY"], job["needs"], job["allow_failure"]) == ("none", ["verigate"], True)
    install(tmp_path / "bin")
    reports = tmp_path / "job" / "gate-reports"
    reports.mkdir(parents=True)
    (reports / "gate.md").write_text("<!-- verigate -->\n### Gate: FAIL\n")
    with comments_server("gitlab") as forge:
        environ = {
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "GITLAB_CI": "true", "CI_PROJECT_ID": "42",
            "CI_API_V4_URL": f"{forge.url}/api/v4", "CI_MERGE_REQUEST_IID": "7", "CI_PIPELINE_ID": "5",
            "CI_PIPELINE_URL": "https://gitlab.example/-/pipelines/5", "CI_COMMIT_SHA": "a" * 40, "GITLAB_TOKEN": TOKEN,
            **job["variables"], "VERIGATE_SOURCE": "a place",
        }  # fmt: skip

        def run(**more: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                ("sh", "-c", "\n".join(("set -e", *job["script"]))), cwd=reports.parent, env={**environ, **more},
                capture_output=True, text=True, check=False, timeout=60,
            )  # fmt: skip

        assert "isn't known" in run().stderr
        assert forge.calls == []
        done = run(VERIGATE_HOST=forge.url)
        assert (done.returncode, done.stdout) == (0, "gate: the comment is created\n"), done.stderr
        assert "### Gate: FAIL" in forge.stored[0]["body"]


def test_a_merge_request(tmp_path: Path) -> None:
    job = yaml.safe_load((ROOT / "templates" / "gitlab-ci.yml").read_text("utf-8"))["verigate"]
    script = "\n".join(("set -e", *job["script"]))
    plan = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    rule = {"id": "few", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "too many files"}
    profiles = {"code_default": {"rules": [rule]}}
    files = {"config/adapter-plan.json": plan, "config/verification.profiles.json": profiles}
    repository = make(tmp_path / "made", capabilities=["my:check"], files=files)
    base = repository.sample.git("rev-parse", "HEAD")
    install(tmp_path / "bin")
    repository.sample.git("clone", "--quiet", "--bare", ".", str(tmp_path / "remote"))
    repository.sample.git("remote", "add", "origin", str(tmp_path / "remote"))
    environ = repository.environ(
        GITLAB_CI="true",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        **job["variables"],
    )
    environ["PATH"] = f"{tmp_path / 'bin'}:{environ['PATH']}"

    def run(**more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ("sh", "-c", script),
            cwd=repository.root,
            env={**environ, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    assert "name what to install" in run().stderr
    codes = []
    for name in ("one.txt", "two.txt"):
        repository.put(name, name)
        repository.sample.git("add", name)
        repository.sample.git("commit", "--quiet", "-m", name)
        codes.append(run(VERIGATE_SOURCE="a place", VERIGATE_PROFILE="code_default").returncode)
    assert codes == [0, 1]
    assert repository.verdict("implicit")["policy"]["ref"]["name"] == "refs/remotes/origin/main"
    reports = {kind: repository.root / path for kind, path in job["artifacts"]["reports"].items()}
    (entry,) = json.loads(reports["codequality"].read_bytes())
    assert entry["severity"] == "critical"
    suites = ET.parse(reports["junit"]).getroot()  # noqa: S314 - written by the gate just now
    assert suites.get("failures") == "1"
    assert job["artifacts"]["when"] == "always"
    assert (job["allow_failure"], "when" in job) == (False, False)
    assert all("when" not in rule for rule in job["rules"])
    unknown = run(VERIGATE_SOURCE="a place", CI_MERGE_REQUEST_DIFF_BASE_SHA="c" * 40)
    assert unknown.returncode == 2
    assert "is not in this clone" in unknown.stderr
