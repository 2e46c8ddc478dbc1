"""What an honest change can claim under strict rules, with the real gate: moved files, and nothing to build."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from npm_tools import node_modules
from repositories import Repository

if TYPE_CHECKING:
    from pathlib import Path

CODE = """\
'use strict';

exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);

exports.largest = (prices) => Math.max(...prices);
"""
TESTS = """\
'use strict';

const assert = require('node:assert');
const test = require('node:test');
const {{ largest, total }} = require('{}/pricing.js');

test('adds prices', () => assert.strictEqual(total([1, 2]), 3));
test('adds none', () => assert.strictEqual(total([]), 0));
test('finds the largest', () => assert.strictEqual(largest([1, 5, 2]), 5));
"""
CONFIG = "module.exports = [{ rules: { eqeqeq: 'error' } }];\n"
PACKAGE = {"name": "shop", "version": "1.0.0", "scripts": {"lint": "eslint .", "test": "node --test"}}
RULES = {"reject_unclaimed_changes": True, "integrity": True}
_ORDER = ["code:diff", "code:functions", "code:integrity"]


@pytest.fixture(name="shop")
def _shop(tmp_path: Path) -> Repository:
    repository = Repository.make(tmp_path / "repo")
    files = {
        ".gitignore": "node_modules\n.artifacts\n",
        "package.json": json.dumps(PACKAGE),
        "eslint.config.js": CONFIG,
        "pricing.js": CODE,
        "test/pricing.test.js": TESTS.format(".."),
    }
    repository.commit(files, "Begin")
    return repository


def move(repository: Repository) -> None:
    place = repository.root / "test" / "unit"
    place.mkdir()
    (repository.root / "test" / "pricing.test.js").unlink()
    (place / "pricing.test.js").write_text(TESTS.format("../.."))


def test_a_moved_test_is_claimed_under_code_strict_where_nothing_is_to_build(shop: Repository) -> None:
    (shop.root / "node_modules").symlink_to(node_modules())
    assert shop.gate("start", "T1", "--type", "code", "--profile", "code_strict").exit_code == 0
    move(shop)
    assert shop.gate("claim", "T1", "file:test/unit/pricing.test.js").exit_code == 0
    ended = shop.gate("verify", "T1", "--json")
    verdict = json.loads(ended.stdout)
    checks = {check["id"]: check for check in verdict["checks"]}
    assert (ended.exit_code, verdict["status"]) == (0, "pass"), ended.stdout
    assert checks["code.build_success"]["outcome"] == "not_applicable"
    assert "package.json" in checks["code.build_success"]["message"]
    assert checks["code.reject_unclaimed_changes"]["outcome"] == "holds"


@pytest.fixture(name="planned")
def _planned(shop: Repository) -> Repository:
    """The same with a plan that runs no tests, so that each way to name a subject is quick."""
    plan = {"code": {"order": _ORDER, "required": _ORDER, "optional": []}}
    policy = {"config/adapter-plan.json": plan, "config/verification.profiles.json": {"code_default": RULES}}
    shop.commit({path: json.dumps(content) for path, content in policy.items()}, "Judge by these")
    return shop


def judge(repository: Repository, *options: str) -> tuple[int, Any]:
    ended = repository.gate("verify", "T1", "--json", *options)
    verdict = json.loads(ended.stdout)
    check = next(check for check in verdict["checks"] if check["id"] == "code.reject_unclaimed_changes")
    return ended.exit_code, check["outcome"]


@pytest.mark.release
@pytest.mark.parametrize("unit", ["file:test/unit/pricing.test.js", "file:test/pricing.test.js"])
@pytest.mark.parametrize("options", [(), ("--staged",), ("--ref", "HEAD"), ("--ref", "HEAD", "--base", "HEAD~2")])
def test_a_moved_file_is_claimed_by_either_path_in_each_subject(
    planned: Repository, unit: str, options: tuple[str, ...]
) -> None:
    planned.gate("start", "T1", "--type", "code")
    if "--base" in options:
        planned.commit({"notes.txt": "prices\n"}, "Begin the work")
    move(planned)
    planned.git("add", "--all")
    if "--ref" in options:
        planned.git("commit", "--quiet", "-m", "Move the tests")
    planned.gate("claim", "T1", unit, *(("file:notes.txt",) if "--base" in options else ()))
    assert judge(planned, *options) == (0, "holds")


@pytest.mark.release
def test_a_deleted_file_is_claimed_by_a_statement(planned: Repository) -> None:
    planned.commit({"old.txt": "Old.\n"}, "Add a text")
    planned.gate("start", "T1", "--type", "code")
    (planned.root / "old.txt").unlink()
    (planned.root / "notes.txt").write_text("prices\n")
    planned.gate("claim", "T1", "file:notes.txt")
    assert judge(planned) == (1, "refuted")
    planned.gate("claim", "T1", "file:notes.txt", "--text", "Deleted old.txt.")
    assert judge(planned) == (0, "holds")
