"""Which variables tests get: those of an active environment, and those that tox and hatch set in plain texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_adapter.python_environment import Python
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.runner_variables import read_runner_variables
from verigate.sdk import Request

INI = """
[testenv]
setenv =
    ALL = 1
    NAME = a = b
    ROOT = {toxinidir}/data
    py311-!cov: OF_PYTHON=1
    cov, lint: OTHER=1
    PYTHONPATH = src
    PATH = bin
    LD_PRELOAD = x.so
    HOME = {envtmpdir}

[testenv:py311-unit]
set_env = ALL = 2
"""
TOX_TOML = """
env_run_base.set_env = { ALL = "1", MORE = { replace = "env", name = "X" } }
env.py311.set_env.OF_PYTHON = "1"
env.lint.set_env.OTHER = "1"
"""
PYPROJECT = """
[tool.hatch.envs.default.env-vars]
ALL = "1"
ROOT = "{root}/data"
[tool.hatch.envs.unit.env-vars]
ALL = "2"
[tool.hatch.envs.lint.env-vars]
OTHER = "1"
"""


@pytest.mark.parametrize(
    ("name", "text", "environment", "expected"),
    [
        ("tox.ini", INI, ".tox/py311", {"ALL": "1", "NAME": "a = b", "ROOT": "@/data", "OF_PYTHON": "1"}),
        ("tox.ini", INI, ".tox/py311-unit", {"ALL": "2", "NAME": "a = b", "ROOT": "@/data", "OF_PYTHON": "1"}),
        ("tox.ini", INI, ".tox/py311-cov", {"ALL": "1", "NAME": "a = b", "ROOT": "@/data", "OTHER": "1"}),
        ("tox.ini", INI, ".venv", {}),
        ("tox.ini", "no section\n", ".tox/py311", {}),
        ("pyproject.toml", f"[tool.tox]\nlegacy_tox_ini = '''{INI}'''\n", ".tox/lint", {"OTHER": "1"}),
        ("tox.toml", TOX_TOML, ".tox/py311", {"ALL": "1", "OF_PYTHON": "1"}),
        ("pyproject.toml", PYPROJECT, ".hatch/unit", {"ALL": "2", "ROOT": "@/data"}),
        ("pyproject.toml", PYPROJECT, "share/hatch/env/virtual/demo/abcdefgh/demo", {"ALL": "1", "ROOT": "@/data"}),
        ("pyproject.toml", PYPROJECT, "share/hatch/env/virtual/demo/abcdefgh/unit.py3.11", {"ALL": "2"}),
        ("pyproject.toml", "[tool]\ntox = 1\nhatch = 1\n", ".tox/py311", {}),
    ],
)
def test_variables(tmp_path: Path, name: str, text: str, environment: str, expected: dict[str, str]) -> None:
    (tmp_path / name).write_text(text)
    found = read_runner_variables(SubjectFiles(tmp_path, (name,)), "", tmp_path / environment)
    texts = {key: value.replace("@", str(tmp_path)) for key, value in expected.items()}
    assert texts.items() <= found.items()
    refused = {"PYTHONPATH", "PATH", "LD_PRELOAD", "HOME", "MORE"}
    others = {"OTHER", "OF_PYTHON"} - expected.keys()
    assert not found.keys() & (refused | others)


@pytest.mark.parametrize(
    ("marker", "variable"), [("pyvenv.cfg", "VIRTUAL_ENV"), ("conda-meta/history", "CONDA_PREFIX")]
)
def test_the_environment_is_active(tmp_path: Path, marker: str, variable: str) -> None:
    place = tmp_path / "env"
    (place / marker).parent.mkdir(parents=True)
    (place / marker).touch()
    request = Request("code:tests", tmp_path, environ={"PATH": "/usr/bin", "VIRTUAL_ENV": "/another"})
    env = Python(f"{place}/bin/python", "project", "3.11").make_environ(request)
    assert env["PATH"] == f"{place}/bin:/usr/bin"
    assert {name: env[name] for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if name in env} == {variable: str(place)}
