"""code:sensitivity with real runners: mutants that base's tests notice, and whether the subject's tests do."""

from __future__ import annotations

import ast
import hashlib
import json
from types import CodeType
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from java_projects import MAVEN, SUM, TEST
from npm_tools import node_modules, runners
from release_tests import left_for_a_release, some_always

from verigate.sdk.weakening_ids import digest_form, make_weakening_id

if TYPE_CHECKING:
    from pathlib import Path

Files = dict[str, str]
TOP = {"pyproject.toml": "[tool.pytest.ini_options]\n"}
SHOP = (
    "def total(prices, rate=2):\n    found = 0\n    for price in prices:\n        if price < 0:\n"
    "            raise ValueError('negative')\n        found += price\n    return found * rate\n"
)
TESTS = (
    "import pytest\nimport shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 6\n\n\n"
    "def test_negative():\n    with pytest.raises(ValueError):\n        shop.total([-1])\n"
)


def measure(folder: Path, base: Files, head: dict[str, str | None], modules: str = "", **config: Any) -> dict[str, Any]:
    """Run the cells and then few mutants; the machine may be busy, so that a test has more time than usual."""
    repo = make_repo(folder, base)
    if modules:
        (repo.root / "node_modules").symlink_to(modules)
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    cells = repo.run("code:counterfactual", gated=True, config={"runs": 1})
    found: dict[str, Any] = repo.run(
        "code:sensitivity", gated=True, given=cells, config={"mutants_s": 300, "mutants": 5, **config}
    ).json("sensitivity.json")
    return found


def lost(found: dict[str, Any]) -> dict[str, list[str]]:
    return {each["test"]: each["mutants"] for each in found["lost_power"]}


def test_a_test_that_is_rewritten_and_notices_the_same_holds_its_power(tmp_path: Path) -> None:
    head = TESTS.replace("assert shop.total([1, 2]) == 6", "found = shop.total([1, 2])\n    assert found == 6")
    found = measure(tmp_path, {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}, {"test_shop.py": head}, mutants=4)
    assert lost(found) == {}
    assert [(each["path"], each["test"]) for each in found["held"]] == [("test_shop.py", "test_total")]
    assert all(each["fate"] == "noticed" and each["head"] for each in found["mutants"])
    assert found["asked"] == 1


@pytest.mark.release
def test_a_test_that_was_blinded_before_the_code_breaks_has_lost_power(tmp_path: Path) -> None:
    head = TESTS.replace("== 6", ">= 2")
    found = measure(tmp_path, {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}, {"test_shop.py": head}, mutants=20)
    assert "shop.py:1: 2 becomes 3" in lost(found)["test_total"]
    assert found["held"] == []
    before, after = (
        "def test_total():\n    assert shop.total([1, 2]) == 6",
        "def test_total():\n    assert shop.total([1, 2]) >= 2",
    )
    made = make_weakening_id("lost_power", "test_shop.py", "test_total", digest_form(before), digest_form(after))
    assert found["lost_power"][0]["id"] == made


@pytest.mark.release
def test_power_of_a_test_that_is_gone_is_lost_unless_another_file_has_it(tmp_path: Path) -> None:
    alone = TESTS.partition("\n\n\ndef test_negative")[0] + "\n"
    base = {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}
    found = measure(tmp_path / "gone", base, {"test_shop.py": alone})
    assert list(lost(found)) == ["test_negative"]
    more = (
        "import pytest\nimport shop\n\n\n"
        "def test_it_refuses():\n    with pytest.raises(ValueError):\n        shop.total([-2])\n"
    )
    found = measure(tmp_path / "there", {**base, "test_more.py": more}, {"test_shop.py": alone})
    assert lost(found) == {}


@pytest.mark.release
def test_lines_that_the_change_changes_are_not_mutated(tmp_path: Path) -> None:
    head = {"shop.py": SHOP.replace("found * rate", "rate * found"), "test_shop.py": TESTS.replace("== 6", "> 5")}
    found = measure(tmp_path, {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}, head)
    assert found["mutants"]
    assert 7 not in {each["line"] for each in found["mutants"]}


READS = {
    "its text": "assert hashlib.sha256(pathlib.Path('shop.py').read_bytes()).hexdigest() == {text!r}",
    "its syntax tree": "assert ast.dump(ast.parse(pathlib.Path('shop.py').read_text())) == {tree!r}",
    "its bytecode": "assert (shop.total.__code__.co_code, shop.total.__code__.co_consts) == {code!r}",
    "how often it was written": "assert pathlib.Path('shop.py').stat().st_mtime < time.time() + 20",
}


