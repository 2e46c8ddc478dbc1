"""Find the project's node_modules, and make the variables of its tools. Its Python: ``python_environment``."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from code_adapter.plug_and_play import list_packages, make_node_options, make_program_folder
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import AdapterUsageError, Request

TOOL_TIMEOUT_S = max(float(os.environ.get("GATE_TIMEOUT", "600")) - 10.0, 1.0)
"""Just under the time of this call, the manifest's or the configuration's, so that the error names the tool."""

PROBE_TIMEOUT_S = 60.0

NOT_PASSED_ON = (
    *("GATE_", "GIT_", "PYTEST_", "COV_CORE_", "COVERAGE_"),
    *("NODE_TEST_", "NODE_OPTIONS", "NODE_V8_", "JEST_"),
)
_OF_TESTS = frozenset({"code:tests", "code:coverage", "code:counterfactual", "code:sensitivity"})


def make_tool_environ(request: Request, **more: str) -> dict[str, str]:
    """Make the environment of a program of the project, without what configures the gate, git or tools.

    Tests get a developer's, and what the configuration's ``environment`` adds. Of linters and builds texts are read, so
    they get the adapter's locale and a developer's PATH, and eslint before 8 gets no cache, with which it can't load
    modules. The gate gives adapters a private HOME, so cargo and rustup get the folders of the user's toolchains.
    """
    base = {**request.environ, "PATH": request.project_path}
    if request.gated and request.capability in _OF_TESTS:
        base = request.make_project_environ()
    else:
        base |= {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "DISABLE_V8_COMPILE_CACHE": "1"}
    env = {name: value for name, value in base.items() if not name.startswith(NOT_PASSED_ON)}
    home = find_user_home()
    for name, folder in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
        if name not in env and (home / folder).is_dir():
            env[name] = str(home / folder)
    offline = _OFFLINE if request.gated and (request.repo_root / "package.json").is_file() else {}
    return env | offline | make_node_options(request.repo_root) | more | _read_configured(request)


_OFFLINE = {
    "npm_config_fetch_retries": "0",
    "pnpm_config_fetch_retries": "0",
    "pnpm_config_pm_on_fail": "ignore",
    "pnpm_config_verify_deps_before_run": "false",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
}
"""Lets npm, pnpm and corepack say at once that there is no network. pnpm 11 would install packages again before each
script: the checkout's node_modules are another folder than the one it knows. Sources:
https://pnpm.io/settings#verifydepsbeforerun, https://pnpm.io/settings#pmonfail, https://docs.npmjs.com/cli/using-npm/config#fetch-retries,
https://github.com/nodejs/corepack#environment-variables."""


def make_npm_options(package: Mapping[str, object]) -> dict[str, str]:
    """Make the variables of npm for a script of ``package``, a package.json: it says nothing of itself.

    If the package asks for another manager in ``devEngines``, npm runs its scripts only if it is forced to.
    """
    quiet = {"npm_config_update_notifier": "false", "npm_config_fund": "false"}
    return quiet | ({"npm_config_force": "true"} if "devEngines" in package else {})


def _read_configured(request: Request) -> dict[str, str]:
    """Read the configuration's ``environment``. Raises AdapterUsageError if it isn't an object of texts."""
    found = request.config.get("environment", {})
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise AdapterUsageError("is not an object of texts", where="configuration of code, /environment")
    return found


def find_user_home() -> Path:
    """Return the home folder of the user whom the gate runs as, which holds the caches of tools; HOME is private."""
    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def find_node_tool(request: Request, files: SubjectFiles, folder: str, name: str) -> str | None:
    """Find ``node_modules/.bin/<name>`` in ``folder`` or its parents up to the root; None if it isn't installed.

    A program that is part of the subject is ignored, since it could report anything. With Yarn's Plug'n'Play it is a
    script that starts node.
    """
    if programs := make_program_folder(request.repo_root, folder, make_tool_environ(request)):
        return str(programs / name) if (programs / name).is_file() else None
    here = request.repo_root / folder
    while True:
        program = here / "node_modules" / ".bin" / name
        if program.exists() and os.access(program, os.X_OK):
            tracked = next(files.below(program.parent.parent.relative_to(files.root).as_posix()), None)
            return str(program) if tracked is None else None
        if here == request.repo_root:
            return None
        here = here.parent


def has_node_package(request: Request, folder: str, name: str) -> bool:
    """Whether the package is installed for ``folder``: in node_modules, or by Yarn's Plug'n'Play."""
    if packages := list_packages(request.repo_root, folder, make_tool_environ(request)):
        return name in packages
    here = request.repo_root / folder
    while not (here / "node_modules" / name / "package.json").is_file():
        if here == request.repo_root:
            return False
        here = here.parent
    return True


def read_node_package_version(request: Request, folder: str, name: str) -> str | None:
    """Read the version of an installed package from its package.json; None if it can't be read."""
    if packages := list_packages(request.repo_root, folder, make_tool_environ(request)):
        return packages[name].version if name in packages else None
    version = _read_node_package(request, folder, name).get("version")
    return version if isinstance(version, str) else None


def read_wanted_node(request: Request, folder: str, name: str) -> str | None:
    """Read which versions of node an installed package asks for, as its package.json has it (``engines``)."""
    engines = _read_node_package(request, folder, name).get("engines")
    wanted = engines.get("node") if isinstance(engines, dict) else None
    return wanted if isinstance(wanted, str) else None


def _read_node_package(request: Request, folder: str, name: str) -> dict[str, Any]:
    here = request.repo_root / folder
    while True:
        path = here / "node_modules" / name / "package.json"
        if path.is_file():
            try:
                found = json.loads(path.read_bytes())
            except (ValueError, RecursionError):
                return {}
            return found if isinstance(found, dict) else {}
        if here == request.repo_root:
            return {}
        here = here.parent
