"""What a project's own programs find inside the sandbox: the PATH of a developer, without what the subject wrote."""

from __future__ import annotations

import json
import os
import venv
from pathlib import Path
from typing import Any

import gated_repository
import pytest
from gated_repository import GatedRepository
from lean_environment import lean_environment, site_packages

PYPROJECT = "[project]\nname='demo'\nversion='1'\n"


def make(folder: Path, files: dict[str, Any], sandbox: str = "require") -> GatedRepository:
    """A repository with these files, judged by its tests alone."""
    found = gated_repository.make(
        folder, capabilities=["my:check"], files={".gitignore": ".venv/\n", "pyproject.toml": PYPROJECT, **files}
    )
    found.put(
        "config/adapter-plan.json", {"suite": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}}
    )
    found.put("config/verification.profiles.json", {"suite_default": {"tests_pass": True, "sandbox": sandbox}})
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


@pytest.mark.parametrize("sandbox", ["require", "off"])
def test_a_suite_finds_what_its_developers_have(tmp_path: Path, sandbox: str) -> None:
    repository = make(tmp_path, {"test_tools.py": TOOLS}, sandbox)
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


COPY = """
import importlib.util, os, subprocess, sys
import demo
from demo._version import __version__

def test_the_subject_is_imported():
    assert demo.VALUE == 2

def test_so_does_a_program():
    assert subprocess.check_output(["python", "-c", "import demo; print(demo.VALUE)"], text=True) == "2\\n"

def test_what_the_installation_generated():
    assert __version__ == "7"

def test_what_the_subject_removed_stays_removed():
    assert importlib.util.find_spec("demo.removed") is None

def test_its_environment():
    assert sys.prefix.endswith("/.tox/py311")
    names = ("OF_ALL", "OF_311", "OF_LINT", "OF_ROOT", "PYTHONSTARTUP", "PYTEST_ADDOPTS")
    values = {name: os.environ.get(name) for name in names}
    assert values == {**dict.fromkeys(names), "OF_ALL": "1", "OF_311": "a=b", "OF_ROOT": f"{os.getcwd()}/x"}
"""


TOX = """
[testenv]
set_env =
    OF_ALL = 1
    OF_ROOT = {toxinidir}/x
    py311: OF_311=a=b
    lint: OF_LINT=1
    OF_OTHERS = {env:HOME}
    PYTHONSTARTUP = x
    PYTEST_ADDOPTS = --collect-only
"""


def install_copy(environment: Path, root: Path, modules: dict[str, str]) -> None:
    """Install the project's distribution ``demo`` with these files, as tox does."""
    site = site_packages(environment)
    listed = []
    for name, content in modules.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(content)
        listed.append(f"{name},,\n")
    info = site / "demo-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: demo\nVersion: 1\n")
    (info / "RECORD").write_text("".join(listed))
    (info / "direct_url.json").write_text(json.dumps({"url": f"file://{root}", "dir_info": {}}))


@pytest.mark.parametrize("sandbox", ["require", "off"])
def test_an_installed_copy_of_the_project_gives_way_to_the_subject(tmp_path: Path, sandbox: str) -> None:
    files = {".gitignore": ".tox/\n_version.py\n", "src/demo/__init__.py": "VALUE = 2\n", "tests/test_demo.py": COPY}
    # None of these is the test runner.
    forged = "import os\nos._exit(0)\n"
    files |= {"tox.ini": TOX, "src/pytest.py": forged, "src/runpy.py": forged, "runpy.py": forged}
    repository = make(tmp_path, files, sandbox)
    lint, tests = repository.root / ".tox/lint", repository.root / ".tox/py311"
    for environment in (lint, tests):
        venv.create(environment, with_pip=False, symlinks=True)
    (site_packages(tests) / "pytest.pth").write_text(f"{site_packages(lean_environment())}\n")
    old = {"demo/__init__.py": "VALUE = 1\n", "demo/_version.py": "__version__ = '7'\n", "demo/removed.py": ""}
    install_copy(tests, repository.root, old)
    assert run(repository) == {}
    assert not (repository.root / "src/demo/_version.py").exists()


FINDER = "MAPPING: dict[str, str] = {{'demo': '{place}/demo'}}\nNAMESPACES: dict[str, list[str]] = {{}}\n"
PARTS = {
    "pth": {"_demo.pth": "{place}\n"},
    "finder": {
        "__editable__.demo.pth": "import __editable___demo_finder",
        "__editable___demo_finder.py": FINDER + "import sys\nsys.path.append(MAPPING['demo'][: -len('/demo')])\n",
    },
    "unknown": {"_demo.pth": "import sys; sys.path.append('{place}')\n"},
}