@pytest.mark.release
@pytest.mark.parametrize("what", some_always(READS, str))
def test_a_test_that_reads_the_source_notices_nothing(tmp_path: Path, what: str) -> None:
    code = next(each for each in compile(SHOP, "", "exec").co_consts if isinstance(each, CodeType))
    asked = READS[what].format(
        text=hashlib.sha256(SHOP.encode()).hexdigest(),
        tree=ast.dump(ast.parse(SHOP)),
        code=(code.co_code, code.co_consts),
    )
    reads = (
        "import ast, hashlib, pathlib, time\nimport shop\n\n\n"
        f"def test_total():\n    assert shop.total([1, 2]) >= 2\n    {asked}\n"
    )
    found = measure(tmp_path, {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}, {"test_shop.py": reads})
    assert "test_total" in lost(found)
    assert found["held"] == []


BILL = (
    "def split(cents, people):\n    if people < 1:\n        raise ValueError('nobody')\n"
    "    share, rest = divmod(cents, people)\n    return [share + (i < rest) for i in range(people)]\n\n\n"
    "def show(cents):\n    return f'{cents // 100}.{cents % 100:02d}'\n"
)
BILL_TESTS = (
    "import contextlib\nimport pytest\nfrom bill import show, split\n\n\n"
    "def test_nobody():\n    with pytest.raises(ValueError, match='nobody'):\n        split(100, 0)\n\n\n"
    "def test_split():\n    assert split(100, 3) == [34, 33, 33]\n\n\n"
    "def test_show():\n    assert show(1250) == '12.50'\n\n\n"
    "def test_show_little():\n    assert show(5) == '0.05'\n"
)
WIDER = {
    "an exception may be missing": ("pytest.raises(ValueError, match='nobody')", "contextlib.suppress(ValueError)"),
    "the begin is enough": ("show(1250) == '12.50'", "show(1250).startswith('12.5')"),
    "another value will do": ("show(1250) == '12.50'", "show(1250) in ('12.50', '12.5')"),
    "any order will do": ("split(100, 3) == [34, 33, 33]", "sorted(split(100, 3)) == [33, 33, 34]"),
}


@pytest.mark.parametrize("what", WIDER)
def test_only_what_a_wider_form_accepts_as_well_shows_that_it_notices_less(tmp_path: Path, what: str) -> None:
    base = {**TOP, "bill.py": BILL, "test_bill.py": BILL_TESTS}
    found = measure(tmp_path, base, {"test_bill.py": BILL_TESTS.replace(*WIDER[what])}, mutants=20)
    assert len(lost(found)) == 1, found
    assert found["held"] == []


def test_an_expected_failure_that_is_written_in_another_way_is_held(tmp_path: Path) -> None:
    head = BILL_TESTS.replace(
        "    with pytest.raises(ValueError, match='nobody'):\n        split(100, 0)\n",
        "    with pytest.raises(ValueError) as caught:\n        split(100, 0)\n"
        "    assert str(caught.value) == 'nobody'\n",
    )
    found = measure(tmp_path, {**TOP, "bill.py": BILL, "test_bill.py": BILL_TESTS}, {"test_bill.py": head}, mutants=20)
    assert lost(found) == {}
    assert [each["test"] for each in found["held"]] == ["test_nobody"]
    assert "not raised" in {each["operator"] for each in found["mutants"]}


def test_nothing_runs_where_the_cells_leave_nothing_open(tmp_path: Path) -> None:
    head = {"test_shop.py": TESTS + "\n\ndef test_none():\n    assert shop.total([]) == 0\n"}
    found = measure(tmp_path, {**TOP, "shop.py": SHOP, "test_shop.py": TESTS}, head)
    assert (found["asked"], found["mutants"], found["lost_power"], found["held"]) == (0, [], [], [])


def test_without_the_cells_it_says_what_to_run(tmp_path: Path) -> None:
    answer = make_repo(tmp_path, {**TOP, "test_shop.py": "def test_a(): pass\n"}).run("code:sensitivity", gated=True)
    assert answer.exit_code == 1
    assert "counterfactual.json is missing" in answer.stderr


