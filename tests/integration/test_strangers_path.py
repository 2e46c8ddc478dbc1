"""What somebody does who has never seen the gate, from an empty folder: every command with its seconds.

.venv/bin/python -m pytest -q -s tests/integration/test_strangers_path.py
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lxml import etree
from python_wheels import from_wheels

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")

pytestmark = pytest.mark.slow

CALC = "def add(a, b):\n    return a + b\n"
TEST = """import unittest

import calc


class TestCalc(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
"""
MORE = CALC + "\n\ndef sub(a, b):\n    return a - b\n"
MORE_TEST = TEST + "\n    def test_sub(self):\n        self.assertEqual(calc.sub(3, 2), 1)\n"
LIE = MORE.replace("a - b", "b - a") + "\n\ndef mul(a, b):\n    return a * b\n"


@dataclass
class Stranger:
    """Somebody at a prompt in ``folder``. ``spent``: each command with its seconds."""

    folder: Path
    environ: dict[str, str]
    spent: list[tuple[str, float]] = field(default_factory=list)

    def types(self, line: str, *, code: int = 0) -> str:
        """Run one line, as typed; it must end with ``code``."""
        begun = time.perf_counter()
        done = subprocess.run(
            shlex.split(line), cwd=self.folder, env=self.environ, capture_output=True, text=True, check=False
        )
        self.spent.append((line, time.perf_counter() - begun))
        assert done.returncode == code, f"$ {line}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def writes(self, name: str, content: str) -> None:
        (self.folder / name).write_text(content)


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    """Somebody with the built wheel, uv, git and an empty folder; what it needs comes from wheels that are there."""
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT)
    subprocess.run(build, check=True, capture_output=True)
    home, folder = tmp_path / "home", tmp_path / "calc"
    home.mkdir()
    folder.mkdir()
    (home / ".gitconfig").write_text("[user]\n  name = A\n  email = a@b.c\n[init]\n  defaultBranch = main\n")
    # uv is the one program of this checkout's environment that a stranger has as well.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/uv").symlink_to(UV)
    kept = from_wheels() | {"UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path("~/.cache/uv").expanduser()))}
    path = f"{tmp_path}/env/bin:{tmp_path}/bin:/usr/local/bin:/usr/bin:/bin"
    return Stranger(folder, {**kept, "HOME": str(home), "PATH": path, "LANG": "C.UTF-8"})


def test_from_an_empty_folder_to_a_lie_that_is_stopped(stranger: Stranger) -> None:
    (wheel,) = stranger.folder.parent.glob("verigate_gate-*.whl")
    stranger.types(f"uv venv --quiet --python {shlex.quote(sys.executable)} ../env")
    stranger.types(f"uv pip install --quiet --python ../env/bin/python '../{wheel.name}[code]'")

    stranger.types("git init -q")
    stranger.writes("calc.py", CALC)
    stranger.writes("test_calc.py", TEST)
    stranger.writes(".gitignore", "__pycache__/\n")
    assert "wrote   config/adapter-plan.json" in stranger.types("gate init")
    stranger.types("git add --all")
    stranger.types("git commit -q -m 'Gate this repository'")
    assert stranger.types("gate install").count("installed") == 5

    stranger.types("gate start subtract -m 'Subtract' --function sub")
    stranger.writes("calc.py", MORE)
    stranger.writes("test_calc.py", MORE_TEST)
    stranger.types("gate claim subtract func:sub file:calc.py file:test_calc.py")
    stranger.types("git add calc.py test_calc.py")
    assert "PASS  subtract" in stranger.types("git commit -m 'Subtract'")
    assert stranger.types("git log -1 --format='%(trailers:key=Gate-Task,valueonly)'").strip() == "subtract"

    honest = stranger.types("git rev-parse HEAD")
    stranger.types("gate start multiply -m 'Multiply, with tests' --function mul")
    stranger.writes("calc.py", LIE)
    stranger.types("gate claim multiply func:mul func:test_mul file:calc.py")
    stranger.types("git add calc.py")
    said = stranger.types("git commit -m 'Multiply; all tests pass'", code=1)
    assert "FAIL  multiply" in said
    assert "TEST_FAIL" in said
    assert "func:test_mul" in said
    assert stranger.types("git rev-parse HEAD") == honest

    assert "tests.json" in stranger.types("gate explain multiply code.tests_pass")
    reports = ("json", "sarif", "junit", "markdown")
    stranger.types("gate show multiply " + " ".join(f"--format {name}=../{name}" for name in reports))
    opened = {name: (stranger.folder.parent / name).read_bytes() for name in reports}
    assert json.loads(opened["json"])["status"] == "fail"
    assert json.loads(opened["sarif"])["runs"][0]["results"]
    assert int(etree.fromstring(opened["junit"]).get("failures", "0")) > 0
    assert "TEST_FAIL" in opened["markdown"].decode()
    listed = stranger.types("gate list").splitlines()
    assert [line.split()[:2] for line in listed if "subtract" in line] == [["subtract", "code"]]

    stranger.types("gate uninstall")
    assert not list((stranger.folder / ".git/hooks").glob("*verigate*"))
    for line, seconds in stranger.spent:
        print(f"{seconds:6.2f} s  $ {line}")
    print(f"{sum(seconds for _, seconds in stranger.spent):6.2f} s  together")
