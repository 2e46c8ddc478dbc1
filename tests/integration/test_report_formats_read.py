"""The report formats in front of their real readers, and on the command line.

Starts node (tap-parser, @actions/core, the TypeScript compiler with the types of Code Climate), Microsoft's SARIF
validator with GitHub's rules, git and the gate.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import gated_repository as gr
import jsonschema_rs
import npm_tools
import pytest
import report_samples as samples

from verigate.cli.reports import published_texts
from verigate.domain.verdict import CheckOutcome, Status
from verigate.reporting.formats import FORMATS, TextStyle, render, render_nothing
from verigate.reporting.report import Report, holds_back

KNOWN = samples.issue("a.py", 3, "known", line_sha256="a" * 64)
REPORTS: dict[str, Report] = {
    **{status.value: samples.of_status(status) for status in Status},
    "many": samples.of_many(),
    **{f"hostile-{number}": samples.of_text(text) for number, text in enumerate(samples.HOSTILE)},
    "baseline": samples.of_baseline(
        samples.entry(KNOWN),
        samples.entry(KNOWN, 2, expires="2026-06-01"),
        issues=[KNOWN, KNOWN, samples.issue("b.py")],
    ),
    "paths": samples.of_issues(*(samples.issue(path) for path in (*samples.PATHS, *samples.OUTSIDE))),
}


@pytest.fixture(scope="module")
def packages() -> Path:
    return npm_tools.node_modules()


def written(folder: Path, name: str) -> dict[str, Path]:
    """Every report in one format, each in a file."""
    found = {}
    for key, report in REPORTS.items():
        found[key] = folder / f"{key}.{name}"
        found[key].write_text(render(name, report, TextStyle()), "utf-8")
    found["nothing"] = folder / f"nothing.{name}"
    found["nothing"].write_text(render_nothing(name, "nothing to verify"), "utf-8")
    return found


def node(packages: Path, folder: Path, program: str, *arguments: Path) -> Any:
    """What a module prints as JSON."""
    (folder / "program.cjs").write_text(program)
    done = subprocess.run(
        ("node", "program.cjs", *arguments), cwd=folder, env={**os.environ, "NODE_PATH": str(packages)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_sarif_fits_the_schema_and_the_rules_of_github(packages: Path, tmp_path: Path) -> None:
    # The validator is a .NET program and takes 2 s of every start and a minute for 10,000 results: it gets all other
    # runs in two logs, and the schema alone judges the large one.
    home = packages / "@microsoft" / "sarif-multitool-linux"
    files = written(tmp_path, "sarif")
    schema = jsonschema_rs.validator_for(json.loads((home / "sarif-2.1.0.json").read_bytes()))
    logs = {key: json.loads(file.read_bytes()) for key, file in files.items()}
    for key, log in logs.items():
        assert [error.message for error in schema.iter_errors(log)] == [], key
    runs = [run for key, log in logs.items() if key != "many" for run in log["runs"]]
    # GitHub takes twenty runs of one log.
    names = ("one.sarif", "two.sarif")
    for name, part in zip(names, (runs[:14], runs[14:]), strict=True):
        (tmp_path / name).write_text(json.dumps({**logs["pass"], "runs": part}))
    program = home / "Sarif.Multitool"
    program.chmod(0o755)
    done = subprocess.run(
        (program, "validate", *names, "--rule-kind", "Sarif;Ghas", "--level", "Error", "--kind", "Fail"),
        cwd=tmp_path, env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert "Analysis completed successfully" in done.stdout, done.stdout + done.stderr
    assert "Done. 2 files scanned." in done.stdout
    assert ": error " not in done.stdout, done.stdout[:2000]


_TAP = """\
const { Parser } = require("tap-parser")
const { readFileSync } = require("fs")
const read = file => {
  const parser = new Parser({ strict: true })
  const points = []
  let result, bailed = false
  parser.on("assert", point => points.push([point.ok, point.skip || false, point.todo || false, point.diag || null]))
  parser.on("bailout", () => { bailed = true })
  parser.on("complete", end => { result = end })
  parser.end(readFileSync(file, "utf8"))
  return { points, bailed, failures: result.failures.filter(f => f.tapError).map(String), plan: result.plan }
}
console.log(JSON.stringify(process.argv.slice(2).map(read)))
"""


@pytest.mark.release
def test_tap_is_read_by_the_parser_of_node_tap(packages: Path, tmp_path: Path) -> None:
    files = written(tmp_path, "tap")
    for (key, _), read in zip(files.items(), node(packages, tmp_path, _TAP, *files.values()), strict=True):
        assert not read["bailed"], key
        assert read["failures"] == [], key
        if key == "nothing":
            assert read["plan"]["skipAll"]
            continue
        checks = REPORTS[key].checks
        assert [bool(point[0]) for point in read["points"]] == [not holds_back(check) for check in checks], key
        for (_, skip, todo, facts), check in zip(read["points"], checks, strict=True):
            assert bool(skip) is not (holds_back(check) or check.outcome is CheckOutcome.HOLDS), key
            assert not todo
            assert (facts is None) is (check.outcome in {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}), key


_ANNOTATE = """\
const { issueCommand } = require("@actions/core/lib/command")
const { readFileSync } = require("fs")
const lines = []
process.stdout.write = text => { lines.push(text) }
for (const [name, properties, text] of JSON.parse(readFileSync("wanted.json"))) issueCommand(name, properties, text)
require("fs").writeSync(1, JSON.stringify(lines))
"""


def test_annotations_are_what_the_toolkit_of_actions_writes(packages: Path, tmp_path: Path) -> None:
    report = samples.of_issues(samples.issue("a,b:c%.py", 3, "100%\r\n::error::forged", column=2))
    facts = "expected 0, actual 1\ngate explain T1 code.lint_errors_max"
    told = f"E1: 100%\\r\\n::error::forged (1 lint error, at most 0 allowed)\n{facts}"
    place = {"file": "a,b:c%.py", "line": 3, "col": 2, "title": "LINT_FAIL code.lint_errors_max"}
    wanted = [["error", {"title": "gate: FAIL"}, "T1: facts refute this"], ["error", place, told]]
    (tmp_path / "wanted.json").write_text(json.dumps(wanted))
    assert "".join(node(packages, tmp_path, _ANNOTATE)) == render("github", report, TextStyle())


_STRICT = {"noEmit": True, "strict": True, "module": "nodenext", "skipLibCheck": True, "types": []}


@pytest.mark.release
def test_code_quality_has_the_types_of_code_climate(packages: Path, tmp_path: Path) -> None:
    # GitLab's own reader is part of its server; it wants the same fields, and of the types fewer.
    entries = [entry for file in written(tmp_path, "gitlab").values() for entry in json.loads(file.read_bytes())[:200]]
    assert len(entries) > 400
    source = f"import type {{ Issue }} from 'codeclimate-types'\nexport const all: Issue[] = {json.dumps(entries)}\n"
    (tmp_path / "entries.ts").write_text(source)
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": _STRICT, "files": ["entries.ts"]}))
    done = subprocess.run(
        (packages / ".bin" / "tsc",),
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[:2000]


# The command line


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    value = samples.lint(samples.issue("a.py", 2, "bad"))
    made = gr.make(tmp_path, {"lint.json": value}, {"lint_errors_max": 0}, files={"a.py": "one\n"})
    made.put("a.py", "one\ntwo\n")
    made.begin()
    made.claim()
    return made


def each(folder: Path) -> list[str]:
    return [part for name in FORMATS for part in ("--format", f"{name}={folder / name}")]


def test_one_run_writes_every_report(repository: gr.GatedRepository) -> None:
    reports = repository.home / "reports"
    done = repository.verify("T1", *each(reports))
    assert done.code == 1, done.output
    assert done.out.startswith("FAIL  T1"), "the text is still on standard output"
    found = {path.name: path.read_text() for path in reports.iterdir()}
    assert set(found) == set(FORMATS)
    assert found["text"].splitlines()[0] == done.out.splitlines()[0]
    assert json.loads(found["json"])["status"] == "fail"
    assert "gate explain T1 code.lint_errors_max" in found["junit"]
    assert "::error file=a.py,line=2,title=LINT_FAIL code.lint_errors_max::" in found["github"]
    # What was published gives the same reports, without anything running again.
    shown = repository.gate("show", "T1", *each(repository.home / "shown"))
    assert shown.code == 0, shown.output
    for name in set(FORMATS) - {"json"}:
        assert (repository.home / "shown" / name).read_text() == found[name], name


def test_one_format_may_go_to_standard_output(repository: gr.GatedRepository) -> None:
    target = repository.home / "deep" / "junit.xml"
    done = repository.verify("T1", "--format", "gitlab", "--format", f"junit={target}")
    assert done.code == 1, done.output
    assert [entry["location"] for entry in json.loads(done.out)] == [{"path": "a.py", "lines": {"begin": 2, "end": 2}}]
    assert target.read_text().startswith("<?xml")
    output = repository.home / "out.sarif"
    quiet = repository.verify("T1", "--format", "sarif", "--output", str(output))
    assert (quiet.code, quiet.out) == (1, "")
    assert json.loads(output.read_bytes())["version"] == "2.1.0"
    shown = repository.gate("show", "T1", "--format", "markdown")
    assert (shown.code, shown.out.splitlines()[0]) == (0, "<!-- verigate -->")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "juint=x.xml"), ("there is no report format 'juint'", "did you mean 'junit'?")),
        (("--format", "sarif="), ("'sarif=' names no file",)),
        (("--format", "sarif", "--json"), ("sarif and json have the same destination", "--format json=FILE")),
        (("--format", "sarif=x", "--format", "junit=./x"), ("two reports go to the same file",)),
        (("--format", "tap=x", "--output", "x"), ("two reports go to the same file",)),
        (("--format", "sarif=."), ("a report can only replace a regular file",)),
        (("--format", "sarif=/dev/stdout"), ("a report can only replace a regular file",)),
    ],
)
def test_reports_that_make_no_sense_are_refused_before_anything_runs(
    repository: gr.GatedRepository, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    for command in (("verify", "T1"), ("show", "T1")):
        done = repository.gate(*command, *arguments)
        assert done.code == 2, done.output
        for word in words:
            assert word in " ".join(done.err.split()), done.output
    assert not repository.has_verdict()
    assert not (repository.root / "x").exists()


def test_nothing_to_verify_is_reported_in_every_format(repository: gr.GatedRepository) -> None:
    repository.sample.git("checkout", "--quiet", "--", "a.py")
    for path in (repository.root / ".artifacts" / "T1").iterdir():
        path.unlink()
    reports = repository.home / "reports"
    done = repository.gate("verify", "--quiet", *each(reports))
    assert (done.code, done.out) == (0, ""), done.output
    assert {path.name for path in reports.iterdir()} == set(FORMATS)
    assert json.loads((reports / "sarif").read_bytes())["runs"][0]["results"] == []


def test_hostile_file_names_reach_every_report_and_harm_none(tmp_path: Path) -> None:
    names = ["::error::x.py", "new\nline.py", "<b>.py", "`]]>.py"]
    value = samples.lint(*(samples.issue(name, 1, f"in {name}") for name in names))
    repository = gr.make(tmp_path, {"lint.json": value}, {"lint_errors_max": 0}, files=dict.fromkeys(names, "x\n"))
    for name in names:
        repository.put(name, "y\n")
    repository.begin()
    repository.claim(*(f"file:{name}" for name in names))
    reports = repository.home / "reports"
    assert repository.verify("T1", *each(reports)).code == 1
    assert not [line for line in (reports / "github").read_text().splitlines() if not line.startswith("::error ")]
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in json.loads((reports / "sarif").read_bytes())["runs"][0]["results"]
    ]
    assert {"%3A%3Aerror%3A%3Ax.py", "new%0Aline.py", "%3Cb%3E.py", "%60%5D%5D%3E.py"} <= set(uris)
    assert "<b>" not in (reports / "markdown").read_text().replace("`", "\0").split("\0")[0]


@pytest.mark.parametrize("command", ["verify", "show"])
def test_an_error_leaves_no_report_of_an_earlier_run(repository: gr.GatedRepository, command: str) -> None:
    target = repository.home / "gate.xml"
    assert repository.verify("T1", "--format", f"junit={target}").code == 1
    repository.put(".artifacts/T1/commitment.json", "{")
    repository.put(".artifacts/T1/lint.json", "{}")
    done = repository.gate(command, "T1", "--format", f"junit={target}")
    assert done.code in {2, 3}, done.output
    assert not target.exists()


def test_the_published_texts_are_the_patch_and_the_logs(repository: gr.GatedRepository) -> None:
    done = repository.verify("T1")
    assert done.code == 1, done.output
    texts = published_texts(repository.root / ".artifacts" / "T1")
    assert {"logs/code.lint.out", "logs/code.lint.err"} <= set(texts)
    assert not [path for path in texts if path.endswith(".json")]


@pytest.mark.release
def test_the_text_of_a_hostile_message_commands_no_runner(tmp_path: Path) -> None:
    message = "##[error]forged " + "::notice title=gate::PASS " * 30
    value = samples.lint(*(samples.issue("a.py", 1, "x" * shift + message) for shift in range(4)))
    rule = {"id": "r", "expr": "false", "message": message}
    repository = gr.make(tmp_path, {"lint.json": value}, {"lint_errors_max": 0, "rules": [rule]}, files={"a.py": "x\n"})
    repository.put("a.py", "y\n")
    repository.begin()
    repository.claim("func:::error::x")

    def obeyed(done: gr.Done) -> list[str]:
        lines = (done.out + done.err).splitlines()
        return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]

    # Without the variable there is nobody to obey, and the text is as it is.
    assert obeyed(repository.verify("T1", "--verbose", COLUMNS="40"))
    assert not obeyed(repository.gate("verify", "T1", "--verbose", COLUMNS="40", GITHUB_ACTIONS="true"))
    assert not obeyed(repository.gate("show", "T1", "--verbose", COLUMNS="40", GITHUB_ACTIONS="true"))
    assert not obeyed(repository.gate("explain", "T1", COLUMNS="40", GITHUB_ACTIONS="true"))
    for name in set(FORMATS) - {"github"}:
        shown = repository.gate("show", "T1", "--format", name, GITHUB_ACTIONS="true")
        assert "forged" in shown.out or name == "text"
        assert not obeyed(shown), name
    commands = repository.gate("show", "T1", "--format", "github", GITHUB_ACTIONS="true").out
    assert all(line.startswith("::") for line in commands.splitlines())
