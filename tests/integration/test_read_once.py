"""A verification opens the files of its task once, and parses each statement of the claim once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gated_repository as gr
import literal_facts as lf

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
STATEMENTS = ["5 tests pass", "It is elegant", "Lint is clean", "I might add an index later"]

COUNT = """
import json, sys
from collections import Counter

opened, parsed = Counter(), Counter()

def count_open(event, arguments):
    if event == "open":
        name = str(arguments[0]).rpartition(".artifacts/T1/")[2]
        if name in {"commitment.json", "claim.json"}:
            opened[name] += 1

if "--statements" in sys.argv:
    sys.argv.remove("--statements")
    from verigate.statements import markup
    clean = markup.strip_markup
    def count_parse(text):
        parsed[text] += 1
        return clean(text)
    markup.strip_markup = count_parse

sys.addaudithook(count_open)
from verigate.cli.app import run
code = run(tuple(sys.argv[1:]))
loaded = [name for name in sys.modules if name.startswith("verigate.statements.")]
with open("counted.json", "w") as file:
    json.dump({"code": code, "opened": opened, "parsed": parsed, "loaded": loaded}, file)
"""


def count(repository: gr.GatedRepository, *arguments: str) -> Mapping[str, Any]:
    folder = repository.root.parent / "counting"
    folder.mkdir(exist_ok=True)
    program = COUNT.replace('open("counted.json"', f"open({str(folder / 'counted.json')!r}")
    subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=repository.root,
        env=repository.environ(),
        capture_output=True,
        check=True,
    )
    counted: Mapping[str, Any] = json.loads((folder / "counted.json").read_bytes())
    return counted


def test_each_file_is_opened_and_each_statement_parsed_once(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, {**CODE, "lint.json": lf.GOOD["lint.json"]}, {"tests_pass": True})
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim(statements=STATEMENTS)
    counted = count(repository, "verify", "T1", "--quiet", "--statements")
    assert counted["code"] == 4
    assert counted["opened"] == {"commitment.json": 1, "claim.json": 1}
    assert counted["parsed"] == dict.fromkeys(STATEMENTS, 1)
    outcomes = [unit["outcome"] for unit in repository.verdict()["units"]["per_unit"]]
    assert outcomes == ["supported", "undecided", "supported", "undecided"]
    replayed = count(repository, "replay", "T1", "--statements")
    assert (replayed["code"], replayed["parsed"]) == (4, dict.fromkeys(STATEMENTS, 1))


def test_a_claim_without_statements_loads_no_parser(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, {"tests_pass": True})
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    repository.claim("file:a.py")
    counted = count(repository, "verify", "T1", "--quiet")
    assert (counted["code"], counted["loaded"]) == (0, [])
