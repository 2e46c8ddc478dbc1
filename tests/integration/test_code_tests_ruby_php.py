"""code:tests with real RSpec, Minitest, rake, bundler and PHPUnit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from ruby_php_projects import MINITEST, PHPUNIT, RAKEFILE, RSPEC

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def run(folder: Path, files: Mapping[str, str], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = make_repo(folder, files).run("code:tests", gated=True, **more).json("tests.json")
    return found


def counts(found: dict[str, Any]) -> tuple[str, int, int, int]:
    return found["tool"], found["passed"], found["failed"], found["skipped"]


def failures(found: dict[str, Any]) -> dict[str, tuple[str | None, int | None]]:
    return {each["id"]: (each["path"], each["line"]) for each in found["failures"]}


MORE_SPEC = """
RSpec.describe "more" do
  it("fails") { expect(Shop.total([1])).to eq(2) }
  xit("is skipped") { expect(1).to eq(2) }
  it("is pending") { pending "later"; expect(1).to eq(2) }
  it "has no block"
  it("slow one", slow: true) { expect(1).to eq(2) }
end
"""


def test_rspec_with_pending_skipped_failed_and_unloadable_files(tmp_path: Path) -> None:
    options = {".rspec": f"{RSPEC['.rspec']}--tag ~slow\n--fail-fast\n--dry-run\n"}
    found = run(tmp_path / "a", {**RSPEC, **options, "spec/more_spec.rb": MORE_SPEC})
    assert counts(found) == ("rspec", 2, 1, 3)
    assert failures(found) == {"more fails": ("spec/more_spec.rb", 3)}
    assert "expected: 2" in found["failures"][0]["message"]
    assert found["unexamined"] == []
    found = run(tmp_path / "b", {**RSPEC, "spec/bad_spec.rb": 'require "nothing/there"\nRSpec.describe "x"\n'})
    assert counts(found) == ("rspec", 0, 1, 0)
    assert list(failures(found)) == ["./spec/bad_spec.rb"]


MORE_TEST = """require "test_helper"

class MoreTest < Minitest::Test
  def test_fails
    assert_equal 2, Shop.total([1])
  end

  def test_skipped
    skip "later"
  end
end

class Named
  def self.name(of) = of
end

describe "spec" do
  it "is read too" do
    _(Shop.half(4)).must_equal 2
  end
end
"""


@pytest.mark.parametrize("rakefile", [None, RAKEFILE, RAKEFILE.replace("(:test)", '("unit")')])
def test_minitest_by_itself_and_by_rake(rakefile: str | None, tmp_path: Path) -> None:
    more = {"Rakefile": rakefile} if rakefile else {}
    found = run(tmp_path, {**MINITEST, **more, "test/more_test.rb": MORE_TEST})
    assert counts(found) == ("minitest", 3, 1, 1)
    assert failures(found) == {"MoreTest#test_fails": ("test/more_test.rb", 4)}
    assert "Expected: 2" in found["failures"][0]["message"]
    assert {each["path"]: each["passed"] for each in found["files"]} == {"test/shop_test.rb": 2, "test/more_test.rb": 1}


def test_a_file_that_minitest_cannot_load_is_a_failed_test(tmp_path: Path) -> None:
    found = run(tmp_path, {**MINITEST, "test/bad_test.rb": 'require "test_helper"\nclass BadTest < Nothing\nend\n'})
    assert counts(found) == ("minitest", 2, 1, 0)
    assert "uninitialized constant Nothing" in found["failures"][0]["message"]


def test_a_file_that_ends_the_process_leaves_no_result(tmp_path: Path) -> None:
    for number, text in enumerate(("exit 0\n", "exit! 0\n", "at_exit { exit! 0 }\n")):
        files = {**MINITEST, "test/a_test.rb": f'require "test_helper"\n{text}# Minitest\n'}
        answer = make_repo(tmp_path / str(number), files).run("code:tests", gated=True)
        assert answer.exit_code != 0
        assert "minitest" in answer.stderr


def test_a_bundle_that_is_there_is_used_and_one_that_is_not_is_named(tmp_path: Path) -> None:
    gemfile = 'source "https://rubygems.org"\n\ngem "rspec"\n'
    found = run(tmp_path / "a", {**RSPEC, "Gemfile": gemfile})
    assert counts(found) == ("rspec", 2, 0, 0)
    answer = make_repo(tmp_path / "b", {**RSPEC, "Gemfile": f'{gemfile}gem "no-such-gem-here"\n'}).run("code:tests")
    assert answer.exit_code != 0
    assert "no-such-gem-here" in answer.stderr
    assert "bundle install" in answer.stderr


def test_test_unit_is_not_taken_for_minitest(tmp_path: Path) -> None:
    text = 'require "test/unit"\n\nclass ATest < Test::Unit::TestCase\n  def test_a\n    assert true\n  end\nend\n'
    found = run(tmp_path, {"test/a_test.rb": text})
    assert found["total"] == 0
    assert [each["what"] for each in found["unexamined"]] == ["test-unit"]


MORE_CASE = """<?php

