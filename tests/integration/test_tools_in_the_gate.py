# ruff: noqa: E501 - a table reads better in lines
"""Tools in TOML in a gate run: linters from PyPI, npm and Debian on real files, and reports in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gated_repository as gr
import pytest
import shipped_tools
from trx_samples import Result, write_trx

FILES = {
    "-rf.py": "import os\n",
    "$(x).py": 'eval("1")\n',
    "k.py": 'AWS_KEY = "AKIAIOSFODNN7EXAMPLE"\n',
    "ugly.py": "x   =  1\n",
    "s.sh": "#!/bin/sh\nif [ $x == 1 ]; then :; fi\nfor\n",
    "y.yml": "---\na: 1\na: 2\n",
    "d.md": "# T\n\nteh text\n\n# U\n",
    "Dockerfile": "FROM debian\nRUN cd /x && sudo true\n",
    "j.js": "export const a = undefinedName;\n",
    "conf/eslint.mjs": "export default [{rules: {'no-undef': 'error', 'no-unused-vars': 'warn'}}];\n",
    "t.txt": "TODO: write\n",
    "data.sh": "#!/bin/sh\necho ok\n",
}
# capability -> (path, rule or part of the message, severity) of a finding that it has to make
EXPECTED = {
    "ruff:lint": ("-rf.py", "F401", "error"),
    "ruff:format-check": ("ugly.py", "unformatted", "error"),
    "shellcheck:lint": ("s.sh", "1073", "error"),
    "yamllint:lint": ("y.yml", "key-duplicates", "error"),
    "hadolint:lint": ("Dockerfile", "DL3004", "error"),
    "codespell:lint": ("d.md", "teh", "error"),
    "bandit:scan": ("$(x).py", "B307", "error"),
    "detect-secrets:scan": ("k.py", "AWS Access Key", "error"),
    "markdownlint:lint": ("d.md", "MD025", "error"),
    "eslint:lint": ("j.js", "no-undef", "error"),
    "ripgrep:search": ("t.txt", "TODO", "error"),
    "git:whitespace": ("t.txt", "trailing whitespace", "error"),
}  # fmt: skip
OTHERS = ("git:status", "pandoc:check", "pip-audit:audit-installed")
CONFIG = {
    "eslint": {"eslint:lint": {"config": "conf/eslint.mjs"}},
    "ripgrep": {"ripgrep:search": {"pattern": "TODO", "source": ["*.txt"]}},
    "pip-audit": {"pip-audit:audit-installed": {"source": ["config"]}},
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return shipped_tools.programs(tmp_path_factory.mktemp("programs") / "bin")


def make(
    folder: Path,
    order: tuple[str, ...],
    rules: dict[str, Any],
    files: dict[str, str],
    config: dict[str, Any] | None = None,
    **commitment: Any,
) -> gr.GatedRepository:
    """A repository of type ``facts`` that plans ``order``; its change adds a trailing blank to t.txt."""
    repository = gr.make(folder, order=order, rules=rules, files=files, capabilities=("other:nothing",))
    if config is not None:
        repository.put("config/adapters.json", config)
    repository.put("t.txt", "TODO: write\n")
    repository.sample.commit("as it was")
    repository.begin(**commitment)
    repository.put("t.txt", "TODO: write \n")
    repository.claim("file:t.txt", type="facts")
    return repository


@pytest.mark.slow
def test_shipped_linters_find_what_is_wrong_and_say_it_in_one_form(path: str, tmp_path: Path) -> None:
    order = (*EXPECTED, *OTHERS)
    repository = make(tmp_path / "one", order, {"lint_clean": True}, FILES, CONFIG)
    done = repository.verify(PATH=path)
    assert done.code == 1, done.output
    verdict = repository.verdict()
    assert "LINT_FAIL" in {reason["code"] for reason in verdict["reasons"]}
    for name, (file, what, severity) in EXPECTED.items():
        folder = name.replace(":", "/")
        lint = repository.published(f"{folder}/lint.json")
        found = [issue for issue in lint["issues"] if issue["path"] == file and issue["severity"] == severity]
        assert any(what in f"{issue['rule']} {issue['message']}" for issue in found), (name, lint)
        run = repository.published(f"{folder}/run.json")
        assert run["tool"] == lint["tool"] == name.partition(":")[0]
        assert run["capability"] == name
        assert run["version"], name
        assert file in run["files"], name
        assert lint["files_checked"] == run["files_total"] > 0
    assert repository.published("pip-audit/audit-installed/lint.json")["errors"] == 0
    assert repository.published("git/status/run.json")["exit_code"] == 0
    index = {
        entry["path"]: entry
        for entry in json.loads((repository.root / ".artifacts/T1/artifacts.json").read_bytes())["files"]
    }
    assert index["ruff/lint/lint.json"]["media_spec"] == "verigate:lint.v1"

    # The same again elsewhere: byte for byte, without times and without places of the machine.
    other = make(tmp_path / "two", order, {"lint_clean": True}, FILES, CONFIG)
    assert other.verify(PATH=path).code == 1
    for name in order:
        for artifact in ("run.json", *(("lint.json",) if name in EXPECTED else ())):
            place = f".artifacts/T1/{name.replace(':', '/')}/{artifact}"
            content = (repository.root / place).read_bytes()
            assert content == (other.root / place).read_bytes(), place
            assert str(tmp_path).encode() not in content
            assert b"/tmp" not in content


# Each check, a fault of its kind far below, and a file of its kind that the tool passes over in silence.
LEFT_OUT = {
    "deep/er/bad.py": "import os\neval(input())\n",
    "deep/er/k.txt": 'AWS_KEY = "AKIAIOSFODNN7EXAMPLE"\nteh\n',
    "deep/er/.hidden": "teh\n",
    "deep/er/y.yml": "a: 1\na: 2\n",
    "deep/er/d.md": "# T\n\n# U\n",
    "deep/er/Dockerfile": "FROM debian\nRUN cd /x && sudo true\n",
    "deep/er/script": "#!/usr/bin/env bash\necho $x\n",
    "deep/broken.py": "def (:\n",
    "deep/excluded.py": "import os\n",
    "deep/ignored.yml": "a: 1\na: 2\n",
    "deep/binary": "teh\0\n",
    "deep/yarn.lock": 'AWS_KEY = "AKIAIOSFODNN7EXAMPLE"\n',
    "pyproject.toml": '[tool.ruff]\nexclude = ["excluded.py"]\n',
    ".yamllint": "extends: default\nignore: |\n  deep/ignored.yml\n",
    ".markdownlintignore": "deep\n",
}
PASSED_OVER = {
    "ruff:lint": ("deep/er/bad.py", ["deep/excluded.py"]),
    "bandit:scan": ("deep/er/bad.py", ["deep/broken.py"]),
    "yamllint:lint": ("deep/er/y.yml", ["deep/ignored.yml"]),
    "markdownlint:lint": ("deep/er/d.md", []),
    "codespell:lint": ("deep/er/.hidden", ["deep/binary"]),
    "hadolint:lint": ("deep/er/Dockerfile", []),
    "shellcheck:lint": ("deep/er/script", []),
    "detect-secrets:scan": ("deep/er/k.txt", ["deep/yarn.lock"]),
}


@pytest.mark.release
@pytest.mark.slow
def test_what_a_tool_passes_over_is_told_and_not_counted(path: str, tmp_path: Path) -> None:
    repository = make(tmp_path / "some", tuple(PASSED_OVER), {}, LEFT_OUT)
    done = repository.verify(PATH=path)
    for name, (found, left_out) in PASSED_OVER.items():
        folder = name.replace(":", "/")
        lint, run = repository.published(f"{folder}/lint.json"), repository.published(f"{folder}/run.json")
        assert found in {issue["path"] for issue in lint["issues"]}, (name, done.output)
        assert run["left_out"] == left_out, name
        assert found in run["files"], name
        assert not {*left_out} & {*run["files"]}, name
        assert lint["files_checked"] == run["files_total"] == len(run["files"]), name


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("ruff:lint", {"a.py": "import os\n", "ruff.toml": 'exclude = ["*.py"]\n'}),
        ("yamllint:lint", {"a.yml": "a: 1\na: 2\n", ".yamllint": "ignore: |\n  *.yml\n  .yamllint\n"}),
        ("bandit:scan", {"a.py": "def (:\n"}),
        ("hadolint:lint", {"a.py": "\n"}),
        ("pip-audit:audit", {"a.py": "\n"}),
    ],
)
def test_a_tool_that_passes_over_everything_has_checked_nothing(
    path: str, name: str, files: dict[str, str], tmp_path: Path
) -> None:
    repository = make(tmp_path, (name,), {"lint_clean": True}, files)
    done = repository.verify(PATH=path)
    assert done.code == 1, done.output
    assert "LINT_EMPTY" in {reason["code"] for reason in repository.verdict()["reasons"]}
    assert repository.published(f"{name.replace(':', '/')}/lint.json")["files_checked"] == 0


TOOL = """\
[adapter]
name = "Reports"
aliases = ["reports"]

