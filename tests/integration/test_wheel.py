"""The built wheel in a clean environment elsewhere: a working gate with adapters, plan and profiles inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from python_wheels import from_wheels

from verigate.integrations.new_adapter import new_files
from verigate.integrations.new_adapter.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # With the hatchling that is here; pip builds in an environment of its own in the README's test.
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("verigate-*.whl"))


@pytest.fixture(scope="module")
def gate(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clean") / "env"
    # pip's way from a checkout to a clean environment is the README's, and is run with its commands.
    uv = Path(sys.executable).with_name("uv")
    subprocess.run((uv, "venv", "--quiet", "--python", sys.executable, folder), check=True, capture_output=True)
    install = (uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", folder / "bin" / "python", wheel)
    subprocess.run(install, check=True, capture_output=True, env=os.environ | from_wheels())
    return folder / "bin" / "gate"


def run(gate: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "NO_COLOR": "1"}
    return subprocess.run((gate, *arguments), cwd=cwd, env=environ, capture_output=True, text=True, check=False)


def test_the_wheel_holds_adapters_plan_profiles_and_schemas(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for adapter in ("api", "code", "content", "links"):
        assert f"verigate/builtin/adapters/{adapter}/manifest.json" in names
        assert f"verigate/builtin/adapters/{adapter}/bin/adapter-{adapter}" in names
    assert "verigate/builtin/config/adapter-plan.json" in names
    assert "verigate/builtin/config/verification.profiles.json" in names
    # A template may be that of a test.
    ours = {name for name in names if "/templates/" not in name}
    assert not {name for name in ours if "/tests/" in name or "__pycache__" in name or name.startswith("adapters")}


def test_a_gate_from_the_wheel_makes_adapters(gate: Path, tmp_path: Path) -> None:
    """The templates are in it, also those whose names packagers like to leave out."""
    for language in LANGUAGES:
        done = run(gate, "adapter", "new", language, "--language", language, "--into", ".", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        made = {
            path.relative_to(tmp_path / language).as_posix()
            for path in (tmp_path / language).rglob("*")
            if path.is_file()
        }
        assert made == {file.path for file in new_files(language, language)}


def test_a_gate_from_the_wheel_answers(gate: Path, tmp_path: Path) -> None:
    assert run(gate, "--version", cwd=tmp_path).stdout.startswith("gate ")
    found = json.loads(run(gate, "adapters", "--json", cwd=tmp_path).stdout)
    assert "code:tests" in json.dumps(found)


def test_a_gate_from_the_wheel_runs_the_demo(gate: Path, tmp_path: Path) -> None:
    done = run(gate, "demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "honest: passed" in done.stdout
    assert "failing-tests: stopped" in done.stdout
    assert "missing-function: stopped" in done.stdout