use PHPUnit\\Framework\\TestCase;

final class MoreTest extends TestCase
{
    public function testFails(): void
    {
        $this->assertSame(2, 1);
    }

    public function testSkipped(): void
    {
        $this->markTestSkipped('later');
    }

    public function testIncomplete(): void
    {
        $this->markTestIncomplete('later');
    }

    /** @dataProvider rows */
    public function testRows(int $a, int $b): void
    {
        $this->assertSame($b, $a + 1);
    }

    public static function rows(): array
    {
        return [[1, 2], 'x' => [2, 4]];
    }
}
"""
RISKY = """<?php

final class RiskyTest extends PHPUnit\\Framework\\TestCase
{
    public function testNothing(): void {}
}
"""


def test_phpunit(tmp_path: Path) -> None:
    settings = {"phpunit.xml.dist": PHPUNIT["phpunit.xml.dist"].replace(' stopOnFailure="true"', "")}
    found = run(tmp_path / "a", {**PHPUNIT, **settings, "tests/MoreTest.php": MORE_CASE})
    assert counts(found) == ("phpunit", 3, 2, 2)
    rows = 'MoreTest.testRows with data set "x"'
    places = {"MoreTest.testFails": ("tests/MoreTest.php", 7), rows: ("tests/MoreTest.php", 23)}
    assert failures(found) == places
    # Risky tests pass, unless the settings say otherwise.
    assert counts(run(tmp_path / "b", {**PHPUNIT, "tests/RiskyTest.php": RISKY})) == ("phpunit", 3, 0, 0)
    strict = {"phpunit.xml.dist": PHPUNIT["phpunit.xml.dist"].replace("stopOnFailure", "failOnRisky")}
    assert counts(run(tmp_path / "c", {**PHPUNIT, **strict, "tests/RiskyTest.php": RISKY})) == ("phpunit", 2, 1, 0)


def test_phpunit_without_settings_and_with_a_file_that_does_not_compile(tmp_path: Path) -> None:
    files = {path: text for path, text in PHPUNIT.items() if not path.startswith("phpunit")}
    files["tests/CartTest.php"] = files["tests/CartTest.php"].replace(
        "use Shop\\Cart;\n", "use Shop\\Cart;\n\nrequire_once __DIR__ . '/bootstrap.php';\n"
    )
    assert counts(run(tmp_path / "a", files)) == ("phpunit", 2, 0, 0)
    answer = make_repo(tmp_path / "b", {**files, "tests/BadTest.php": "<?php class BadTest extends PHPUnit\\X {\n"})
    outcome = answer.run("code:tests")
    assert outcome.exit_code != 0
    assert "phpunit left no test result (exit code 255)" in outcome.stderr


def test_a_project_of_composer_has_its_own_phpunit_or_none(tmp_path: Path) -> None:
    composer = {"composer.json": '{"require-dev": {"phpunit/phpunit": "^9"}}\n', ".gitignore": "vendor/\n"}
    repo = make_repo(tmp_path, {**PHPUNIT, **composer})
    found = repo.run("code:tests", gated=True).json("tests.json")
    assert found["total"] == 0
    assert "composer install" in found["unexamined"][0]["why"]
    own = repo.root / "vendor/bin/phpunit"
    own.parent.mkdir(parents=True)
    own.write_text("<?php\n\nrequire '/usr/bin/phpunit';\n")
    assert counts(repo.run("code:tests", gated=True).json("tests.json")) == ("phpunit", 2, 0, 0)
    # One that is part of the subject could report what it likes.
    repo.git("add", "--force", "vendor")
    assert repo.run("code:tests", gated=True).json("tests.json")["total"] == 0


def test_without_ruby_and_php_their_tests_are_unexamined(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("git", "python3", "env"):
        (programs / name).symlink_to(next(p for f in os.get_exec_path() if os.access(p := f"{f}/{name}", os.X_OK)))
    found = run(tmp_path / "a", {**RSPEC, **MINITEST, **PHPUNIT}, PATH=str(programs))
    assert found["total"] == 0
    assert sorted(each["what"] for each in found["unexamined"]) == ["minitest", "phpunit", "rspec"]
