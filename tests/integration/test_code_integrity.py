"""code:integrity through the adapter's own entry: what weakens a judge is refuted, what is honest is not."""

from __future__ import annotations

import json
import os
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from change_repository import ChangeRepository, Content, change_repository
from integrity_cases import CALC, PYTHON, TEST_CALC, Change
from integrity_cases import HONEST as PLAIN_HONEST
from integrity_cases import WEAKENING as PLAIN_WEAKENING
from integrity_evasions import HONEST_MORE, WEAKENING_MORE
from integrity_imports import HONEST_IMPORTS, WEAKENING_IMPORTS
from integrity_pipelines import HONEST_PIPELINES, WEAKENING_PIPELINES
from integrity_rewrites import HONEST_REWRITES, WEAKENING_REWRITES
from integrity_weights import WEIGHED
from release_tests import some_always
from schema_checks import check_by_schema

from verigate.domain.invariants import find_violations

SCHEMA = Path(__file__).resolve().parents[2] / "src/verigate/config/schemas/integrity.v1.schema.json"
REFUTING = {"tampering", "weakening"}
HONEST = (*PLAIN_HONEST, *HONEST_MORE, *HONEST_IMPORTS, *HONEST_REWRITES, *HONEST_PIPELINES)
WEAKENING = (*PLAIN_WEAKENING, *WEAKENING_MORE, *WEAKENING_IMPORTS, *WEAKENING_REWRITES, *WEAKENING_PIPELINES)


def integrity(tmp_path: Path, before: dict[str, Content], after: dict[str, Content], **call: Any) -> dict[str, Any]:
    return read(change_repository(tmp_path / "repo", before, after), tmp_path / "T", **call)


def read(repository: ChangeRepository, task_dir: Path, **call: Any) -> dict[str, Any]:
    outcome = repository.run("code:integrity", task_dir, **call)
    assert outcome.exit_code == 0, outcome.stderr
    value: dict[str, Any] = outcome.json("integrity.json")
    check_by_schema(value, json.loads(SCHEMA.read_text()))
    assert find_violations("verigate:integrity.v1", value) == ()
    return value


def refuting(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in value["findings"] if finding["weight"] in REFUTING]


def test_there_are_enough_changes_of_both_kinds() -> None:
    assert len(HONEST) >= 25
    assert len(WEAKENING) >= 40
    assert len({change.name for change in (*HONEST, *WEAKENING)}) == len(HONEST) + len(WEAKENING)


@pytest.mark.parametrize("change", some_always(HONEST, attrgetter("name"), one_in=12))
def test_an_honest_change_is_not_refuted(change: Change, tmp_path: Path) -> None:
    value = integrity(tmp_path, change.before, change.after)
    assert refuting(value) == []
    assert value["files_examined"] == value["total"] == len(set(change.after)) - _renames(change)


def _renames(change: Change) -> int:
    """git counts a file that moved once."""
    gone = [path for path, content in change.after.items() if content is None]
    new = [path for path in change.after if path not in change.before]
    moved = [path for path in new if any(_alike(change.before[old], change.after[path]) for old in gone)]
    return len(moved)


def _alike(one: Content, other: Content) -> bool:
    return one is not None and other is not None and abs(len(one) - len(other)) < len(one) / 4


@pytest.mark.parametrize("change", some_always(WEAKENING, attrgetter("name"), one_in=12))
def test_a_weakening_change_is_refuted(change: Change, tmp_path: Path) -> None:
    value = integrity(tmp_path, change.before, change.after)
    own = {finding["kind"] for finding in refuting(value)}
    assert own.intersection(change.kinds), value["findings"]


@pytest.mark.release
@pytest.mark.parametrize(("change", "weight"), WEIGHED, ids=lambda each: getattr(each, "name", ""))
def test_a_finding_has_the_weight_that_it_deserves(change: Change, weight: str, tmp_path: Path) -> None:
    value = integrity(tmp_path, change.before, change.after)
    weights = [finding["weight"] for finding in value["findings"]]
    assert weights[:1] == [weight], value["findings"]
    assert weights == sorted(weights, key=["tampering", "weakening", "note"].index)


