"""The adapters of the documentation and of the source document conform: what the contract allows is a note."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import document_console as console
import pytest
from adapter_reports import check_adapter

from verigate.domain.conformance import Conformance, ConformanceAnswer

DOCS = Path(__file__).resolve().parents[2] / "docs" / "adapters.md"

pytestmark = pytest.mark.slow

SWITCH = """#!/usr/bin/env node
import { runCheck } from '../src/check.mjs';
import { runValidate } from '../src/validate.mjs';

const command = process.argv[2];
const options = { taskDir: process.argv[process.argv.indexOf('--task-dir') + 1] };

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
CHECK = """import fs from 'node:fs/promises';
import path from 'node:path';

export async function runCheck(options) {
    const results = {
        checked: [],
        errors: [],
        warnings: [],
        timestamp: new Date().toISOString() // OK in metadata
    };
    results.checked.sort();
    await fs.writeFile(
        path.join(options.taskDir, 'check.json'),
        JSON.stringify(results, null, 2)
    );
}
"""
VALIDATE = """import fs from 'node:fs/promises';
import path from 'node:path';

export async function runValidate(options) {
    const read = JSON.parse(await fs.readFile(path.join(options.taskDir, 'check.json'), 'utf8'));
    await fs.writeFile(path.join(options.taskDir, 'validate.json'), JSON.stringify({ valid: read.errors.length }));
}
"""
SIMPLE = """#!/usr/bin/env python3
import json, sys
if sys.argv[1] not in NAMES:
    sys.exit("unknown capability")
task = sys.argv[sys.argv.index("--task-dir") + 1]
"""


def write(folder: Path, files: dict[str, Any]) -> Path:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        if path.startswith(("bin/", "run")):
            place.chmod(0o755)
    return folder


def simple(folder: Path, capabilities: list[Any], body: str) -> Path:
    names = [each if isinstance(each, str) else each["name"] for each in capabilities]
    manifest = {"name": "x", "version": "1.0.0", "entry": "run", "capabilities": capabilities}
    manifest["sandbox"] = {"tools": ["python3"], "timeout": 20, "network": False}
    return write(folder, {"manifest.json": manifest, "run": SIMPLE.replace("NAMES", repr(names)) + body})


def conforms(report: Conformance, *notes: str) -> None:
    assert report.findings == ()
    assert report.of(ConformanceAnswer.NOT_RUN) == ()
    assert report.exit_code == 0
    assert {note.code for note in report.notes} == set(notes)


@pytest.mark.parametrize(("name", "note"), [("licence", "ARTIFACT_UNDECLARED"), ("words", "EMPTY_REPOSITORY")])
def test_an_adapter_of_the_documentation_conforms(name: str, note: str, tmp_path: Path) -> None:
    start = f"adapters/{name}/"
    page = console.read_page(DOCS)
    files = {
        each.file.removeprefix(start): each.text for each in page.blocks if each.file and each.file.startswith(start)
    }
    assert "manifest.json" in files
    conforms(check_adapter(write(tmp_path / name, files)), note)


@pytest.mark.release
def test_the_adapter_of_the_source_document_conforms(tmp_path: Path) -> None:
    manifest = {
        "name": "my-adapter",
        "version": "1.0.0",
        "description": "Does something deterministic",
        "entry": "bin/adapter-my",
        "capabilities": ["my:check", "my:validate"],
        "sandbox": {"tools": ["node"], "timeout": 30, "network": False},
    }
    files = {"manifest.json": manifest, "bin/adapter-my": SWITCH, "package.json": {"type": "module"}}
    files |= {"src/check.mjs": CHECK, "src/validate.mjs": VALIDATE}
    conforms(check_adapter(write(tmp_path / "my", files)), "ARTIFACT_UNDECLARED", "STDOUT_USED")


@pytest.mark.release
def test_a_predecessor_of_the_gate_runs_first(tmp_path: Path) -> None:
    body = """urls = json.load(open(task + "/links/urlset.json"))
json.dump({url: 200 for url in urls}, open(task + "/links/statuses.json", "w"))
"""
    conforms(check_adapter(simple(tmp_path / "x", ["links:check"], body)))


@pytest.mark.release
def test_what_is_printed_is_a_note_and_a_verdict_is_a_finding(tmp_path: Path) -> None:
    capability = {"name": "x:one", "needs": [], "outputs": [{"path": "one.json", "media_spec": "media:object"}]}
    body = 'print("done: 3 files")\njson.dump({"n": 3}, open(task + "/one.json", "w"))\n'
    conforms(check_adapter(simple(tmp_path / "x", [capability], body)), "STDOUT_USED")
    body = 'json.dump({"n": 3, "verdict": "pass"}, open(task + "/one.json", "w"))\n'
    report = check_adapter(simple(tmp_path / "y", [capability], body))
    assert [finding.code for finding in report.findings] == ["VERDICT_IN_CONTENT"]


def test_a_crash_on_an_empty_repository_is_a_finding_also_with_a_trace_of_node(tmp_path: Path) -> None:
    program = """#!/usr/bin/env node
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
if (process.argv[2] !== "x:one") process.exit(2);
const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\\0").filter(Boolean);
writeFileSync(`${process.argv[process.argv.indexOf("--task-dir") + 1]}/one.json`, JSON.stringify(files[0].length));
"""
    manifest = {"name": "x", "version": "1.0.0", "entry": "run", "capabilities": ["x:one"]}
    manifest["sandbox"] = {"tools": ["node", "git"]}  # type: ignore[assignment]
    report = check_adapter(
        write(tmp_path / "x", {"manifest.json": manifest, "run": program}), checks=["empty-repository"]
    )
    assert [finding.code for finding in report.findings] == ["EMPTY_REPOSITORY"]
