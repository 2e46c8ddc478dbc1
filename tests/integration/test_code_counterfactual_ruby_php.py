"""code:counterfactual with real RSpec, Minitest and PHPUnit: the cells of tests of Ruby and PHP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from ruby_php_projects import CASE, MINITEST, PHPUNIT, RAKEFILE, RSPEC, SHOP, SHOP_PHP, SPEC, TEST

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def compare(folder: Path, base: Mapping[str, str], head: Mapping[str, str | None]) -> dict[str, Any]:
    """Run the cells of a change once; returns the tests by name, and checks that each run has its failure."""
    repo = make_repo(folder, base)
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert {entry["outcome"] for entry in found["control"]} == {"F"}, found
    assert found["unexamined"] == []
    assert repo.git("status", "--porcelain", "--ignored").count(b"\n") == len(head)
    return {test["test"]: test for test in found["tests"]}


def cells(found: dict[str, Any]) -> dict[str, str]:
    return {name: "".join(test["cells"][cell] for cell in ("BB", "HB", "BH", "HH")) for name, test in found.items()}


BROKEN = SHOP.replace("prices.sum", "prices.sum + 1")
BROKEN_PHP = SHOP_PHP.replace("array_sum($prices)", "array_sum($prices) + 1")
PROJECTS: dict[str, tuple[dict[str, str], str, str, str, str]] = {
    "rspec": (RSPEC, "lib/shop.rb", "spec/shop_spec.rb", "Shop .total adds", "Shop .total with two halves"),
    "minitest": (MINITEST, "lib/shop.rb", "test/shop_test.rb", "ShopTest test_adds", "ShopTest test_halves"),
    "phpunit": (PHPUNIT, "src/Cart.php", "tests/CartTest.php", "testAdds", "testHalves"),
}
CODE = {"rspec": BROKEN, "minitest": BROKEN, "phpunit": BROKEN_PHP}
WEAK = {
    "rspec": SPEC.replace("to eq(3)", "to be > 2"),
    "minitest": TEST.replace("assert_equal 3, Shop.total([1, 2])", "assert_operator Shop.total([1, 2]), :>, 2"),
    "phpunit": CASE.replace("assertSame(3, Cart::total([1, 2]))", "assertGreaterThan(2, Cart::total([1, 2]))"),
}
SKIPPED = {
    "rspec": SPEC.replace('it "adds"', 'xit "adds"'),
    "minitest": TEST.replace("def test_adds\n", "def test_adds\n    skip\n"),
    "phpunit": CASE.replace("$this->assertSame(3", "$this->markTestSkipped(); $this->assertSame(3"),
}
DELETED = {
    "rspec": SPEC.replace('  it "adds" do\n    expect(Shop.total([1, 2])).to eq(3)\n  end\n\n', ""),
    "minitest": TEST.replace("  def test_adds\n    assert_equal 3, Shop.total([1, 2])\n  end\n\n", ""),
    "phpunit": CASE.replace(
        "    public function testAdds(): void\n    {\n        $this->assertSame(3, Cart::total([1, 2]));\n    }\n\n", ""
    ),
}
RENAMED = {
    "rspec": (SPEC.replace('it "adds"', 'it "sums up"'), "Shop .total sums up"),
    "minitest": (TEST.replace("test_adds", "test_sums_up"), "ShopTest test_sums_up"),
    "phpunit": (CASE.replace("testAdds", "testSumsUp"), "testSumsUp"),
}
ALL = pytest.mark.parametrize("runner", sorted(PROJECTS))


@ALL
def test_a_weakened_test_beside_broken_code_is_loosened(runner: str, tmp_path: Path) -> None:
    project, code, test, name, other = PROJECTS[runner]
    found = compare(tmp_path, project, {code: CODE[runner], test: WEAK[runner]})
    assert cells(found) == {name: "PFPP", other: "PPPP"}
    assert found[name]["class"] == "loosened"
    assert found[name]["path"] == test


def test_a_project_without_options_of_rspec_is_compared(tmp_path: Path) -> None:
    base = {path: text for path, text in RSPEC.items() if path != ".rspec"}
    test = "spec/shop_spec.rb"
    head = {"lib/shop.rb": BROKEN, test: f'require "spec_helper"\n{WEAK["rspec"]}'}
    found = compare(tmp_path, base | {test: f'require "spec_helper"\n{SPEC}'}, head)
    assert found["Shop .total adds"]["class"] == "loosened"


@ALL
@pytest.mark.parametrize("forms", [SKIPPED, DELETED], ids=["skipped", "deleted"])
def test_a_test_that_is_skipped_or_deleted_is_lost(runner: str, forms: dict[str, str], tmp_path: Path) -> None:
    project, code, test, name, other = PROJECTS[runner]
    assert forms[runner] != project[test]
    found = compare(tmp_path, project, {code: CODE[runner], test: forms[runner]})
    assert cells(found) == {name: "PFNN", other: "PPPP"}
    assert (found[name]["class"], found[name]["weakens"]) == ("lost", "yes")


@ALL
def test_a_file_that_is_deleted_loses_its_tests(runner: str, tmp_path: Path) -> None:
    project, code, test, name, other = PROJECTS[runner]
    found = compare(tmp_path, project, {code: CODE[runner], test: None})
    assert cells(found) == {name: "PFNN", other: "PPNN"}


@ALL
def test_a_test_that_is_renamed_is_the_same_test(runner: str, tmp_path: Path) -> None:
    project, _, test, name, other = PROJECTS[runner]
    text, new = RENAMED[runner]
    found = compare(tmp_path, project, {test: text})
    assert cells(found) == {new: "PPPP", other: "PPPP"}
    assert found[new]["was"] == {"path": test, "test": name}


@ALL
def test_a_mend_with_its_test_is_proven(runner: str, tmp_path: Path) -> None:
    project, code, test, name, other = PROJECTS[runner]
    base = {**project, code: CODE[runner], test: DELETED[runner]}
    found = compare(tmp_path, base, {code: project[code], test: project[test]})
    assert {each: found[each]["class"] for each in found} == {name: "proven", other: "kept"}


@pytest.mark.release
def test_a_file_that_cannot_be_loaded_breaks_alone(tmp_path: Path) -> None:
    other = {
        "rspec": ("spec/new_spec.rb", 'RSpec.describe(Other) { it("is") { expect(Other).to be } }\n'),
        "minitest": (
            "test/new_test.rb",
            TEST.partition("  def")[0].replace("class ShopTest", "Other\n\nclass NewTest")
            + "  def test_is\n    assert Other\n  end\nend\n",
        ),
        "phpunit": (
            "tests/NewTest.php",
            "<?php\n\nfinal class NewTest extends Other\n{\n    public function testIs(): void {}\n}\n",
        ),
    }
    classes = {"rspec": "class Other; end\n", "minitest": "class Other; end\n"}
    classes["phpunit"] = (
        "abstract class Other extends \\PHPUnit\\Framework\\TestCase {}\nclass_alias(Other::class, 'Other');\n"
    )
    for runner, (project, code, test, name, kept) in PROJECTS.items():
        path, text = other[runner]
        head = {code: project[code] + classes[runner], test: WEAK[runner], path: text}
        found = compare(tmp_path / runner, project, head)
        found = {each: entry for each, entry in found.items() if each in {name, kept}} | {
            "new": next(entry for entry in found.values() if entry["path"] == path)
        }
        assert cells(found) == {name: "PPPP", kept: "PPPP", "new": "NNXP"}


@pytest.mark.release
def test_tags_groups_focus_and_rows(tmp_path: Path) -> None:
    options = {
        ".rspec": f"{RSPEC['.rspec']}--tag fast\n",
        "spec/shop_spec.rb": SPEC.replace(" do\n", ", fast: true do\n", 1),
    }
    weak = WEAK["rspec"].replace(" do\n", ", fast: true do\n", 1)
    found = compare(tmp_path / "a", {**RSPEC, **options}, {"lib/shop.rb": BROKEN, "spec/shop_spec.rb": weak})
    assert cells(found)["Shop .total adds"] == "PFPP"
    focus = {
        "spec/spec_helper.rb": (
            RSPEC["spec/spec_helper.rb"] + "\nRSpec.configure { |c| c.filter_run_when_matching :focus }\n"
        )
    }
    head = {"spec/shop_spec.rb": SPEC.replace('it "halves"', 'fit "halves"')}
    found = compare(tmp_path / "b", {**RSPEC, **focus}, head)
    assert cells(found) == {"Shop .total adds": "PPNN", "Shop .total with two halves": "PPPP"}
    groups = PHPUNIT["phpunit.xml.dist"].replace(
        "</phpunit>", "<groups><include><group>fast</group></include></groups></phpunit>"
    )
    tagged = CASE.replace("final class", "/** @group fast */\nfinal class")
    head = {
        "src/Cart.php": BROKEN_PHP,
        "tests/CartTest.php": WEAK["phpunit"].replace("final class", "/** @group fast */\nfinal class"),
    }
    found = compare(tmp_path / "c", {**PHPUNIT, "phpunit.xml.dist": groups, "tests/CartTest.php": tagged}, head)
    assert cells(found) == {"testAdds": "PFPP", "testHalves": "PPPP"}
    rows = CASE.replace(
        "public function testHalves(): void",
        "/** @dataProvider rows */\n    public function testHalves(int $n = 4): void",
    ).replace("half(4)", "half($n)")
    rows = (
        rows[: rows.rstrip().rindex("}")]
        + "\n    public static function rows(): array\n    {\n        return [[4], [5]];\n    }\n}\n"
    )
    head = {"src/Cart.php": SHOP_PHP.replace("intdiv($number, 2)", "$number === 5 ? 9 : 2")}
    head["tests/CartTest.php"] = rows.replace("[4], [5]", "[4]")
    found = compare(tmp_path / "d", {**PHPUNIT, "tests/CartTest.php": rows}, head)
    assert cells(found)["testHalves"] == "PFPP"


ENDING = (
    "\nregister_shutdown_function(function () {\n    foreach ($_SERVER['argv'] as $at => $word) {\n"
    "        if ($word === '--log-junit') {\n            $file = $_SERVER['argv'][$at + 1];\n"
    "            $text = preg_replace('/<failure.*?<.failure>/s', '', file_get_contents($file));\n"
    "            file_put_contents($file, preg_replace('/failures=.[0-9]+./', 'failures=\"0\"', $text));\n"
    "        }\n    }\n});\n"
)
LYING = {
    "rspec": (
        "spec/spec_helper.rb",
        "RSpec.configure { |c| c.around { |e| } }\nRSpec.configure { |c| c.dry_run = true }\n",
    ),
    "minitest": (
        "test/test_helper.rb",
        "class Minitest::Test\n  def run\n    Minitest::Result.from(self)\n  end\nend\n",
    ),
    "phpunit": ("tests/bootstrap.php", ENDING),
}


@pytest.mark.release
@ALL
def test_support_that_makes_every_test_pass_makes_the_one_pass_that_must_fail(runner: str, tmp_path: Path) -> None:
    project, code, _, *_ = PROJECTS[runner]
    path, text = LYING[runner]
    repo = make_repo(tmp_path, project)
    repo.write({code: CODE[runner], path: project[path] + text})
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    outcomes = {entry["cell"]: entry["outcome"] for entry in found["control"]}
    assert outcomes["BB"] == "F"
    assert outcomes["HH"] != "F"


def test_what_a_task_of_rake_adds_to_the_load_path_is_there(tmp_path: Path) -> None:
    project = {**MINITEST, "Rakefile": RAKEFILE.replace('libs << "test"', "libs += %w[test more]")}
    project["test/test_helper.rb"] = 'require "extra"\n' + project["test/test_helper.rb"]
    project["more/extra.rb"] = "EXTRA = 1\n"
    found = compare(tmp_path, project, {"lib/shop.rb": BROKEN, "test/shop_test.rb": WEAK["minitest"]})
    assert cells(found)["ShopTest test_adds"] == "PFPP"