def test_findings_say_where_and_who(tmp_path: Path) -> None:
    after: dict[str, Content] = {"tests/test_calc.py": TEST_CALC.replace("    assert add(0, 0) == 0\n", "")}
    value = integrity(tmp_path, PYTHON, after)
    (own,) = value["findings"]
    assert (own["kind"], own["source"], own["weight"]) == ("assertion_removed", "verigate", "weakening")
    assert (own["path"], own["line"], own["test"]) == ("tests/test_calc.py", 6, "test_add")
    assert "assert add(0, 0) == 0" in own["message"]


def weakened(tmp_path: Path, name: str, before: str, after: str) -> dict[str, Any]:
    """The one finding about an assertion of a test file."""
    project = {**PYTHON, "tests/test_calc.py": before}
    value = integrity(tmp_path / name, project, {"tests/test_calc.py": after})
    (found,) = [finding for finding in value["findings"] if finding["kind"] == "assertion_removed"]
    return found


@pytest.mark.release
def test_an_id_survives_a_rebase_and_is_void_once_the_test_changes_again(tmp_path: Path) -> None:
    less = TEST_CALC.replace("    assert add(0, 0) == 0\n", "")
    first = weakened(tmp_path, "first", TEST_CALC, less)
    other = "def test_other():\n    assert divide(9, 3) == 3\n\n\ndef test_add("
    rebased = weakened(tmp_path, "rebased", *(text.replace("def test_add(", other) for text in (TEST_CALC, less)))
    assert (first["line"], first["id"]) != (rebased["line"], "")
    assert rebased["id"] == first["id"]
    again = weakened(tmp_path, "again", TEST_CALC, less.replace("add(1, 2) == 3", "add(2, 1) == 3"))
    before = weakened(tmp_path, "before", *(text.replace("add(1, 2)", "add(2, 1)") for text in (TEST_CALC, less)))
    assert len({first["id"], again["id"], before["id"]}) == 3


def test_findings_of_two_tests_have_two_ids(tmp_path: Path) -> None:
    after = TEST_CALC.replace("def test_add", "@pytest.mark.skip\ndef test_add")
    value = integrity(tmp_path, PYTHON, {"tests/test_calc.py": after})
    found = {finding["test"]: finding["id"] for finding in refuting(value)}
    assert set(found) == {"test_add", "test_add_negative"}
    assert len(set(found.values())) == 2


def test_a_setting_that_changes_again_has_another_id(tmp_path: Path) -> None:
    ids, lines = list[str](), set[tuple[None, None]]()
    for name, lowered in (("one", "80"), ("two", "70")):
        after = str(PYTHON["pyproject.toml"]).replace("fail_under = 90", f"fail_under = {lowered}")
        (found,) = refuting(integrity(tmp_path / name, PYTHON, {"pyproject.toml": after}))
        ids.append(found["id"])
        lines.add((found["line"], found["test"]))
    assert len(set(ids)) == 2
    assert lines == {(None, None)}


def test_gate_files_are_no_finding(tmp_path: Path) -> None:
    value = integrity(tmp_path, PYTHON, {"config/adapter-plan.json": "{}", "hooks/pre-commit": "#!/bin/sh\n"})
    assert value["findings"] == []


