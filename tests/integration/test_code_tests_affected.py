"""Tests of affected packages: in each ecosystem those of changed packages run, and of what needs them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from code_repo import Answer, make_repo
from gated_repository import GatedRepository
from monorepos import CARGO, GO, NPM, UV
from sample_repository import SampleRepository

pytestmark = pytest.mark.slow


def run(root: Path, files: Mapping[str, str], change: Mapping[str, str | None]) -> Answer:
    repo = make_repo(root, files)
    for name, content in change.items():
        if content is None:
            (repo.root / name).unlink()
        else:
            repo.write({name: content})
    answer = repo.run("code:tests", gated=True, rules={"tests": "affected"}, base="HEAD")
    assert answer.exit_code == 0, answer.stderr
    return answer


def packages(answer: Answer) -> tuple[int, int, str]:
    """How many packages ran, of how many, or why all."""
    found = answer.json("tests.json")["selected"][0]
    assert (found["what"], found["unit"], found["by"]) == ("the repository", "packages", "affected")
    return found["chosen"], found["of"], found.get("why", "")


def ran(answer: Answer) -> set[str]:
    return {next(name for name in ("core", "cart", "tax") if name in entry["path"]) for entry in files_of(answer)}


def files_of(answer: Answer) -> list[dict[str, Any]]:
    return list(answer.json("tests.json")["files"])


@pytest.mark.parametrize(
    ("files", "changed", "chosen", "of"),
    [
        # The root of uv's workspace and of npm's are packages themselves, and always run.
        (UV, "libs/core/core.py", {"core", "cart"}, (3, 4)),
        (UV, "libs/tax/notes.txt", {"tax"}, (2, 4)),
        (NPM, "packages/core/index.js", {"core", "cart"}, (3, 4)),
        (NPM, "packages/cart/index.js", {"cart"}, (2, 4)),
        (GO, "core/core.go", {"core", "cart"}, (2, 3)),
        (GO, "tax/data.txt", {"tax"}, (1, 3)),
    ],
)
def test_changed_packages_and_what_needs_them_run(
    tmp_path: Path, files: dict[str, str], changed: str, chosen: set[str], of: tuple[int, int]
) -> None:
    answer = run(tmp_path, files, {changed: files.get(changed, "") + "\n"})
    assert packages(answer) == (*of, "")
    assert answer.json("tests.json")["total"] == len(chosen)
    if files is not GO:
        assert ran(answer) == chosen


@pytest.mark.parametrize(
    ("changed", "total", "of"), [("crates/core-parts/src/lib.rs", 2, (2, 3)), ("crates/tax/data.txt", 1, (1, 3))]
)
def test_cargo_is_given_the_affected_packages(tmp_path: Path, changed: str, total: int, of: tuple[int, int]) -> None:
    answer = run(tmp_path, CARGO, {changed: CARGO.get(changed, "") + "\n"})
    assert packages(answer) == (*of, "")
    assert answer.json("tests.json")["total"] == total
    cargo = answer.json("tests.json")["selected"][1]
    assert (cargo["what"], cargo["chosen"], cargo["of"]) == ("cargo test", *of)


@pytest.mark.parametrize(
    ("files", "change", "why"),
    [
        (UV, {"uv.lock": "version = 1\n"}, "uv.lock changed, outside of every package"),
        (UV, {"libs/core/pyproject.toml": "[project\n"}, "libs/core/pyproject.toml: isn't TOML"),
        (UV, {"pyproject.toml": UV["pyproject.toml"] + "# more\n"}, "pyproject.toml changed, outside of every package"),
        ({"test_it.py": UV["libs/tax/tests/test_it.py"]}, {"tax.py": ""}, "no workspace or module says which packages"),
        # Nobody has tests of it.
        (
            {**NPM, "packages/docs/package.json": json.dumps({"name": "docs"})},
            {"packages/docs/a.md": "# A\n"},
            "no affected package has tests",
        ),
    ],
)
def test_in_doubt_all_run(tmp_path: Path, files: dict[str, str], change: dict[str, str | None], why: str) -> None:
    answer = run(tmp_path, files, change)
    chosen, of, said = packages(answer)
    assert chosen == of
    assert said.startswith(why)
    assert answer.json("tests.json")["total"] == len([path for path in files if "test" in path.rpartition("/")[2]])


def test_a_need_that_the_change_itself_hides_still_counts(tmp_path: Path) -> None:
    # With the new name nobody's manifest names the package any more, though the link in node_modules may.
    renamed = json.dumps({"name": "kernel", "scripts": {"test": "node --test"}})
    broken = {"packages/core/package.json": renamed, "packages/core/index.js": "exports.total = () => 0;\n"}
    test = (
        "const test = require('node:test');\nconst assert = require('node:assert');\n"
        "test('cart', () => assert.equal(require('../../core').total(1, 2), 3));\n"
    )
    answer = run(tmp_path, {**NPM, "packages/cart/test/it.test.js": test}, broken)
    assert ran(answer) == {"core", "cart"}
    assert answer.json("tests.json")["failed"] == 1


def test_a_test_that_is_hidden_where_tests_are_listed_runs_all(tmp_path: Path) -> None:
    hides = "import sys\n\ncollect_ignore = ['test_it.py'] if '--collect-only' in sys.argv else []\n"
    change = {"libs/core/core.py": "def total(prices):\n    return 0\n"}
    answer = run(tmp_path, {**UV, "libs/cart/tests/conftest.py": hides}, change)
    assert answer.json("tests.json")["failed"] == 2
    whole = answer.json("tests.json")["selected"][1]
    assert whole["why"].startswith("libs/cart/tests/test_it.py looks like a test of an affected package")


def test_a_link_into_a_package_needs_it(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, NPM)
    (repo.root / "packages/tax/shared").symlink_to("../core", target_is_directory=True)
    repo.commit()
    repo.write({"packages/core/index.js": "exports.total = 1;\n"})
    answer = repo.run("code:tests", gated=True, rules={"tests": "affected"}, base="HEAD")
    assert ran(answer) == {"core", "cart", "tax"}


PLAN = {"code": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}}


@pytest.fixture
def shop(tmp_path: Path) -> GatedRepository:
    repository = GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    profiles = {
        "code_default": {"tests_pass": True},
        "code_affected": {"tests_pass": True, "tests": "affected"},
        "code_all": {"tests_pass": True, "tests": "all"},
    }
    for name, content in {
        **NPM,
        "config/adapter-plan.json": PLAN,
        "config/verification.profiles.json": profiles,
        ".gitignore": ".artifacts/\n",
    }.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    return repository


@pytest.mark.release
def test_the_option_and_the_profile_and_a_part_that_never_serves_for_all(shop: GatedRepository) -> None:
    shop.put("packages/tax/index.js", "exports.tax = 1;\n")

    def verify(*arguments: str, **environ: str) -> tuple[int, str]:
        done = shop.gate("verify", "--json", *arguments, **environ)
        assert done.code == 0, done.output
        (check,) = [each for each in done.json["checks"] if each["id"] == "code.tests_pass"]
        return shop.published("tests.json", "implicit")["total"], check.get("message", "")

    part = (1, "2 of 4 packages of the repository (.) ran, by what changed")
    assert verify() == (3, "")
    assert verify("--affected") == part
    # The caller asks for it, so it counts in CI as well; a word of the profile only outside of it.
    assert verify("--affected", CI="true") == part
    assert verify("--profile", "code_affected") == part
    assert verify("--profile", "code_affected", CI="true") == (3, "")
    assert verify("--profile", "code_all", "--affected") == (3, "")
    assert verify() == (3, "")
    done = shop.gate("verify", "--affected", "--profile", "code_all")
    assert "--affected has no effect: by the profile code_all or the commitment all tests run" in done.err


def test_statements_about_all_tests_stay_open(shop: GatedRepository) -> None:
    assert shop.gate("start", "T1").code == 0
    shop.claim("file:packages/tax/index.js", statements=["All tests pass."])
    shop.put("packages/tax/index.js", "exports.tax = 1;\n")
    shop.gate("verify", "T1", "--affected")
    (found,) = [unit for unit in shop.verdict("T1")["units"]["per_unit"] if unit["id"].startswith("statement:")]
    assert found["outcome"] == "undecided"
    assert "2 of 4 packages of the repository (.) ran, by what changed" in found["message"]
    done = shop.gate("verify", "--range", "HEAD~1..HEAD", "--affected")
    assert done.code == 2
