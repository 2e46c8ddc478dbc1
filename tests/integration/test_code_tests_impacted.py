"""Tests by impact: those that a change can affect run, what can't be attributed runs all, and the verdict says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from code_repo import Answer, make_repo
from gated_repository import GatedRepository
from npm_tools import node_modules
from sample_repository import SampleRepository

pytestmark = pytest.mark.slow

PYTHON = {
    "pyproject.toml": "[project]\nname = 'shop'\n[project.scripts]\nshopctl = 'shop.cli:main'\n"
    "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    "shop/__init__.py": "from .cart import total\n",
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
    "shop/tax.py": "def tax(price):\n    return price // 5\n",
    "shop/cli.py": "def main():\n    return 0\n",
    "shop/prices.json": "[1, 2]\n",
    "README.md": "# A shop\n",
    "tests/conftest.py": "",
    "tests/helpers/lists.py": "from shop import total\n\n\ndef check(prices, expected):\n"
    "    assert total(prices) == expected\n",
    "tests/helpers/__init__.py": "",
    "tests/__init__.py": "",
    "tests/test_cart.py": "from tests.helpers import lists\n\n\ndef test_cart():\n    lists.check([1, 2], 3)\n",
    "tests/test_tax.py": "from shop.tax import tax\n\n\ndef test_tax():\n    assert tax(10) == 2\n",
    "tests/test_command.py": "def test_command():\n    assert 'shopctl'\n",
    "tests/test_prices.py": "import json\nimport pathlib\n\n\ndef test_prices():\n"
    "    assert json.loads(pathlib.Path('shop/prices.json').read_text())\n",
}
GO = {
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "cart/cart.go": "package cart\n\nfunc Total(a, b int) int { return a + b }\n",
    "cart/cart_test.go": 'package cart\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1, 2) != 3 {\n'
    '\t\tt.Fatal("no")\n\t}\n}\n',
    "tax/tax.go": "package tax\n\nfunc Of(price int) int { return price / 5 }\n",
    "tax/tax_test.go": 'package tax\n\nimport "testing"\n\nfunc TestOf(t *testing.T) {\n\tif Of(10) != 2 {\n'
    '\t\tt.Fatal("no")\n\t}\n}\n',
    "till/till.go": 'package till\n\nimport "example.com/shop/cart"\n\nfunc Sum() int { return cart.Total(2, 2) }\n',
    "till/till_test.go": 'package till_test\n\nimport (\n\t"testing"\n\n\t"example.com/shop/till"\n)\n\n'
    'func TestSum(t *testing.T) {\n\tif till.Sum() != 4 {\n\t\tt.Fatal("no")\n\t}\n}\n',
}
SCRIPT = {
    "cart.js": "exports.total = (a, b) => a + b;\n",
    "till.js": "const { total } = require('./cart');\nexports.sum = () => total(2, 2);\n",
    "tax.js": "exports.tax = (price) => price / 5;\n",
    "test/till.test.js": "const { sum } = require('../till');\ntest('sum', () => expect(sum()).toBe(4));\n",
    "test/tax.test.js": "const { tax } = require('../tax');\ntest('tax', () => expect(tax(10)).toBe(2));\n",
    "test/named.test.js": "test('named', () => expect('cart').toBe('cart'));\n",
}
MODULES = {
    "cart.mjs": "export const total = (a, b) => a + b;\n",
    "till.mjs": "import { total } from './cart.mjs';\nexport const sum = () => total(2, 2);\n",
    "tax.mjs": "export const tax = (price) => price / 5;\n",
    "test/till.test.mjs": "import { test, expect } from 'vitest';\nimport { sum } from '../till.mjs';\n"
    "test('sum', () => expect(sum()).toBe(4));\n",
    "test/tax.test.mjs": "import { test, expect } from 'vitest';\nimport { tax } from '../tax.mjs';\n"
    "test('tax', () => expect(tax(10)).toBe(2));\n",
}


def run(root: Path, files: Mapping[str, str], change: Mapping[str, str | None], **links: Path) -> Answer:
    repo = make_repo(root, files)
    for name, target in links.items():
        (repo.root / name).symlink_to(target)
    for name, content in change.items():
        if content is None:
            (repo.root / name).unlink()
        else:
            (repo.root / name).write_text(content)
    answer = repo.run("code:tests", gated=True, rules={"tests": "impacted"}, base="HEAD")
    assert answer.exit_code == 0, answer.stderr
    return answer


def selected(answer: Answer) -> dict[str, Any]:
    (found,) = answer.json("tests.json")["selected"]
    return dict(found)


def ran(answer: Answer) -> set[str]:
    return {entry["path"] for entry in answer.json("tests.json")["files"]}


@pytest.mark.parametrize(
    ("change", "files"),
    [
        # By a helper; and whoever names the package, which imports it.
        (
            {"shop/cart.py": PYTHON["shop/cart.py"] + "# more\n"},
            {"tests/test_cart.py", "tests/test_prices.py", "tests/test_tax.py"},
        ),
        ({"shop/cli.py": "def main():\n    return 1\n"}, {"tests/test_command.py"}),
        ({"shop/prices.json": "[3]\n"}, None),
        ({"tests/helpers/lists.py": PYTHON["tests/helpers/lists.py"] + "# more\n"}, {"tests/test_cart.py"}),
        ({"tests/test_tax.py": PYTHON["tests/test_tax.py"] + "# more\n"}, {"tests/test_tax.py"}),
        (
            {"README.md": "# The shop\n", "tests/test_tax.py": PYTHON["tests/test_tax.py"] + "#\n"},
            {"tests/test_tax.py"},
        ),
    ],
)
def test_of_python_who_names_what_changed_runs(
    tmp_path: Path, change: dict[str, str | None], files: set[str] | None
) -> None:
    answer = run(tmp_path, PYTHON, change)
    if files is None:
        # The folder of the data has the name of the package: all who use it may read it.
        files = {"tests/test_cart.py", "tests/test_prices.py", "tests/test_tax.py"}
    assert ran(answer) == files
    assert selected(answer) == {"what": "pytest", "path": ".", "unit": "files", "chosen": len(files), "of": 4}


@pytest.mark.release
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pyproject.toml": PYTHON["pyproject.toml"] + "# more\n"}, "pyproject.toml changed"),
        ({"shop/new.py": "A = 1\n"}, "no test names shop/new.py"),
        ({"README.md": "# The shop\n"}, "no test names what changed"),
        ({"tests/test_tax.py": None}, "no test names tests/test_tax.py"),
        ({"shop/fast.pyx": "A = 1\n"}, "shop/fast.pyx changed"),
    ],
)
def test_what_nobody_names_runs_all(tmp_path: Path, change: dict[str, str | None], why: str) -> None:
    answer = run(tmp_path, PYTHON, change)
    found = selected(answer)
    assert found["why"].startswith(why)
    assert (found["unit"], found["chosen"], found["of"]) == ("suites", 1, 1)
    assert len(ran(answer)) == 3 + ("tests/test_tax.py" not in change)


def test_a_file_that_is_hidden_where_tests_are_listed_runs_all(tmp_path: Path) -> None:
    hides = "import sys\n\ncollect_ignore = ['test_tax.py'] if '--collect-only' in sys.argv else []\n"
    answer = run(tmp_path, {**PYTHON, "tests/conftest.py": hides}, {"shop/tax.py": "def tax(price):\n    return 0\n"})
    assert selected(answer)["why"] == "tests/test_tax.py names what changed, and pytest doesn't list it"
    assert answer.json("tests.json")["failed"] == 1


@pytest.mark.release
def test_a_test_that_jest_is_told_to_hide_where_it_lists_runs_all(tmp_path: Path) -> None:
    hides = "module.exports = process.argv.includes('--listTests') ? {testPathIgnorePatterns: ['named']} : {};\n"
    package = json.dumps({"name": "shop", "scripts": {"test": "jest"}})
    files = {**SCRIPT, "package.json": package, ".gitignore": "node_modules\n", "jest.config.js": hides}
    answer = run(tmp_path, files, {"cart.js": SCRIPT["cart.js"] + "// more\n"}, node_modules=node_modules())
    assert selected(answer)["why"] == "test/named.test.js names what changed, and jest doesn't list it"
    assert len(ran(answer)) == 3


def test_a_conftest_concerns_what_stands_below_it(tmp_path: Path) -> None:
    files = {**PYTHON, "tests/deep/conftest.py": "", "tests/deep/test_deep.py": "def test_deep():\n    pass\n"}
    answer = run(tmp_path, files, {"tests/deep/conftest.py": "A = 1\n"})
    assert ran(answer) == {"tests/deep/test_deep.py"}


@pytest.mark.parametrize(
    ("change", "packages"),
    [
        ({"cart/cart.go": GO["cart/cart.go"] + "\n// more\n"}, {"cart/cart_test.go", "till/till_test.go"}),
        ({"tax/tax_test.go": GO["tax/tax_test.go"] + "\n// more\n"}, {"tax/tax_test.go"}),
        ({"go.mod": GO["go.mod"] + "// more\n"}, None),
        ({"tax/testdata.txt": "1\n"}, None),
    ],
)
def test_of_go_the_packages_run_that_are_made_of_it(
    tmp_path: Path, change: dict[str, str | None], packages: set[str] | None
) -> None:
    answer = run(tmp_path, GO, change)
    names = {case for case in ("cart", "tax", "till") if packages is None or f"{case}/{case}_test.go" in packages}
    assert answer.json("tests.json")["total"] == len(names)
    if packages is None:
        assert "may concern any package" in selected(answer)["why"]
    else:
        expected = {"what": "go test", "path": ".", "unit": "packages", "chosen": len(names), "of": 3}
        assert selected(answer) == expected


@pytest.mark.release
@pytest.mark.parametrize(
    ("runner", "change", "files"),
    [
        # One imports it by another file, one has its name in its text.
        ("jest", {"cart.js": SCRIPT["cart.js"] + "// more\n"}, {"test/named.test.js", "test/till.test.js"}),
        ("jest", {"jest.config.js": "module.exports = {};\n"}, None),
        ("vitest", {"cart.mjs": MODULES["cart.mjs"] + "// more\n"}, {"test/till.test.mjs"}),
        ("vitest", {"data.json": "{}\n"}, None),
    ],
)
def test_jest_and_vitest_say_which_tests_import_it(
    tmp_path: Path, runner: str, change: dict[str, str | None], files: set[str] | None
) -> None:
    sources = SCRIPT if runner == "jest" else MODULES
    package = json.dumps({"name": "shop", "scripts": {"test": "jest" if runner == "jest" else "vitest run"}})
    answer = run(
        tmp_path, {**sources, "package.json": package, ".gitignore": "node_modules\n"}, change,
        node_modules=node_modules(),
    )  # fmt: skip
    every = {path for path in sources if ".test." in path}
    assert ran(answer) == (every if files is None else files)
    if files is None:
        assert "may concern any test" in selected(answer)["why"]
    else:
        assert (selected(answer)["chosen"], selected(answer)["of"]) == (len(files), len(every))


PLAN = {"code": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}}


@pytest.fixture
def shop(tmp_path: Path) -> GatedRepository:
    repository = GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    repository.tmp.mkdir(parents=True)
    profile = {"tests_pass": True, "tests_min": 1, "tests": "impacted"}
    profiles = {"code_default": profile, "code_in_ci": {**profile, "tests": "impacted_in_ci"}}
    for name, content in {
        **PYTHON,
        "config/adapter-plan.json": PLAN,
        "config/verification.profiles.json": profiles,
        ".gitignore": ".artifacts/\n__pycache__/\n",
    }.items():
        repository.put(name, content)
    repository.sample.commit("the base")
    return repository


def test_the_verdict_says_so_and_statements_about_all_stay_open(shop: GatedRepository) -> None:
    assert shop.gate("start", "T1").code == 0
    shop.claim("file:shop/tax.py", statements=["All tests pass."])
    shop.put("shop/tax.py", PYTHON["shop/tax.py"] + "# more\n")
    done = shop.gate("verify", "T1", "--json")
    checks = {check["id"]: check for check in done.json["checks"]}
    assert checks["code.tests_pass"]["outcome"] == "holds"
    assert checks["code.tests_pass"]["message"] == "1 of 4 test files of pytest (.) ran, by impact"
    assert statement(shop)["outcome"] == "undecided"
    assert "1 of 4 test files of pytest (.) ran, by impact" in statement(shop)["message"]
    # A failure of one that ran is one of all.
    shop.put("shop/tax.py", "def tax(price):\n    return price\n")
    shop.gate("verify", "T1")
    assert statement(shop)["outcome"] == "refuted"


def statement(shop: GatedRepository) -> dict[str, Any]:
    """What the verdict says of the claim's one statement."""
    (found,) = [unit for unit in shop.verdict("T1")["units"]["per_unit"] if unit["id"].startswith("statement:")]
    return dict(found)


@pytest.mark.release
def test_in_ci_all_run_unless_the_profile_says_otherwise_and_a_part_never_serves_for_all(
    shop: GatedRepository,
) -> None:
    shop.put("shop/tax.py", PYTHON["shop/tax.py"] + "# more\n")

    def verify(*arguments: str, **environ: str) -> tuple[int, bool]:
        done = shop.gate("verify", "--json", *arguments, **environ)
        assert done.code == 0, done.output
        tests = shop.published("tests.json", "implicit")
        (call,) = shop.published("run.json", "implicit")["invocations"]
        return tests["total"], call["cached"]

    assert verify() == (1, False)
    assert verify() == (1, True)
    assert verify(CI="true") == (4, False)
    assert verify("--profile", "code_in_ci", CI="true") == (1, False)
    shop.put("config/verification.profiles.json", {"code_default": {"tests_pass": True}})
    shop.sample.commit("all tests")
    shop.put("shop/tax.py", PYTHON["shop/tax.py"] + "# even more\n")
    assert verify() == (4, False)
    shop.put("config/verification.profiles.json", {"code_default": {"tests_pass": True, "tests": "some"}})
    done = shop.gate("verify")
    assert done.code == 2
    assert "impacted_in_ci" in done.output