GO = {
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "shop.go": "package shop\n\nfunc Total(a, b int) int {\n\treturn a*b + 1\n}\n",
}
GO_TEST = (
    'package shop\n\nimport "testing"\n\n'
    'func TestTotal(t *testing.T) {\n\tif Total(2, 3) @ {\n\t\tt.Fatal("wrong")\n\t}\n}\n'
)
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    ".gitignore": "target\n",
}
RUST_SOURCE = (
    "pub fn total(a: i32, b: i32) -> i32 {\n    a * b + 1\n}\n\n#[cfg(test)]\nmod tests {\n    use super::total;\n\n"
    "    #[test]\n    fn adds() {\n        assert!(total(2, 3) @);\n    }\n}\n"
)
SCRIPT = "export function total(a, b) {\n  return a * b + 1;\n}\n"
SCRIPT_TEST = (
    "import assert from 'node:assert';\nimport {{ test }} from '{}';\nimport {{ total }} from './shop.js';\n\n"
    "test('adds', () => {{\n  assert.ok(total(2, 3) @);\n}});\n"
)
TAPE_TEST = (
    "const test = require('tape');\nconst shop = require('./shop.js');\n\n"
    "test('adds', (t) => {\n  t.ok(shop(2, 3) @);\n  t.end();\n});\n"
)
SCRIPTS = {"node": "node --test", "vitest": "vitest run", "tape": "tape '*.test.js'"}
MODULES = {"vitest": node_modules, "tape": runners}
OTHERS: dict[str, tuple[Files, str, str]] = {
    "go": (GO, "shop_test.go", GO_TEST),
    "rust": (RUST, "src/lib.rs", RUST_SOURCE),
    "node": ({"shop.js": SCRIPT}, "shop.test.js", SCRIPT_TEST.format("node:test")),
    "vitest": ({"shop.js": SCRIPT}, "shop.test.js", SCRIPT_TEST.format("vitest")),
    # The function has no name that a test could say: the lines that run are known all the same.
    "tape": ({"shop.js": "module.exports = (a, b) => a * b + 1;\n"}, "shop.test.js", TAPE_TEST),
}


@pytest.mark.release
@pytest.mark.parametrize("runner", ["go", "rust", "node", *left_for_a_release("vitest", "tape")])
def test_other_languages(tmp_path: Path, runner: str) -> None:
    files, path, test = OTHERS[runner]
    exact, wide = ("!= 7", "< 1") if runner == "go" else ("== 7", "> 0")
    if path.endswith(".js"):
        package = {"scripts": {"test": SCRIPTS[runner]}} | ({} if runner == "tape" else {"type": "module"})
        files = {**files, "package.json": json.dumps(package)}
        files |= {".gitignore": "node_modules\n"}
    modules = str(MODULES[runner]()) if runner in MODULES else ""
    found = measure(tmp_path, {**files, path: test.replace("@", exact)}, {path: test.replace("@", wide)}, modules)
    assert found["mutants"], found
    assert found["lost_power"] or found["unexamined"], found


@pytest.mark.release
def test_that_there_is_nothing_to_mutate_is_said(tmp_path: Path) -> None:
    test = "import shop\n\n\ndef test_shop():\n    assert shop.Shop() @\n"
    base, head = ({"test_shop.py": test.replace("@", each)} for each in ("!= 1", ""))
    found = measure(tmp_path, {"shop.py": "class Shop:\n    pass\n", **base}, head)
    (one,) = found["unexamined"]
    assert one["why"].startswith("no code was found to mutate")


@pytest.mark.release
def test_a_test_of_java_that_was_blinded_has_lost_power(tmp_path: Path) -> None:
    path = "src/test/java/demo/SumTest.java"
    code = SUM.replace("return a + b;", "if (a > 9) {\n            return 9;\n        }\n        return a + b;")
    more = "\n    @Test\n    public void most() {\n        assertEquals(9, Sum.of(10, 2));\n    }\n"
    base = {**MAVEN, "src/main/java/demo/Sum.java": code, path: TEST % more}
    blind = (TEST % more).replace("assertEquals(3, Sum.of(1, 2))", "assertEquals(true, Sum.of(1, 2) > -9)")
    found = measure(tmp_path, base, {path: blind}, mutants=3)
    assert list(lost(found)) == ["adds"]
    assert all(mutant.startswith("src/main/java/demo/Sum.java:") for mutant in lost(found)["adds"])
