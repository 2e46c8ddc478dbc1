"""The feature for development containers: packed by the reference implementation, installed as an image is built.

Starts @devcontainers/cli (npm), buildah and podman (Debian).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import npm_tools
import pytest
from container_engine import BASE, find_engine
from document_parts import ROOT
from python_wheels import from_wheels

from verigate import __version__

FEATURE = ROOT / "devcontainer" / "verigate"
DESCRIPTION = json.loads((FEATURE / "devcontainer-feature.json").read_bytes())
CONTAINERFILE = """ARG BASE
FROM ${BASE}
ARG PIP_NO_INDEX
ARG PIP_FIND_LINKS
COPY feature /feature
COPY own /own
RUN VERSION=@VERSION@ EXTRAS=code /feature/install.sh
"""
"""Options become variables, and the script runs as root: as the specification of features has it."""


def test_it_has_the_version_of_the_package_and_names_an_extra_that_there_is() -> None:
    assert DESCRIPTION["version"] == __version__
    assert __version__ in DESCRIPTION["options"]["version"]["proposals"]
    assert "documentationURL" not in DESCRIPTION, "there is no address of ours: verigate.reporting.addresses"


@pytest.mark.slow
def test_the_reference_implementation_packs_it(tmp_path: Path) -> None:
    command = (npm_tools.dev_containers(), "features", "package", FEATURE, "--output-folder", tmp_path / "out")
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    with tarfile.open(tmp_path / "out" / "devcontainer-feature-verigate.tgz") as archive:
        assert {"./devcontainer-feature.json", "./install.sh"} <= set(archive.getnames())


@pytest.mark.slow
@pytest.mark.release
def test_gate_is_installed_as_an_image_is_built(tmp_path: Path) -> None:
    shutil.copytree(FEATURE, tmp_path / "feature")
    wheel = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "own", ROOT)
    subprocess.run(wheel, check=True, capture_output=True)
    (tmp_path / "Containerfile").write_text(CONTAINERFILE.replace("@VERSION@", __version__))
    engine, tag = find_engine(), "localhost/verigate-feature:latest"
    wheels = from_wheels("/usr/bin/python3")["PIP_FIND_LINKS"]
    arguments = {"BASE": BASE, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels /own"}
    built = engine.build(tmp_path, tag, arguments, (f"{wheels}:/wheels:ro",))
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    assert engine.run(tag, "gate", "--version").stdout == f"gate {__version__}\n"
    assert engine.run(tag, "bwrap", "--version").stdout.startswith("bubblewrap ")
    demo = engine.run(tag, "sh", "-c", "mkdir /tmp/a && cd /tmp/a && git init -q && gate doctor --json")
    assert json.loads(demo.stdout)["checks"], demo.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"VERSION": "1; touch x"}, '"1; touch x" is no version'),
        ({"EXTRAS": "$(touch x)"}, '"$(touch x)" are no extras'),
        ({"PATH": "@"}, "this image has no apt-get: base it on Debian or Ubuntu"),
    ],
)
def test_what_it_can_not_use_is_refused_before_anything_is_installed(
    tmp_path: Path, given: dict[str, str], said: str
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "id").write_text("#!/bin/sh\necho 0\n")
    (programs / "id").chmod(0o755)
    env = {"PATH": f"{programs}:{os.environ['PATH']}", **given}
    env["PATH"] = env["PATH"].replace("@", str(programs))
    done = subprocess.run(
        ("/bin/sh", FEATURE / "install.sh"), cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert not (tmp_path / "x").exists()
