"""An adapter written from the second source document alone, in JavaScript, runs unchanged; and the document's lines."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest

ROOT = Path(__file__).resolve().parents[2]

MANIFEST = {
    "name": "my-adapter",
    "version": "1.0.0",
    "description": "Does something deterministic",
    "entry": "bin/adapter-my",
    "capabilities": ["my:check", "my:validate"],
    "sandbox": {"tools": ["node"], "timeout": 30, "network": False},
}
"""The manifest of "Writing a new adapter", step 1, as it stands there."""

PLAN = {"my_task_type": {"order": ["my:check", "my:validate"], "required": ["my:check"], "optional": ["my:validate"]}}
"""Step 4."""

ENTRY = """\
#!/usr/bin/env node
// bin/adapter-my

import { runCheck } from '../src/check.mjs';
import { runValidate } from '../src/validate.mjs';

function parseArgs(args) {
    const options = {};
    for (let i = 0; i < args.length; i += 2) {
        switch (args[i]) {
            case '--task-dir': options.taskDir = args[i + 1]; break;
            case '--commitment': options.commitment = args[i + 1]; break;
            case '--claim': options.claim = args[i + 1]; break;
            case '--profile': options.profile = args[i + 1]; break;
            default: throw new Error(`Unknown option: ${args[i]}`);
        }
    }
    return options;
}

const command = process.argv[2];
const options = parseArgs(process.argv.slice(3));

switch (command) {
    case 'my:check':
        await runCheck(options);
        console.log(`✓ Check complete: ${options.taskDir}/check.json`);
        break;
    case 'my:validate':
        await runValidate(options);
        console.log(`✓ Validation complete: ${options.taskDir}/validate.json`);
        break;
    default:
        console.error(`Unknown command: ${command}`);
        process.exit(1);
}
"""

CHECK = """\
// src/check.mjs
import fs from 'node:fs/promises';
import path from 'node:path';

