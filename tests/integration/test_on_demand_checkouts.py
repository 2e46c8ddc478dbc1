"""Checkouts that a capability fills itself: the same artifacts, by the files that the tests need alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from code_repo import Answer, CodeRepo, make_repo
from gated_repository import GatedRepository
from monorepos import CARGO, GO, NPM, UV
from sample_repository import SampleRepository

pytestmark = pytest.mark.slow

BUILT = {
    **NPM,
    "packages/cart/package.json": json.dumps(
        {"name": "cart", "scripts": {"pretest": "node ../../build.js", "test": "node --test"}}
    ),
    "build.js": "require('./packages/tax/rates.js');\n",
    "packages/tax/rates.js": "exports.rate = 2;\n",
}


def put_away(repo: CodeRepo) -> None:
    """Leave the index alone, with each file skipped, as the gate does in a large repository."""
    repo.git("add", "--all")
    names = repo.git("ls-files", "-z")
    for name in filter(None, names.split(b"\0")):
        repo.git("update-index", "--skip-worktree", "--", name.decode())
        (repo.root / name.decode()).unlink()


def run(
    root: Path, files: Mapping[str, str], change: Mapping[str, str], *, whole: bool, tests: str = "affected"
) -> Answer:
    repo = make_repo(root, files)
    repo.write(dict(change))
    environ = {} if whole else {"GATE_CHECKOUT": "on_demand"}
    if not whole:
        put_away(repo)
    return repo.run("code:tests", gated=True, rules={"tests": tests}, base="HEAD", **environ)


@pytest.mark.parametrize(
    ("files", "change", "unwritten"),
    [
        (UV, {"libs/core/core.py": UV["libs/core/core.py"] + "\n"}, set()),  # one call at the root runs all of them
        (NPM, {"packages/cart/index.js": "exports.cart = 1;\n"}, {"packages/tax/test/it.test.js"}),
        (NPM, {"packages/core/index.js": "exports.total = 1;\n"}, {"packages/tax/test/it.test.js"}),
        # Manifests are read before they are written, but not where their files are in another encoding.
        (
            {**NPM, ".gitattributes": "*.json text eol=crlf\n"},
            {"packages/cart/index.js": "exports.cart = 1;\n"},
            {"packages/tax/test/it.test.js"},
        ),
        (
            {**NPM, "packages/tax/.gitattributes": "*.utf16 working-tree-encoding=UTF-16\n"},
            {"packages/cart/index.js": "exports.cart = 1;\n"},
            {"packages/tax/test/it.test.js", "packages/tax/.gitattributes"},
        ),
        (GO, {"tax/data.txt": "1\n"}, {"core/core.go", "cart/cart_test.go", "core/core_test.go"}),
        (GO, {"core/core.go": GO["core/core.go"] + "\n"}, {"tax/tax_test.go"}),
        (CARGO, {"crates/tax/data.txt": "1\n"}, set()),  # cargo reads the sources of all members
        (BUILT, {"packages/cart/index.js": "exports.cart = 1;\n"}, set()),  # what runs before its tests may read all
        (NPM, {"package.json": NPM["package.json"] + "\n"}, set()),  # concerns all packages
        (NPM, {"packages/docs/package.json": '{"name": "docs"}', "packages/docs/a.md": "# A\n"}, set()),  # has no tests
    ],
)
def test_the_same_is_reported_and_only_what_tests_need_is_written(
    tmp_path: Path, files: dict[str, str], change: dict[str, str], unwritten: set[str]
) -> None:
    whole = run(tmp_path / "whole", files, change, whole=True)
    part = run(tmp_path / "part", files, change, whole=False)
    assert (whole.exit_code, part.exit_code) == (0, 0), part.stderr
    first, second = (answer.json("tests.json") for answer in (whole, part))
    assert first["total"] > 0
    assert {**first, "duration": 0} == {**second, "duration": 0}
    top = tmp_path / "part" / "repo"
    there = {str(path.relative_to(top)) for path in top.rglob("*")}
    assert {name for name in {*files, *change} if name not in there} == unwritten


def test_tests_that_do_not_run_any_more_are_found_there_too(tmp_path: Path) -> None:
    chosen = (
        "const test = require('node:test');\nconst { all } = require('../index.js');\ntest('first', () => {});\n"
        "if (all) test('second', () => {});\n"
    )
    files = {**NPM, "packages/cart/index.js": "exports.all = true;\n", "packages/cart/test/it.test.js": chosen}
    change = {"packages/cart/index.js": "exports.all = false;\n"}
    whole, part = (run(tmp_path / str(each), files, change, whole=each).json("tests.json") for each in (True, False))
    assert [each["test"] for each in whole["no_longer_run"]] == ["second"]
    assert {**whole, "duration": 0} == {**part, "duration": 0}


def test_all_files_are_written_where_all_tests_run(tmp_path: Path) -> None:
    part = run(tmp_path, NPM, {"packages/cart/index.js": "exports.cart = 1;\n"}, whole=False, tests="all")
    assert part.json("tests.json")["total"] == 3
    assert (tmp_path / "repo/packages/tax/test/it.test.js").is_file()


def test_a_read_that_no_manifest_declares_fails(tmp_path: Path) -> None:
    reads = "const test = require('node:test');\ntest('cart', () => { require('../../tax/rates.js'); });\n"
    files = {**NPM, "packages/cart/test/it.test.js": reads, "packages/tax/rates.js": "exports.rate = 2;\n"}
    change = {"packages/cart/index.js": "exports.cart = 1;\n"}
    assert run(tmp_path / "whole", files, change, whole=True).json("tests.json")["failed"] == 0
    assert run(tmp_path / "part", files, change, whole=False).json("tests.json")["failed"] == 1


def test_nothing_more_is_written_after_something_of_the_project_has_run(tmp_path: Path) -> None:
    # It could have changed what the other files are written from.
    forges = (
        "require('node:child_process').execFileSync('git', ['rm', '--cached', '-q', 'it.test.js'], {cwd: __dirname});\n"
    )
    files = {**NPM, "packages/cart/test/it.test.js": forges}
    part = run(tmp_path, files, {"packages/cart/index.js": "exports.cart = 1;\n"}, whole=False)
    assert part.exit_code != 0
    assert "no test of the affected packages ran" in part.stderr
    assert "verify without --affected" in part.stderr
    assert not (tmp_path / "repo/packages/tax/test/it.test.js").exists()


PLAN = {"code": {"order": ["code:diff", "code:tests"], "required": ["code:diff", "code:tests"], "optional": []}}


@pytest.fixture
def large(tmp_path: Path) -> GatedRepository:
    repository = GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    alone = (
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst fs = require('node:fs');\n"
        "test('it is alone', () => assert.ok(!fs.existsSync('../tax/part0.txt')));\n"
        "test('git calls nothing missing', () => assert.equal(\n"
        "  require('node:child_process').execFileSync('git', ['ls-files', '--deleted'], {cwd: '../..'}).length, 0));\n"
    )
    for name, content in {
        **NPM,
        **{f"packages/tax/part{number}.txt": f"{number}\n" for number in range(5000)},
        "packages/cart/test/it.test.js": alone,
        "config/adapter-plan.json": PLAN,
        "config/verification.profiles.json": {"code_default": {"tests_pass": True}},
        ".gitignore": ".artifacts/\n",
    }.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    return repository


def test_the_gate_leaves_it_to_the_call_in_a_large_repository(large: GatedRepository) -> None:
    large.put("packages/cart/index.js", "exports.cart = 1;\n")
    done = large.gate("verify", "--affected")
    assert done.code == 0, done.output
    tests, diff = (large.published(name, "implicit") for name in ("tests.json", "diff.json"))
    assert (tests["passed"], tests["selected"][0]["chosen"], tests["selected"][0]["of"]) == (2, 2, 4)
    assert (diff["files_created"], diff["total_changes"]) == (["packages/cart/index.js"], 1)
    # Without it all of them are there.
    assert large.gate("verify").code == 1
    assert large.published("tests.json", "implicit")["total"] == 4