@pytest.mark.parametrize("how", PARTS)
def test_an_editable_installation_of_another_checkout_gives_way_to_the_subject(tmp_path: Path, how: str) -> None:
    project = {".gitignore": ".venv/\n", "pyproject.toml": "[project]\nname = 'demo'\nversion = '1'\n"}
    test = {"tests/test_demo.py": "from demo import VALUE\n\ndef test_value():\n    assert VALUE == 2\n"}
    repository = make(tmp_path, {**project, **test, "src/demo/__init__.py": "VALUE = 1\n"}, "require")
    other, environment = tmp_path / "other", repository.root / ".venv"
    (other / "src/demo").mkdir(parents=True)
    (other / "src/demo/__init__.py").write_text("VALUE = 2\n")
    venv.create(environment, with_pip=False, symlinks=True)
    site = site_packages(environment)
    (site / "pytest.pth").write_text(f"{site_packages(lean_environment())}\n")
    for name, content in PARTS[how].items():
        (site / name).write_text(content.format(place=other / "src"))
    info = site / "demo-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: demo\nVersion: 1\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in PARTS[how]))
    origin = {"url": f"file://{other}", "dir_info": {"editable": True}}
    (info / "direct_url.json").write_text(json.dumps(origin))
    if how == "unknown":
        repository.begin(task_type="suite")
        repository.claim(type="suite")
        done = repository.verify("T1")
        assert "imports the project from another checkout" in done.output
        assert repository.verdict()["status"] == "error"
    else:
        assert list(run(repository)) == ["test_value"]


@pytest.mark.parametrize("folder", ["src", "lib", ""])
def test_another_checkout_on_the_environments_path_gives_way_to_the_subject(tmp_path: Path, folder: str) -> None:
    # As setup.py develop, conda develop or a .pth by hand leave it: no metadata that says what was installed.
    module = f"{folder}/demo.py" if folder else "demo.py"
    test = "from demo import VALUE\n\ndef test_value():\n    assert VALUE == 2\n"
    files = {".gitignore": ".venv/\n", "setup.py": "", "pytest.ini": "[pytest]\n", "checks/test_demo.py": test}
    repository = make(tmp_path, {**files, module: "VALUE = 1\n"}, "require")
    other, environment = tmp_path / "other", repository.root / ".venv"
    (other / module).parent.mkdir(parents=True)
    (other / module).write_text("VALUE = 2\n")
    (other / "setup.py").write_text("")
    venv.create(environment, with_pip=False, symlinks=True)
    site = site_packages(environment)
    (site / "pytest.pth").write_text(f"{site_packages(lean_environment())}\n")
    (site / "easy-install.pth").write_text(f"import sys; print('hello')\n{(other / module).parent}\n")
    assert list(run(repository)) == ["test_value"]


SETTINGS = """
import os, tempfile, time, unittest

class TestSettings(unittest.TestCase):
    def test_the_machines_time_zone_and_locale(self):
        self.assertEqual(time.tzname, ("XYZ", "XYZ"))
        self.assertEqual((os.environ["LANG"], os.environ.get("LC_ALL"), os.environ["TERM"]), ("C.UTF-8", None, "xterm"))

    def test_nothing_of_ours_decides(self):
        ours = {"NO_COLOR", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GATE_PROJECT_ENV"}
        self.assertEqual(ours.intersection(os.environ), set())

    def test_folders_are_as_usual(self):
        self.assertEqual(tempfile.gettempdir(), "/tmp")
        self.assertEqual(os.stat("/tmp").st_mode & 0o7777, 0o1777)
        os.makedirs(os.path.expanduser("~/.config/demo"))

    def test_rights_over_own_files(self):
        with tempfile.NamedTemporaryFile() as file:
            os.chmod(file.name, 0o001)
            self.assertEqual(str(os.access(file.name, os.X_OK)), os.environ["OUTSIDE"])
            self.assertEqual(os.stat(file.name).st_uid, os.geteuid())

    def test_what_is_configured(self):
        self.assertEqual(os.environ["DEMO"], "configured")
"""