def test_an_empty_change_has_nothing_to_examine(tmp_path: Path) -> None:
    value = integrity(tmp_path, PYTHON, {})
    assert (value["files_examined"], value["total"], value["findings"]) == (0, 0, [])


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("data.bin", bytes(range(256)) * 10),
        ("-rf", "x"),
        ("$(touch x).py", "x = 1\n"),
        ("new\nline.txt", "x"),
        ("back\\slash.py", "x = 1\n"),
        (os.fsdecode(b"\xff\xfe.txt"), "x"),
        ("big.txt", "x\n" * 900_000),
        ("deep.json", "[" * 50_000),
        ("package.json", "[" * 50_000),
        ("empty.py", ""),
        ("latin.py", "# caf\xe9\n".encode("latin-1")),
        ("tests/data/deep.py", "(" * 5_000),
        ("Makefile.inc", b"\x00\x01"),
    ],
)
def test_odd_files_are_survived(path: str, content: Content, tmp_path: Path) -> None:
    value = integrity(tmp_path, {"calc.py": CALC}, {path: content})
    assert value["total"] == 1


@pytest.mark.parametrize("path", ["pyproject.toml", ".github/workflows/ci.yml", "setup.cfg", "tsconfig.json"])
def test_configuration_that_cannot_be_read_is_refuted(path: str, tmp_path: Path) -> None:
    value = integrity(tmp_path, {"calc.py": CALC}, {path: "[[[\n\t{{: :\n"})
    assert refuting(value)


def test_a_test_file_that_cannot_be_read_is_refuted(tmp_path: Path) -> None:
    after: dict[str, Content] = {"tests/test_calc.py": TEST_CALC + "#" * (3 << 20)}
    value = integrity(tmp_path, PYTHON, after)
    assert "unexamined" in {finding["kind"] for finding in refuting(value)}
    assert value["files_examined"] == 0


def test_a_yaml_bomb_is_refuted_and_survived(tmp_path: Path) -> None:
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    value = integrity(tmp_path, PYTHON, {".github/workflows/ci.yml": f"a0: &a0 [x]\n{levels}\n"})
    assert "ci_nonfatal" in {finding["kind"] for finding in refuting(value)}


@pytest.mark.release
def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    repository = change_repository(
        tmp_path / "repo", PYTHON, {"tests/test_calc.py": None, "calc.py": CALC + "# noqa\n"}
    )
    written = []
    for name, seed in (("one", "1"), ("two", "2")):
        outcome = repository.run(
            "code:integrity", tmp_path / name, environ={"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"}
        )
        assert outcome.exit_code == 0, outcome.stderr
        written.append({path.name: path.read_bytes() for path in outcome.task_dir.iterdir()})
    assert written[0] == written[1]


def test_a_helper_that_half_the_repository_imports_is_judged_without_that_half(tmp_path: Path) -> None:
    importers: dict[str, Content] = {
        f"tests/test_m{n}.py": f"from helpers import twice\n\n\ndef test_{n}():\n    assert twice({n}) == {2 * n}\n"
        for n in range(90)
    }
    helper = "def twice(n):\n    return 2 * n\n"
    after: dict[str, Content] = {
        "tests/helpers.py": helper.replace("2 * n", "n + n"),
        "tests/test_calc.py": TEST_CALC.replace("assert add(1, 2) == 3", "assert add(1, 2) is not None"),
    }
    value = integrity(tmp_path, PYTHON | importers | {"tests/helpers.py": helper}, after)
    meta = json.loads((tmp_path / "T" / "integrity.meta.json").read_text())
    assert meta["checkwash"]["context"] == "change"
    assert ("assertion_weakened", "checkwash") in {(f["kind"], f["source"]) for f in refuting(value)}


@pytest.mark.parametrize(("others", "asked"), [({}, "none"), ({"tool.py": "x = 1\n"}, "repository")])
def test_checkwash_is_asked_where_it_reads_anything(tmp_path: Path, others: dict[str, Content], asked: str) -> None:
    before: dict[str, Content] = {"a.go": "package m\n", "README.md": "# M\n", **others}
    integrity(tmp_path, before, {"a.go": "package m\n\nfunc F() {}\n", "README.md": "# It\n"})
    meta = json.loads((tmp_path / "T" / "integrity.meta.json").read_text())
    assert (meta["checkwash"]["context"], meta["examined"]) == (asked, ["README.md", "a.go"])


