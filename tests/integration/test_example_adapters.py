"""The adapters of examples/ as a stranger takes them: checked, put into a repository with their README's policy, asked.

Each is asked about an honest change and one that isn't. Real: node, bash with jq and detect-secrets, perl, rustc, cc.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import document_console as console
import gated_repository as gr
import pytest
from adapter_reports import check_adapter
from release_tests import some_always
from sample_repository import SampleRepository

from verigate.config.validation import validate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "adapters"
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
COMPILED = ("binary-size", "file-budget")

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Asked:
    """``base`` is committed; ``honest`` passes and ``lying`` is refuted, by the check ``refuted``."""

    type: str
    base: dict[str, str]
    honest: dict[str, str]
    lying: dict[str, str]
    refuted: tuple[str, ...]
    more: dict[str, str] = field(default_factory=dict)


def api(**paths: Any) -> str:
    return json.dumps({"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths}) + "\n"


ANSWER = {"responses": {"200": {"description": "Fine"}}}
FIRMWARE = "firmware: main.c\n\t$(CC) -Os -s -o $@ main.c\n"

ASKED = {
    "licence-headers": Asked(
        "licences",
        {"src/one.py": "# SPDX-License-Identifier: MIT\none = 1\n"},
        {"src/two.py": "# SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only\ntwo = 2\n"},
        {"src/two.py": "two = 2\n", "src/three.py": "# SPDX-License-Identifier: GPL-2.0-only\nthree = 3\n"},
        ("custom.accepted-licences", "custom.licence-in-every-file"),
    ),
    "openapi-diff": Asked(
        "api_contract",
        {"docs/openapi.json": api(**{"/items": {"get": ANSWER, "delete": ANSWER}})},
        {"docs/openapi.json": api(**{"/items": {"get": ANSWER, "delete": ANSWER, "post": ANSWER}})},
        {"docs/openapi.json": api(**{"/items": {"get": ANSWER}})},
        ("custom.nothing-breaks",),
    ),
    "secrets-scan": Asked(
        "secrets",
        {"notes.txt": "one\n"},
        {"notes.txt": "two\n"},
        {"settings.py": 'key = "AKIAIOSFODNN7EXAMPLE"  # pragma: allowlist secret\n'},
        ("custom.no-secrets",),
    ),
    "debt": Asked(
        "debt",
        {"a.py": "# TODO(#1): one\n", "b.py": "# FIXME: SHOP-2\n"},
        {"a.py": "one = 1\n", "c.py": "# TODO(#3): three\n"},
        {"c.py": "# HACK\n"},
        ("custom.debt-does-not-grow", "custom.tickets"),
    ),
    "file-budget": Asked(
        "budget",
        {"a.txt": "one\n"},
        {"b.txt": "two\n"},
        {"b.csv": "x" * 500_001},
        ("custom.no-large-files",),
    ),
    "binary-size": Asked(
        "size",
        {"Makefile": FIRMWARE, "main.c": "int main(void) { return 0; }\n"},
        {"main.c": "int main(void) { return 1; }\n"},
        {"main.c": "const char table[70000] = {1};\nint main(int n, char **v) { return table[n] + !v; }\n"},
        ("custom.program-fits",),
    ),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with detect-secrets on it, which is installed beside this test: the gate's own folder is on no PATH."""
    folder = tmp_path_factory.mktemp("bin")
    tool = Path(sys.executable).with_name("detect-secrets")
    (folder / "detect-secrets").write_text(f"#!/bin/sh\nexec '{tool}' \"$@\"\n")
    (folder / "detect-secrets").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, those in C and Rust built, outside the checkout."""
    folder = tmp_path_factory.mktemp("examples") / "adapters"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("build"))
    for name in COMPILED:
        subprocess.run(("make", "--silent"), cwd=folder / name, check=True)
    return folder


def test_each_example_is_asked_and_told_of() -> None:
    assert set(NAMES) == set(ASKED)
    told = (EXAMPLES / "README.md").read_text()
    assert all(f"({name}/README.md)" in told for name in NAMES)
    assert not list(EXAMPLES.glob("*/build/*")), "what is built here stays here"


@pytest.mark.parametrize("name", some_always(NAMES, str))
def test_an_example_conforms(name: str, built: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", path)
    report = check_adapter(built / name)
    assert report.findings == (), report.findings
    assert report.exit_code == 0


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_an_example_s_own_tests_hold(name: str, built: Path) -> None:
    environ = {**os.environ, "GATE": "true", "GATE_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run((built / name / "check.sh",), env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def repository_with(name: str, folder: Path) -> gr.GatedRepository:
    """A repository with an example's sources in it, and the plan, the profile and the configuration of its README."""
    repository = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    repository.tmp.mkdir(parents=True)
    shutil.copytree(EXAMPLES / name, repository.root / "adapters" / name)
    asked = ASKED[name]
    for block in console.read_page(EXAMPLES / name / "README.md").blocks:
        if block.file is not None and block.schema is not None:
            document = json.loads(block.text)
            assert validate(block.schema, document) == ()
            if block.schema == "profiles":
                document["code_default"] = {"extends": asked.type}
            repository.put(block.file, document)
    for file, content in asked.base.items():
        repository.put(file, content)
    repository.sample.commit("the base")
    return repository