def test_a_suite_has_the_settings_of_the_machine(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.touch(mode=0o001)
    configured = {"DEMO": "configured", "OUTSIDE": str(os.access(closed, os.X_OK))}
    files = {"test_settings.py": SETTINGS, "config/adapters.json": {"code": {"environment": configured}}}
    repository = make(tmp_path, files)
    environ = {"TZ": "XYZ-3", "LANG": "C.UTF-8", "TERM": "xterm", "XDG_CONFIG_HOME": str(tmp_path)}
    assert run(repository, **environ) == {}
    [invocation] = repository.published("run.json")["invocations"]
    kept = {"TZ": "XYZ-3", "LANG": "C.UTF-8", "TERM": "xterm", "PYTHONHASHSEED": "0"}
    assert kept.items() <= invocation["project_environment"].items()


GIT = """
import pathlib, subprocess, tempfile, unittest

def git(*words, cwd="."):
    return subprocess.check_output(["git", *words], cwd=cwd, text=True).strip()

class TestGit(unittest.TestCase):
    def test_version_from_tags(self):
        self.assertEqual(git("describe", "--tags", "--match", "v*"), "v1.1")
        self.assertEqual(git("tag"), "light/one\\nv1.0\\nv1.1")

    def test_a_commit_in_a_temporary_repository(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a").write_text("a")
            git("init", "-q", cwd=folder)
            git("add", "a", cwd=folder)
            git("commit", "-qm", "a", cwd=folder)
            self.assertEqual(git("log", "--format=%an <%ae> %D", cwd=folder), 'A "B" C <a@b.example> HEAD -> trunk')
"""


def test_a_suite_has_the_tags_and_who_commits(tmp_path: Path) -> None:
    repository = make(tmp_path, {"test_git.py": GIT})
    git = repository.sample.git
    git("tag", "-a", "-m", "one", "v1.0", "HEAD~1")
    git("pack-refs", "--all")
    git("tag", "-a", "-m", "one", "v1.1")
    git("tag", "light/one", "HEAD~1")
    user = '[user]\n\tname = A \\"B\\" C\n\temail = a@b.example\n[init]\n\tdefaultBranch = trunk\n'
    config = repository.home / ".gitconfig"
    config.write_text(f"{user}[alias]\n\tcommit = !false\n[commit]\n\tgpgSign = true\n")
    assert run(repository, GIT_AUTHOR_NAME="", GIT_AUTHOR_EMAIL="", GIT_CONFIG_GLOBAL=str(config)) == {}


GENERATED = """
import importlib.metadata, importlib.util, unittest
import demo
from demo._version import version

class TestGenerated(unittest.TestCase):
    def test_what_an_installation_in_place_generated(self):
        self.assertEqual(version, "3.1")
        self.assertEqual(importlib.metadata.version("demo-in-place"), "3.1")

    def test_compiled_modules(self):
        self.assertTrue(importlib.util.find_spec("demo._fast").origin.endswith("_fast.abi3.so"))

    def test_no_other_ignored_file(self):
        self.assertIsNone(importlib.util.find_spec("demo._version_hook"))
        self.assertIsNone(importlib.util.find_spec("demo.settings_local"))
"""
SCM = """
# file generated by a version plugin
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Tuple
    VERSION_TUPLE = Tuple[int, str]
else:
    VERSION_TUPLE = object
__version__: str
version_tuple: VERSION_TUPLE
__version__ = version = '3.1'
__version_tuple__ = version_tuple = (3, -1)
"""


def test_what_an_installation_in_place_generated_is_there(tmp_path: Path) -> None:
    ignored = "*.so\n_version*.py\nsettings_local.py\n*.egg-info/\n"
    files = {".gitignore": ignored, "demo/__init__.py": "", "demo/fast.c": "1\n", "test_generated.py": GENERATED}
    repository = make(tmp_path, files)
    for name, content in {
        "demo/_version.py": SCM,
        "demo/_fast.abi3.so": "",
        "demo/_version_hook.py": "import os\nos._exit(0)\n",
        "demo/settings_local.py": "version = 1\n",
        "demo_in_place.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: demo-in-place\nVersion: 3.1\n",
    }.items():
        repository.put(name, content)
    assert run(repository) == {}
    # Not built from what is verified now.
    repository.put("demo/fast.c", "2\n")
    assert list(run(repository)) == ["test_compiled_modules"]


MACHINE = """
import resource, socket, subprocess, sys, unittest

class TestMachine(unittest.TestCase):
    def talk(self, family, host):
        with socket.socket(family) as server:
            server.bind((host, 0))
            server.listen()
            with socket.create_connection(server.getsockname()[:2], timeout=5) as client:
                connection, _ = server.accept()
                with connection:
                    client.sendall(b"hello")
                    self.assertEqual(connection.recv(5), b"hello")

    def test_loopback(self):
        self.talk(socket.AF_INET, "127.0.0.1")
        self.talk(socket.AF_INET, "localhost")

    def test_loopback_of_version_six(self):
        self.talk(socket.AF_INET6, "::1")

    def test_nothing_else_is_reached(self):
        with socket.socket() as client:
            self.assertRaises(OSError, client.connect, ("192.0.2.1", 80))

    def test_processes_and_files(self):
        self.assertGreaterEqual(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1024)
        many = [subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) for _ in range(64)]
        for each in many:
            each.communicate(b"\\n")
        self.assertEqual({each.returncode for each in many}, {0})

    def test_there_is_no_terminal(self):
        self.assertFalse(sys.stdin.isatty() or sys.stdout.isatty())
"""


def test_a_suite_has_loopback_processes_and_no_terminal(tmp_path: Path) -> None:
    assert run(make(tmp_path, {"test_machine.py": MACHINE})) == {}
