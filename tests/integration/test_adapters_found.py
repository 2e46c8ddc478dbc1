"""Adapters that come and go: dropped into the repository, from a wheel (uv), and from an npm package (npm)."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest

ENTRY = '#!/bin/sh\necho \'{"answer": 42}\' > "$3/answer.json"\n'
MANIFEST = {"name": "answers", "version": "1.0.0", "entry": "bin/run", "capabilities": ["my:answer"]}
PLAN = {"facts": {"order": ["my:answer"], "required": ["my:answer"], "optional": []}}
RULES = {"rules": [{"id": "answer", "expr": 'artifacts["answer.json"].answer == 42', "message": "another answer"}]}


def drop(repository: gr.GatedRepository, place: str, **more: Any) -> None:
    repository.put(f"{place}/manifest.json", {**MANIFEST, **more})
    repository.sample.write(f"{place}/bin/run", ENTRY, executable=True)


def served(repository: gr.GatedRepository) -> dict[str, Any]:
    listed = repository.gate("adapters", "--json")
    assert listed.code == 0, listed.output
    return {name: entry["served_by"] for name, entry in listed.json["capabilities"].items() if name.startswith("my:")}


def judged_by_my_answer(tmp_path: Path) -> gr.GatedRepository:
    repository = gr.make(tmp_path, capabilities=("other:nothing",), files={"a.txt": "1"})
    repository.put("config/adapter-plan.json", PLAN)
    repository.put("config/verification.profiles.json", {"facts": RULES, "code_default": RULES})
    return repository


def begin(repository: gr.GatedRepository, task: str) -> None:
    repository.sample.commit(f"before {task}")
    repository.begin(task)
    repository.put("a.txt", task)
    repository.claim("file:a.txt", task_id=task, type="facts")


def test_a_folder_dropped_in_edited_or_removed_counts_from_the_next_command_on(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, capabilities=("other:nothing",))
    assert served(repository) == {}
    drop(repository, "adapters/answers")
    assert served(repository) == {"my:answer": "answers"}
    drop(repository, "adapters/answers", name="renamed", capabilities=["my:answer", "my:question"])
    assert served(repository) == {"my:answer": "renamed", "my:question": "renamed"}
    drop(repository, "adapters/a-first")
    assert served(repository)["my:answer"] == "answers"
    (repository.root / "adapters/answers/manifest.json").unlink()
    (repository.root / "adapters/a-first/manifest.json").unlink()
    assert served(repository) == {}


def test_what_runs_is_the_adapter_as_it_stands_at_each_verify(tmp_path: Path) -> None:
    repository = judged_by_my_answer(tmp_path)
    begin(repository, "T0")
    missing = repository.verify("T0")
    assert (missing.code, "MISSING_ADAPTER" in missing.out) == (3, True), missing.output
    drop(repository, "adapters/answers")
    begin(repository, "T1")
    assert repository.verify("T1").code == 0
    repository.sample.write("adapters/answers/bin/run", ENTRY.replace("42", "41"), executable=True)
    begin(repository, "T2")
    refuted = repository.verify("T2")
    assert (refuted.code, "another answer" in refuted.out) == (1, True), refuted.output


@pytest.mark.slow
def test_an_adapter_from_a_wheel(tmp_path: Path) -> None:
    source = tmp_path / "source"
    files = {
        "pyproject.toml": """
            [build-system]
            requires = ["hatchling"]
            build-backend = "hatchling.build"
            [project]
            name = "acme-gate"
            version = "1.2.3"
            [project.entry-points."verigate.adapters"]
            acme = "acme_gate.adapter"
            [tool.hatch.build.targets.wheel]
            packages = ["acme_gate"]
        """.replace("\n            ", "\n"),
        "acme_gate/__init__.py": "raise SystemExit('finding an adapter must not run its code')\n",
        "acme_gate/adapter/__init__.py": "raise SystemExit('nor this')\n",
        "acme_gate/adapter/manifest.json": json.dumps(MANIFEST),
        "acme_gate/adapter/bin/run": ENTRY,
    }
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    (source / "acme_gate/adapter/bin/run").chmod(0o755)
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, source)
    subprocess.run(build, check=True, capture_output=True)
    uv = Path(sys.executable).with_name("uv")
    environment = tmp_path / "environment"
    subprocess.run((uv, "venv", "--quiet", "--python", sys.executable, environment), check=True, capture_output=True)
    python = environment / "bin" / "python"
    packages = next(environment.glob("lib/python*/site-packages"))
    # The gate and what it needs, as they stand beside this test.
    checkout = Path(__file__).resolve().parents[2] / "src"
    (packages / "gate.pth").write_text(f"{checkout}\n{sysconfig.get_path('purelib')}\n")

    def pip(*arguments: str | Path) -> None:
        subprocess.run((uv, "pip", *arguments, "--quiet", "--python", python), check=True, capture_output=True)

    repository = judged_by_my_answer(tmp_path)

    def gate(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (python, "-I", "-m", "verigate", *arguments),
            cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert "my:answer" not in json.loads(gate("adapters", "--json").stdout)["capabilities"]
    pip("install", "--no-deps", next(tmp_path.glob("acme_gate-*.whl")))
    found = json.loads(gate("adapters", "--json").stdout)["capabilities"]["my:answer"]
    assert found == {"served_by": "answers", "origin": "package", "shadowed": []}
    begin(repository, "T1")
    verified = gate("verify", "T1", "--quiet")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    pip("uninstall", "acme-gate")
    begin(repository, "T2")
    assert gate("verify", "T2", "--quiet").returncode == 3


@pytest.mark.release
@pytest.mark.slow
def test_an_adapter_from_an_npm_package_judges_if_and_as_it_is_pinned(tmp_path: Path) -> None:
    source = tmp_path / "source"
    package = {"name": "@acme/gate-answers", "version": "1.0.0", "license": "MIT", "verigate": {"adapter": "gate"}}
    (source / "gate" / "bin").mkdir(parents=True)
    (source / "package.json").write_text(json.dumps(package))
    (source / "gate" / "manifest.json").write_text(json.dumps(MANIFEST))
    (source / "gate" / "bin" / "run").write_text(ENTRY)
    (source / "gate" / "bin" / "run").chmod(0o755)
    repository = judged_by_my_answer(tmp_path)
    (repository.root / ".git" / "info").mkdir(exist_ok=True)
    (repository.root / ".git" / "info" / "exclude").write_text("node_modules/\n")

    def npm(*arguments: str, cwd: Path) -> None:
        npmrc = tmp_path / "npmrc"
        npmrc.write_text(f"cache={tmp_path / 'npm'}\noffline=true\naudit=false\nfund=false\nupdate-notifier=false\n")
        environ = repository.environ(NPM_CONFIG_USERCONFIG=str(npmrc))
        subprocess.run(("npm", *arguments), cwd=cwd, env=environ, check=True, capture_output=True)

    npm("pack", "--pack-destination", str(tmp_path), cwd=source)
    repository.put("package.json", {"name": "project", "private": True})
    npm("install", "--save-dev", str(next(tmp_path.glob("acme-gate-answers-*.tgz"))), cwd=repository.root)
    assert json.loads((repository.root / "package.json").read_text())["devDependencies"]

    listed = repository.gate("adapters")
    assert "@acme/gate-answers offers an adapter but isn't pinned" in " ".join(listed.err.split()), listed.output
    assert served(repository) == {}
    begin(repository, "T1")
    assert repository.verify("T1").code == 3

    # The line that the gate prints is the line to write.
    (warning,) = repository.gate("adapters", "--json").json["warnings"]
    repository.put("config/adapter-packages.json", warning.partition("use it, add ")[2].partition(" to ")[0])
    assert served(repository) == {"my:answer": "answers"}
    # In a change of its own: who writes it can't be the one that it judges.
    judged = repository.gate("verify", "T1", "--quiet", "--json").json
    assert [reason["code"] for reason in judged["reasons"]] == ["INTEGRITY_FAIL"]
    begin(repository, "T2")
    passed = repository.verify("T2")
    assert passed.code == 0, passed.output

    # A lying answer in the ignored folder: what is installed is no longer what has landed.
    installed = repository.root / "node_modules/@acme/gate-answers/gate/bin/run"
    installed.write_text(ENTRY.replace("42", '42, "more": 1'))
    begin(repository, "T3")
    refused = repository.verify("T3")
    assert refused.code == 2, refused.output
    assert "differs from the pinned one" in " ".join(refused.err.split())
    npm("uninstall", "@acme/gate-answers", cwd=repository.root)
    assert repository.verify("T3").code == 2