def verdict(repository: gr.GatedRepository, asked: Asked, changed: dict[str, str], path: str) -> Any:
    repository.begin("T1", asked.type)
    for file, content in changed.items():
        repository.put(file, content)
    repository.claim(*(f"file:{file}" for file in changed), type=asked.type)
    # Where rustc is rustup's, it wants to know where the toolchains are: HOME is another one here.
    rustup = os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")
    done = repository.verify("T1", "--json", PATH=path, RUSTUP_HOME=rustup)
    return done.json


def refuted(document: Any) -> set[str]:
    return {check["id"] for check in document["checks"] if check["outcome"] not in {"holds", "not_applicable"}}


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_an_honest_change_passes_and_another_is_refuted(name: str, path: str, tmp_path: Path) -> None:
    asked = ASKED[name]
    repository = repository_with(name, tmp_path)
    honest = verdict(repository, asked, asked.honest, path)
    assert honest["status"] == "pass", honest["checks"]
    repository.sample.git("checkout", "--quiet", "--", ".")
    repository.sample.git("clean", "--quiet", "--force", "-d", "--exclude=.artifacts")
    lying = verdict(repository, asked, asked.lying, path)
    assert (lying["status"], refuted(lying)) == ("fail", set(asked.refuted)), lying["checks"]


def test_a_scan_without_its_tool_is_no_clean_scan(tmp_path: Path) -> None:
    asked = ASKED["secrets-scan"]
    repository = repository_with("secrets-scan", tmp_path)
    without = ":".join(
        folder for folder in os.environ["PATH"].split(":") if not Path(folder, "detect-secrets").exists()
    )
    found = verdict(repository, asked, asked.honest, without)
    assert (found["status"], refuted(found)) == ("fail", {"custom.no-secrets"})
    assert repository.published("secrets-scan.json")["tool"] is None


@pytest.mark.release
def test_the_npm_example_judges_from_its_package_once_it_is_pinned(path: str, tmp_path: Path) -> None:
    asked = ASKED["openapi-diff"]
    repository = repository_with("openapi-diff", tmp_path)
    npmrc = tmp_path / "npmrc"
    npmrc.write_text(f"cache={tmp_path / 'npm'}\noffline=true\naudit=false\nfund=false\nupdate-notifier=false\n")
    environ = repository.environ(NPM_CONFIG_USERCONFIG=str(npmrc))

    def npm(*words: str, cwd: Path) -> str:
        return subprocess.run(("npm", *words), cwd=cwd, env=environ, check=True, capture_output=True, text=True).stdout

    (packed,) = json.loads(npm("pack", "--json", "--pack-destination", str(tmp_path), cwd=EXAMPLES / "openapi-diff"))
    files = {file["path"] for file in packed["files"]}
    assert {"manifest.json", "bin/adapter-openapi-diff", "src/compare.js", "package.json"} <= files
    assert not {file for file in files if file.startswith(("fixtures", "tests"))}
    shutil.rmtree(repository.root / "adapters")
    (repository.root / ".git" / "info").mkdir(exist_ok=True)
    (repository.root / ".git" / "info" / "exclude").write_text("node_modules/\n")
    repository.put("package.json", {"name": "shop", "private": True})
    npm("install", "--save-dev", str(tmp_path / packed["filename"]), cwd=repository.root)
    repository.sample.commit("no adapter but the package's")
    unpinned = repository.gate("adapters")
    assert unpinned.code == 2, "config/adapters.json has settings for an adapter that isn't used yet"
    (warning,) = (line for line in unpinned.err.splitlines() if "to use it, add " in line)
    repository.put("config/adapter-packages.json", warning.partition("to use it, add ")[2].rpartition(" to ")[0])
    repository.sample.commit("the pin")
    honest = verdict(repository, asked, asked.honest, path)
    assert honest["status"] == "pass", honest["checks"]
    runs = {run["capability"]: run for run in repository.published("run.json")["invocations"]}
    assert runs["openapi:diff"]["adapter"] == "openapi-diff"