export async function runCheck(options) {
    const results = {
        checked: [],
        errors: [],
        warnings: [],
        timestamp: new Date().toISOString() // OK in metadata
    };

    const commitment = JSON.parse(await fs.readFile(options.commitment, 'utf8'));
    const claim = JSON.parse(await fs.readFile(options.claim, 'utf8'));
    const profile = JSON.parse(await fs.readFile(options.profile, 'utf8'));
    if (commitment.task_id !== claim.task_id) results.errors.push('another task');
    if (!profile.active) results.errors.push('no profile is active');
    for (const name of await fs.readdir('src')) results.checked.push(name);

    // Sort before writing for stability
    results.checked.sort();

    await fs.writeFile(
        path.join(options.taskDir, 'check.json'),
        JSON.stringify(results, null, 2)
    );
}
"""

VALIDATE = (
    CHECK.replace("check.mjs", "validate.mjs")
    .replace("runCheck", "runValidate")
    .replace("'check.json'", "'validate.json'")
)

RULE = {
    "required_artifacts": ["check.json"],
    "rules": [
        {"id": "clean", "expr": 'artifacts["check.json"].errors.size() == 0', "message": "the check found errors"}
    ],
}


def install(repository: gr.GatedRepository, manifest: dict[str, Any]) -> None:
    repository.put("adapters/my/manifest.json", manifest)
    repository.sample.write("adapters/my/bin/adapter-my", ENTRY, executable=True)
    repository.put("adapters/my/package.json", {"type": "module"})
    repository.put("adapters/my/src/check.mjs", CHECK)
    repository.put("adapters/my/src/validate.mjs", VALIDATE)


def task(folder: Path, manifest: dict[str, Any], **rules: Any) -> gr.GatedRepository:
    repository = gr.make(folder, capabilities=("other:nothing",), files={"src/one.txt": "1"})
    install(repository, manifest)
    repository.put("config/adapter-plan.json", PLAN)
    repository.put("config/verification.profiles.json", {"my_task_type": {**RULE, **rules}})
    repository.sample.commit("an adapter of a stranger")
    repository.begin(task_type="my_task_type")
    repository.put("src/two.txt", "2")
    repository.claim()
    return repository


@pytest.mark.parametrize("sandbox", ["prefer", "off"])
def test_a_string_only_manifest_with_a_node_entry_runs_unchanged(tmp_path: Path, sandbox: str) -> None:
    repository = task(tmp_path, MANIFEST, sandbox=sandbox)
    done = repository.verify()
    assert done.code == 0, done.output
    of_manifest = [line for line in done.err.splitlines() if not line.startswith("warning: without a sandbox (")]
    assert not of_manifest, "nothing about the manifest is worth a warning"
    assert bool(done.err) is (sandbox == "off")
    check = repository.published("check.json")
    assert check["checked"] == ["one.txt", "two.txt"]
    assert check["errors"] == []
    metadata = repository.verdict()["metadata"]
    assert metadata["measured"]["check.json"] == {"/timestamp": check["timestamp"]}
    ran = repository.published("run.json")["invocations"]
    assert [item["capability"] for item in ran] == ["my:check", "my:validate"]
    assert all(item["tools_missing"] == [] for item in ran)
    assert ran[0]["sandbox"]["mechanism"] == ("process-group" if sandbox == "off" else "bubblewrap")
    argv = ran[0]["argv"]
    assert argv[1::2] == ["my:check", argv[3], argv[5], argv[7], argv[9]]
    assert argv[2::2] == ["--task-dir", "--commitment", "--claim", "--profile"]
    assert argv[3].endswith("/T1"), "the task dir ends in the task id"
    log = (repository.root / ".artifacts/T1/logs/my.check.out").read_text()
    assert log.startswith("✓ Check complete: ")


def test_its_timestamp_enters_neither_digest_nor_verdict(tmp_path: Path) -> None:
    repository = task(tmp_path, MANIFEST)
    seen = []
    for _ in range(2):
        assert repository.gate("verify", "T1", "--no-cache").code == 0
        verdict = repository.verdict()
        del verdict["metadata"]
        index = {item["path"]: item["digest"] for item in repository.published("artifacts.json")["files"]}
        seen.append(
            (json.dumps(verdict, sort_keys=True), index["check.json"], repository.published("check.json")["timestamp"])
        )
    assert seen[0][:2] == seen[1][:2]
    assert seen[0][2] != seen[1][2]


def test_the_older_fields_seen_in_the_wild(tmp_path: Path) -> None:
    older = {
        **MANIFEST,
        "schema": "adapter-manifest-v1",
        "author": "somebody",
        "license": "MIT",
        "requires": {"node": ">=18"},
        "deterministic": True,
        "outputs": {
            "my:check": {"file": "check.json", "schema": "check-results"},
            "my:validate": {"file": "validate.json", "schema": "validate-results"},
        },
        "metadata": {"homepage": "https://adapter.example"},
        "sandbox": {
            "tools": ["node"],
            "timeout_ms": 30000,
            "network": False,
            "filesystem": "readonly",
        },
    }
    repository = task(tmp_path, older)
    done = repository.verify()
    assert done.code == 0, done.output
    assert done.err == ""
    assert repository.published("run.json")["invocations"][0]["sandbox"]["read_only"] is True
    curious = task(tmp_path / "curious", {**older, "colour": "blue"})
    done = curious.verify()
    assert (done.code, done.err) == (0, "warning: adapters/my/manifest.json: unknown key 'colour'\n")


def test_an_older_output_that_is_not_written_is_an_error(tmp_path: Path) -> None:
    repository = task(tmp_path, {**MANIFEST, "outputs": {"my:check": {"file": "other.json", "schema": "x"}}})
    assert repository.verify().code == 3
    assert "other.json" in repository.verdict()["reasons"][0]["message"]


def test_the_lines_of_the_document_s_testing_adapters(tmp_path: Path) -> None:
    """By hand, without the gate: the built-in adapter in the document's place, called as the document calls it."""
    repository = gr.make(tmp_path, capabilities=("other:nothing",), files={"a.py": "answer = 41\n"})
    repository.put("a.py", "answer = 42\n")
    repository.put("b.py", "question = None\n")
    link = repository.root / "adapters" / "code"
    link.symlink_to(ROOT / "adapters" / "code")
    repository.sample.write(".git/info/exclude", "adapters/\n")
    script = """
set -eu
export TASK_ID=T_test
mkdir -p .artifacts/$TASK_ID
echo '{"task_id":"T_test","type":"code"}' > .artifacts/$TASK_ID/commitment.json
echo '{"task_id":"T_test","claim":{"type":"code"}}' > .artifacts/$TASK_ID/claim.json
adapters/code/bin/adapter-code code:diff --task-dir .artifacts/$TASK_ID
cat .artifacts/$TASK_ID/diff.json
mkdir first
mv .artifacts/$TASK_ID/diff* first/
adapters/code/bin/adapter-code code:diff --task-dir .artifacts/$TASK_ID
for name in first/*; do cmp "$name" ".artifacts/$TASK_ID/${name##*/}"; done
"""
    repository.sample.write(".git/info/exclude", "adapters/\nfirst/\n")
    done = subprocess.run(
        ["sh", "-c", script], cwd=repository.root, env=repository.environ(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    diff = json.loads(done.stdout)
    assert (diff["files_modified"], diff["files_created"], diff["total_changes"]) == (["a.py"], ["b.py"], 2)
    names = json.loads((repository.root / "first" / "diff_names.json").read_text())
    assert names == {"added": ["b.py"], "modified": ["a.py"], "deleted": []}
    # The gate takes the same two documents as they are; that nobody said what was claimed is what it says.
    verified = repository.gate("verify", "T_test", "--only", "code:diff", "--quiet")
    assert verified.code == 4, verified.output


def test_an_edit_within_the_tick_of_the_index_is_seen(tmp_path: Path) -> None:
    """Same size, same time as the index: git compares contents only while it knows how old its index is."""
    repository = gr.make(tmp_path, capabilities=("other:nothing",), files={"a.py": "answer = 41\n"})
    repository.sample.git("config", "core.trustctime", "false")
    then = 1_700_000_000
    file, index = repository.root / "a.py", repository.root / ".git" / "index"
    os.utime(file, (then, then))
    repository.sample.git("update-index", "--refresh")
    file.write_text("answer = 42\n")
    os.utime(file, (then, then))
    os.utime(index, (then, then))
    (repository.root / ".artifacts" / "T").mkdir(parents=True)
    done = subprocess.run(
        [str(ROOT / "adapters/code/bin/adapter-code"), "code:diff", "--task-dir", ".artifacts/T"],
        cwd=repository.root,
        env=repository.environ(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert repository.published("diff.json", "T")["files_modified"] == ["a.py"]
    os.utime(index, (then, then))
    repository.begin("T")
    changed = repository.gate("verify", "T", "--only", "code:diff", "--json", "--quiet").json
    assert changed["metrics"]["diff"]["files_modified_count"] == 1
