"""Whole runs of the gate on projects of bats, C, RSpec, Minitest and PHPUnit: what is stopped, and what passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import declared_projects as dp
import gated_repository as gr
import pytest
import ruby_php_projects as rp
from release_tests import left_for_a_release
from sample_repository import SampleRepository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ORDER = ["code:diff", "code:integrity", "code:tests", "code:counterfactual"]
PLAN = {"code": {"order": ORDER, "required": ORDER, "optional": []}}
PROFILES = {"code_default": {"integrity": True, "tests_pass": True, "weakening": "disclose"}}


class Story(NamedTuple):
    """A project, its code in two forms, and the forms of its test."""

    files: Mapping[str, str]
    config: Mapping[str, Any]
    code: tuple[str, str]
    test: tuple[str, str]
    weak: str
    skipped: str
    deleted: str
    renamed: str


STORIES = {
    "bats": Story(
        dp.BATS,
        dp.BATS_CONFIG,
        ("sum.sh", dp.SHELL.replace("$1 + $2", "$1 + $2 + 1")),
        ("test/sum.bats", dp.TESTS),
        dp.TESTS.replace('[ "$output" -eq 3 ]', '[ "$output" -gt 2 ]'),
        dp.TESTS.replace('@test "adds two" {\n', '@test "adds two" {\n  skip\n'),
        "".join(dp.TESTS.partition('@test "halves"')[1:]),
        dp.TESTS.replace("adds two", "sums two"),
    ),
    "c": Story(
        dp.C_PROJECT,
        dp.C_CONFIG,
        ("sum.c", dp.SUM_C.replace("a + b", "a + b + 1")),
        ("tests/sum_test.c", dp.CHECKS),
        dp.CHECKS.replace("sum(1, 2) == 3", "sum(1, 2) > 2"),
        dp.CHECKS.replace('ok(sum(1, 2) == 3, "adds two")', 'skip("adds two")'),
        dp.CHECKS.replace('  ok(sum(1, 2) == 3, "adds two");\n', ""),
        dp.CHECKS.replace("adds two", "sums two"),
    ),
    "rspec": Story(
        rp.RSPEC,
        {},
        ("lib/shop.rb", rp.SHOP.replace("prices.sum", "prices.sum + 1")),
        ("spec/shop_spec.rb", rp.SPEC),
        rp.SPEC.replace("to eq(3)", "to be_truthy"),
        rp.SPEC.replace('it "adds"', 'xit "adds"'),
        rp.SPEC.replace('  it "adds" do\n    expect(Shop.total([1, 2])).to eq(3)\n  end\n\n', ""),
        rp.SPEC.replace('it "adds"', 'it "sums up"'),
    ),
    "minitest": Story(
        {**rp.MINITEST, "Rakefile": rp.RAKEFILE},
        {},
        ("lib/shop.rb", rp.SHOP.replace("prices.sum", "prices.sum + 1")),
        ("test/shop_test.rb", rp.TEST),
        rp.TEST.replace("assert_equal 3,", "assert"),
        rp.TEST.replace("def test_adds\n", "def test_adds\n    skip\n"),
        rp.TEST.replace("  def test_adds\n    assert_equal 3, Shop.total([1, 2])\n  end\n\n", ""),
        rp.TEST.replace("test_adds", "test_sums_up"),
    ),
    "phpunit": Story(
        rp.PHPUNIT,
        {},
        ("src/Cart.php", rp.SHOP_PHP.replace("array_sum($prices)", "array_sum($prices) + 1")),
        ("tests/CartTest.php", rp.CASE),
        rp.CASE.replace("assertSame(3, Cart", "assertNotEmpty(Cart"),
        rp.CASE.replace(
            "        $this->assertSame(3", "        $this->markTestSkipped();\n        $this->assertSame(3"
        ),
        rp.CASE.replace(
            "    public function testAdds(): void\n    {\n        $this->assertSame(3, Cart::total([1, 2]));\n"
            "    }\n\n",
            "",
        ),
        rp.CASE.replace("testAdds", "testSumsUp"),
    ),
}
ALL = pytest.mark.parametrize("name", sorted(STORIES))


def verify(folder: Path, story: Story, before: Mapping[str, str], after: Mapping[str, str | None]) -> Any:
    found = gr.GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    found.tmp.mkdir(parents=True)
    policy = {"config/adapter-plan.json": PLAN, "config/verification.profiles.json": PROFILES}
    policy["config/adapters.json"] = {"code": {"runs": 1, **story.config}}
    for path, content in {**policy, **story.files, **before}.items():
        found.put(path, content)
    found.sample.commit("the base")
    for path, text in after.items():
        if text is None:
            (found.sample.path / path).unlink()
        else:
            found.put(path, text)
    found.sample.git("add", "--all")
    found.sample.git("commit", "--quiet", "--message", "Work on it")
    return found.gate("verify", "--ref", "HEAD", "--quiet", "--json").json


def weakened(verdict: Any) -> dict[str, str]:
    listed = verdict.get("weakenings", {"listed": []})["listed"]
    return {each["kind"]: each["path"] for each in listed if each["accounted"] is None}


@ALL
def test_a_weakened_test_beside_broken_code_is_stopped(name: str, tmp_path: Path) -> None:
    story = STORIES[name]
    assert story.weak != story.test[1]
    verdict = verify(tmp_path, story, {}, dict([story.code, (story.test[0], story.weak)]))
    assert verdict["status"] == "fail"
    assert weakened(verdict)["loosened"] == story.test[0]


@pytest.mark.release
@ALL
@pytest.mark.parametrize("form", ["skipped", *left_for_a_release("deleted", "gone")])
def test_a_test_that_no_longer_runs_is_stopped(name: str, form: str, tmp_path: Path) -> None:
    story = STORIES[name]
    text = {"skipped": story.skipped, "deleted": story.deleted, "gone": None}[form]
    assert text != story.test[1]
    verdict = verify(tmp_path, story, {}, dict([story.code, (story.test[0], text)]))
    # Without any test bats leaves no report.
    assert verdict["status"] == ("error" if (name, form) == ("bats", "gone") else "fail")
    assert weakened(verdict)["lost"] == story.test[0]


@pytest.mark.release
@ALL
def test_an_honest_rename_passes_and_so_does_a_mend_with_its_test(name: str, tmp_path: Path) -> None:
    story = STORIES[name]
    assert story.renamed != story.test[1]
    verdict = verify(tmp_path / "renamed", story, {}, {story.test[0]: story.renamed})
    assert (verdict["status"], weakened(verdict)) == ("pass", {})
    before = dict([story.code, (story.test[0], story.weak)])
    after = {story.code[0]: story.files[story.code[0]], story.test[0]: story.test[1]}
    verdict = verify(tmp_path / "mended", story, before, after)
    assert (verdict["status"], weakened(verdict)) == ("pass", {})