[[domains]]
name = "any"
description = "Any"
match = "any"
"""
CAPABILITY = """
[[capabilities]]
domain = "any"
name = "{name}"
triggers = ["read"]
description = "Read a report"
destructive = {destructive}
command = {{ base = "{base}", positional_order = ["file"], end_of_options = "--" }}
report = {{ {report} }}

[capabilities.slots]
file = {{ category = "TARGET", type = "filepath", required = false, default = "{file}", render = "positional", desc = "The report" }}
"""
TRX = write_trx([Result("A.B", "adds"), Result("A.B", "takes", "Failed", message="no")])
JUNIT = '<testsuite tests="2" failures="1"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>'
SARIF = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "x", "version": "3"}},
            "results": [
                {
                    "ruleId": "R1",
                    "level": "error",
                    "message": {"text": "bad"},
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"uri": "t.txt"}, "region": {"startLine": 1}}}
                    ],
                }
            ],
        }
    ],
}
NESTED = [{"filePath": "t.txt", "messages": [{"line": 1, "ruleId": "r", "severity": 2, "message": "m"}]}]


def own(name: str, report: str, *, base: str = "cat", file: str = "report", destructive: bool = False) -> str:
    return TOOL + CAPABILITY.format(
        name=name, report=report, base=base, file=file, destructive=str(destructive).lower()
    )


@pytest.mark.parametrize(
    ("report", "content", "artifact", "facts"),
    [
        ('format = "junit"', JUNIT, "tests.json", {"passed": 1, "failed": 1, "total": 2, "tool": "reports"}),
        ('format = "trx"', TRX, "tests.json", {"passed": 1, "failed": 1, "total": 2, "tool": "reports"}),
        ('format = "tap"', "1..2\nok 1 - a\nok 2 - b # SKIP\n", "tests.json", {"passed": 1, "skipped": 1, "total": 2}),
        ('format = "lcov"', "SF:t.txt\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n", "coverage.json", {"pct": 0.5, "lines": {"covered": 1, "total": 2}}),
        ('format = "sarif"', json.dumps(SARIF), "lint.json", {"errors": 1, "files_checked": 2}),
        ('format = "lines"', "t.txt:1:2: warning: odd\n\nreport:3: bad\n", "lint.json", {"errors": 1, "warnings": 1, "files_checked": 2}),
        ('format = "json", findings = "/*/messages/*", path = "2/filePath", line = "/line", rule = "/ruleId", severity = "/severity", message = "0/message", errors = ["2"]', json.dumps(NESTED), "lint.json", {"errors": 1, "files_checked": 2}),
    ],
)  # fmt: skip
def test_each_format_becomes_its_standard_artifact(
    report: str, content: str, artifact: str, facts: dict[str, Any], tmp_path: Path
) -> None:
    files = {"report": content, "adapters/reports.toml": own("read", report)}
    repository = make(tmp_path, ("reports:read",), {}, files)
    done = repository.verify()
    found = repository.published(f"reports/read/{artifact}")
    assert {name: found[name] for name in facts} == facts, done.output
    if artifact == "lint.json":
        assert found["issues"][-1]["path"] in {"t.txt", "report"}
        assert found["issues"][-1]["line"] > 0


@pytest.mark.parametrize(
    ("report", "content", "said"),
    [
        ('format = "junit"', "<nope/>", "starts with <nope>"),
        ('format = "lines"', "all is well\n", "printed a line that isn't a finding"),
        ('format = "json", findings = "/x"', "{", "is not JSON"),
        ('format = "lines", clean = [3], found = [0]', "", "its report has no finding"),
        ('format = "lines", clean = [3], found = [4]', "", "ended with exit code 0"),
    ],
)
def test_a_report_that_is_not_understood_is_a_crash_and_no_clean_result(
    report: str, content: str, said: str, tmp_path: Path
) -> None:
    files = {"report": content, "adapters/reports.toml": own("read", report)}
    repository = make(tmp_path, ("reports:read",), {"lint_clean": True}, files)
    done = repository.verify()
    assert done.code == 3, done.output
    assert said in json.dumps(repository.verdict())


def test_rules_apply_to_what_a_tool_reports(tmp_path: Path) -> None:
    files = {"report": JUNIT, "adapters/reports.toml": own("read", 'format = "junit"')}
    repository = make(tmp_path, ("reports:read",), {"tests_pass": True}, files)
    assert repository.verify().code == 1
    checks = {check["id"]: check for check in repository.verdict()["checks"]}
    cited = {item["artifact"] for item in checks["code.tests_pass"]["evidence"]}
    assert "reports/read/tests.json" in cited


def test_what_is_destructive_is_refused_altogether(tmp_path: Path) -> None:
    repository = make(tmp_path, ("unix:remove",), {}, {"a.txt": ""}, None)
    done = repository.verify()
    assert done.code == 3, done.output
    assert "it is declared destructive, and the gate runs no destructive capability" in json.dumps(repository.verdict())
    configured = make(
        tmp_path / "two", ("unix:remove",), {}, {"a.txt": ""}, {"unix": {"unix:remove": {"target": "a.txt"}}}
    )
    assert configured.verify().code == 2


def test_a_program_that_is_not_there_is_a_fact_and_nothing_clean(tmp_path: Path) -> None:
    tool = own("read", 'format = "lines"', base="no-such-program")
    repository = make(
        tmp_path, ("reports:read",), {"lint_clean": True}, {"report": "", "adapters/x/reports.toml": tool}
    )
    assert repository.verify().code == 1
    assert repository.published("reports/read/lint.json")["tool"] is None
    assert repository.published("reports/read/run.json")["invocations"] == []
    assert "LINT_EMPTY" in {reason["code"] for reason in repository.verdict()["reasons"]}


def test_a_scope_does_not_keep_a_changed_file_from_being_looked_at(tmp_path: Path) -> None:
    files = {"good.sh": "#!/bin/sh\necho ok\n", "other.sh": "#!/bin/sh\necho ok\n"}
    scope = {"commitments": {"scope": {"files": ["good.sh"]}}}
    repository = make(tmp_path, ("shellcheck:lint",), {"lint_clean": True}, files, **scope)
    repository.put("new.sh", "for\n")
    assert repository.verify().code == 1
    assert repository.published("shellcheck/lint/run.json")["files"] == ["good.sh", "new.sh"]


def test_no_file_of_its_kind_is_no_clean_result_either(tmp_path: Path) -> None:
    many = 'required = true, cardinality = "many", expansion = "inline"'
    tool = own("read", 'format = "lines"').replace('required = false, default = "report"', many)
    files = {"a.txt": "", "adapters/x/reports.toml": tool.replace('match = "any"', 'extensions = [".zz"]')}
    repository = make(tmp_path, ("reports:read",), {"lint_clean": True}, files)
    assert repository.verify().code == 1
    assert repository.published("reports/read/run.json")["invocations"] == []
    assert "LINT_EMPTY" in {reason["code"] for reason in repository.verdict()["reasons"]}


def test_faults_of_a_file_and_of_its_configuration_are_told_before_anything_runs(tmp_path: Path) -> None:
    broken = (
        own("read", 'format = "lines"').replace('type = "filepath"', 'type = "path"').replace('["file"]', '["fil"]')
    )
    repository = make(tmp_path, ("reports:read",), {}, {"adapters/reports.toml": broken})
    done = repository.verify()
    assert done.code == 2
    assert "adapters/reports.toml:20 /capabilities/0/slots/file/type" in done.err
    assert "adapters/reports.toml:16 /capabilities/0/command/positional_order/0" in done.err
    assert not repository.has_verdict()
    repository.put("adapters/reports.toml", own("read", 'format = "lines"'))
    for config in ({"reports:reed": {}}, {"reports:read": {"fil": "x"}}, {"reports:read": {"file": 3}}):
        repository.put("config/adapters.json", {"reports": config})
        done = repository.verify()
        assert done.code == 2, (config, done.output)
        assert "config/adapters.json" in done.err


def test_tools_are_listed_and_shadowed_like_any_adapter(tmp_path: Path) -> None:
    repository = gr.make(
        tmp_path,
        capabilities=("other:nothing",),
        files={"adapters/mine.toml": own("lint", 'format = "lines"').replace('"reports"', '"shellcheck"')},
    )
    listed = repository.gate("adapters", "--json").json["capabilities"]
    assert listed["shellcheck:lint"]["origin"] == "repository"
    assert listed["unix:move"]["origin"] == "builtin"
