"""The container: built by buildah from the Containerfile, run by podman as nobody in particular, without a network.

Starts hadolint (PyPI), debootstrap, buildah, podman and runc (Debian).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from container_engine import AS_ROOT, BASE, Engine, find_engine
from document_parts import ROOT
from python_wheels import from_wheels

from verigate import __version__

TAG = "localhost/verigate-tests:latest"
PYTHON = "/usr/bin/python3"
"""Debian's, here and in the container: 3.11."""


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(
        (Path(sys.executable).with_name("hadolint"), ROOT / "Containerfile"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.fixture(scope="module")
def engine() -> Engine:
    """An engine that has built the image of this checkout."""
    wheels = from_wheels(PYTHON)["PIP_FIND_LINKS"]
    arguments = {"BASE": BASE, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels"}
    found = find_engine()
    done = found.build(ROOT, TAG, arguments, (f"{wheels}:/wheels:ro",))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return found


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository that the container's user may write to."""
    folder = tmp_path / "work"
    folder.mkdir()
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    (folder / "README.md").write_text("# Notes\n")
    plan = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    rule = {"id": "few-files", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "one file in one change"}
    for name, document in (("adapter-plan", plan), ("verification.profiles", {"code_default": {"rules": [rule]}})):
        path = folder / "config" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", "As it is")):
        subprocess.run(("git", *identity, *words), cwd=folder, check=True)
    subprocess.run((*AS_ROOT, "chown", "-R", "1000:1000", folder), check=True)
    return folder


def mounted(work: Path) -> tuple[str, ...]:
    return ("--volume", f"{work}:/work:rw")


@pytest.mark.slow
@pytest.mark.release
def test_it_is_the_gate_and_nobody_s_root(engine: Engine) -> None:
    assert engine.run(TAG, "--version").stdout == f"gate {__version__}\n"
    shown = engine.run(
        TAG, "-c", "id -u; touch /opt/verigate/x; touch ~/x && echo home", options=("--entrypoint", "/bin/sh")
    )
    assert shown.stdout.split() == ["1000", "home"], shown.stderr
    assert "Permission denied" in shown.stderr
    assert engine.run(TAG, "--version", options=("--entrypoint", "bwrap")).stdout.startswith("bubblewrap ")


@pytest.mark.slow
@pytest.mark.release
def test_a_change_is_judged_there(engine: Engine, work: Path) -> None:
    (work / "a.md").write_text("one\n")
    passed = engine.run(TAG, "verify", "--quiet", options=mounted(work))
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert passed.stdout.startswith("PASS")
    (work / "b.md").write_text("two\n")
    failed = engine.run(TAG, "verify", "--quiet", options=mounted(work))
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "one file in one change" in failed.stdout


OPENED = ("--security-opt", "unmask=ALL", "--security-opt", "seccomp=unconfined")
"""What docs/other-systems.md says to let bubblewrap work."""


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize(("options", "said"), [((), "Landlock"), (OPENED, "bubblewrap works")])
def test_doctor_says_which_sandbox_there_is(engine: Engine, work: Path, options: tuple[str, ...], said: str) -> None:
    done = engine.run(TAG, "doctor", "--json", options=(*mounted(work), *options))
    found = {check["code"]: check["message"] for check in json.loads(done.stdout)["checks"]}
    assert said in found["sandbox"]
    assert " ".join(OPENED) in (ROOT / "docs" / "other-systems.md").read_text("utf-8")
