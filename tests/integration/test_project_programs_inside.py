"""What a project's own programs find inside the sandbox: the PATH of a developer, without what the subject wrote."""

from __future__ import annotations

import os
import venv
from pathlib import Path
from typing import Any

import gated_repository
from gated_repository import GatedRepository

PYPROJECT = "[project]\nname='demo'\nversion='1'\n"


def make(folder: Path, files: dict[str, Any]) -> GatedRepository:
    """A repository with these files, judged by its tests alone."""
    found = gated_repository.make(
        folder, capabilities=["my:check"], files={".gitignore": ".venv/\n", "pyproject.toml": PYPROJECT, **files}
    )
    found.put(
        "config/adapter-plan.json", {"suite": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}}
    )
    found.put("config/verification.profiles.json", {"suite_default": {"tests_pass": True}})
    found.sample.commit("configured")
    return found


def run(repository: GatedRepository, **environ: str) -> dict[str, str]:
    """Verify a task; the message of each test that failed."""
    repository.begin(task_type="suite")
    repository.claim(type="suite")
    done = repository.verify("T1", **environ)
    assert repository.has_verdict(), done.output
    assert "error" not in repository.verdict()["status"], done.output
    tests = repository.published("tests.json")
    assert tests["total"], done.output
    return {each["id"].rpartition(".")[2]: each["message"] for each in tests["failures"]}


TOOLS = """
import os, shutil, subprocess, unittest

class TestTools(unittest.TestCase):
    def test_every_program_of_a_developer(self):
        missing = [name for name in "sed grep awk find tar diff git make".split() if shutil.which(name) is None]
        self.assertEqual(missing, [])

    def test_a_pipeline(self):
        done = subprocess.run("printf 'a b' | sed s/a/c/ | grep -o c", shell=True, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("c\\n", ""))

    def test_the_callers_folder(self):
        self.assertEqual(subprocess.check_output(["callers-tool"], text=True), "of the caller\\n")

    def test_nothing_that_the_subject_wrote(self):
        self.assertIsNone(shutil.which("subjects-tool"))
        self.assertNotIn("subject", subprocess.check_output(["cat", __file__], text=True).splitlines()[0])
"""


def test_a_suite_finds_what_its_developers_have(tmp_path: Path) -> None:
    repository = make(tmp_path, {"test_tools.py": TOOLS})
    for name in ("subjects-tool", "cat"):
        repository.sample.write(f"bin/{name}", "#!/bin/sh\necho subject\n", executable=True)
    repository.sample.commit("programs of its own")
    callers = tmp_path / "callers/bin"
    callers.mkdir(parents=True)
    (callers / "callers-tool").write_text("#!/bin/sh\necho of the caller\n")
    (callers / "callers-tool").chmod(0o755)
    assert run(repository, PATH=f"{repository.root}/bin:{callers}:{os.environ['PATH']}") == {}


SCRIPTS = """
import subprocess, sys, unittest

class TestScripts(unittest.TestCase):
    def test_console_script(self):
        self.assertEqual(subprocess.check_output(["demo-tool"], text=True).strip(), sys.prefix)

    def test_python_is_the_projects(self):
        argv = ["python", "-c", "import sys; print(sys.prefix)"]
        self.assertEqual(subprocess.check_output(argv, text=True).strip(), sys.prefix)
"""


def test_scripts_of_the_projects_environment_are_found(tmp_path: Path) -> None:
    repository = make(tmp_path, {"test_scripts.py": SCRIPTS})
    environment = repository.root / ".venv"
    venv.create(environment, with_pip=False, symlinks=True)
    script = environment / "bin/demo-tool"
    script.write_text(f"#!{environment}/bin/python\nimport sys\nprint(sys.prefix)\n")
    script.chmod(0o755)
    assert run(repository) == {}