def test_checkwash_findings_name_lines(tmp_path: Path) -> None:
    after: dict[str, Content] = {
        "tests/test_calc.py": TEST_CALC.replace("assert divide(4, 2) == 2.0", "assert divide(4, 2) is not None")
    }
    value = integrity(tmp_path, PYTHON, after)
    found = [f for f in value["findings"] if f["source"] == "checkwash" and f["kind"] == "assertion_weakened"]
    line = TEST_CALC.splitlines().index("    assert divide(4, 2) == 2.0") + 1
    assert [f["line"] for f in found] == [line]


def test_the_strengths_of_checkwash_are_said_in_words(tmp_path: Path) -> None:
    after: dict[str, Content] = {
        "tests/test_calc.py": TEST_CALC.replace("assert divide(4, 2) == 2.0", "assert divide(4, 2)")
    }
    found = [f for f in integrity(tmp_path, PYTHON, after)["findings"] if f["source"] == "checkwash"]
    said = "the assertion checked an exact value, and now checks only that a value counts as true"
    assert [f["message"].partition(": ")[2] for f in found] == [said]


@pytest.mark.parametrize("name", ["pyright", "basedpyright"])
def test_what_pyright_checks_may_not_become_less(tmp_path: Path, name: str) -> None:
    before: dict[str, Content] = {"pyproject.toml": f"[tool.{name}]\ninclude = ['src']\n", "src/a.py": "x = 1\n"}
    narrowed: dict[str, Content] = {"pyproject.toml": f"[tool.{name}]\ninclude = ['src/e.py']\n", "src/e.py": "y = 1\n"}
    found = integrity(tmp_path / "same", before, {**before, **narrowed})["findings"]
    assert [(each["kind"], each["path"]) for each in found] == [("lint_config_weakened", "pyproject.toml")]


def test_a_file_that_pyright_reads_first_may_not_check_less(tmp_path: Path) -> None:
    before: dict[str, Content] = {"pyproject.toml": "[tool.pyright]\ninclude = ['src']\n", "src/a.py": "x = 1\n"}
    found = integrity(tmp_path, before, {**before, "pyrightconfig.json": '{"include": ["e.py"]}\n', "e.py": "y = 1\n"})
    assert {(each["kind"], each["path"]) for each in found["findings"]} == {
        ("lint_config_weakened", "pyrightconfig.json")
    }


@pytest.mark.parametrize(
    ("runner", "imported"),
    [
        ("vitest run", 'import { describe, expect, it } from "vitest";\n'),
        ("jest", ""),
        ("mocha", 'import { expect } from "chai";\n'),
        ("node --test --test-only", 'import { describe, it } from "node:test";\nimport { expect } from "chai";\n'),
    ],
)
def test_a_focused_test_and_each_that_it_keeps_from_running_are_named(
    tmp_path: Path, runner: str, imported: str
) -> None:
    test = (
        f'{imported}import {{ add }} from "./add";\n\ndescribe("sums", () => {{\n'
        '  it("adds", () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n\ndescribe("limits", () => {\n'
        '  it("stops", () => {\n    expect(add(9, 9)).toBe(9);\n  });\n'
        '  it("starts", () => {\n    expect(add(0, 0)).toBe(0);\n  });\n});\n'
    )
    before: dict[str, Content] = {
        "package.json": json.dumps({"scripts": {"test": runner}}),
        "add.ts": "export const add = (a: number, b: number) => Math.min(9, a + b);\n",
        "add.test.ts": test,
    }
    found = integrity(tmp_path, before, {"add.test.ts": test.replace('it("stops"', 'it.only("stops"')})
    named = sorted((each["kind"], each["test"]) for each in refuting(found))
    assert named == [
        ("test_focused", "limits > stops"),
        ("test_skipped", "limits > starts"),
        ("test_skipped", "sums > adds"),
    ]
    assert len({each["id"] for each in refuting(found)}) == 3
