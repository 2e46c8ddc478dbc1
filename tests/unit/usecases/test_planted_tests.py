"""Planted tests are run by real runners: the one that is planted fails, and those beside it go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from release_tests import left_for_a_release

from verigate.integrations.setup.repository_scan import scan_repository
from verigate.usecases.prove.planted_tests import (
    find_file_of_tests,
    plant_failure,
    plant_failures,
    plant_lost_assertion,
    plant_skip,
)

PYTEST = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
UNITTEST = """import unittest


class A(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
"""
NODE = """const test = require('node:test');
const assert = require('node:assert');
test('one', () => {
  assert.equal(1, 1);
});
"""
MINITEST = """require 'minitest/autorun'

class ATest < Minitest::Test
  def test_one
    assert_equal 1, 1
  end
end
"""
CASES = {
    "pytest": ("tests/test_a.py", "def test_one():\n    assert 1 == 1\n", PYTEST),
    "pytest, a class": ("test_a.py", "class TestA:\n    def test_one(self):\n        assert 1 == 1\n", PYTEST),
    "unittest": ("test_a.py", UNITTEST, [sys.executable, "-m", "unittest", "-v"]),
    "unittest, as a script": ("test_a.py", UNITTEST, [sys.executable, "test_a.py"]),
    "node": ("a.test.js", NODE, ["node", "--test", "--test-reporter=tap", "a.test.js"]),
    "minitest": ("test/a_test.rb", MINITEST, ["ruby", "test/a_test.rb", "--verbose"]),
    "bats": ("test/a.bats", '@test "one" {\n  [ 1 -eq 1 ]\n}\n', ["bats", "--tap", "test/a.bats"]),
    "go": (
        "a_test.go",
        'package a\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n\tif 1 != 1 {\n\t\tt.Fail()\n\t}\n}\n',
        ["go", "test", "-v", "./..."],
    ),
}


def run(root: Path, command: list[str]) -> tuple[int, str]:
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("name", CASES)
def test_what_is_planted_fails_and_nothing_else(tmp_path: Path, name: str) -> None:
    path, text, command = CASES[name]
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    (tmp_path / "go.mod").write_text("module a\n\ngo 1.19\n")
    assert run(tmp_path, command)[0] == 0
    planted = plant_failure(scan_repository(tmp_path))
    assert planted is not None
    assert planted[1] == path
    (tmp_path / path).write_bytes(planted[2])
    code, said = run(tmp_path, command)
    assert code != 0, said
    assert planted[0] in said, said
    assert "one" in said.lower()
    again = plant_failure(scan_repository(tmp_path))
    assert again is not None
    assert again[0] != planted[0]


@pytest.mark.parametrize("name", ["pytest", *left_for_a_release("pytest, a class"), "unittest", "node", "go"])
def test_what_is_skipped_is_skipped(tmp_path: Path, name: str) -> None:
    path, text, command = CASES[name]
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    (tmp_path / "go.mod").write_text("module a\n\ngo 1.19\n")
    planted = plant_skip(scan_repository(tmp_path))
    assert planted is not None
    (tmp_path / path).write_bytes(planted[1])
    code, said = run(tmp_path, command)
    assert code == 0, said
    assert "skip" in said.lower(), said


@pytest.mark.parametrize("name", ["pytest", *left_for_a_release("pytest, a class"), "unittest", "node"])
def test_an_assertion_less_still_runs(tmp_path: Path, name: str) -> None:
    path, text, command = CASES[name]
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    planted = plant_lost_assertion(scan_repository(tmp_path))
    assert planted is not None
    assert len(planted[1]) < len(text)
    (tmp_path / path).write_bytes(planted[1])
    assert run(tmp_path, command)[0] == 0


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "src/test/java/ATest.java",
            "class ATest {\n    @Test\n    void one() {\n    }\n}\n",
            "class ATest {\n    @Test\n    public void ",
        ),
        (
            "src/test/kotlin/ATest.kt",
            "class ATest {\n    @Test\n    fun one() {\n    }\n}\n",
            "class ATest {\n    @Test\n    fun ",
        ),
        (
            "tests/ATests.cs",
            "public class ATests {\n    [Fact]\n    public void One() { }\n}\n",
            "public class ATests {\n    [Fact]\n    public void ",
        ),
        (
            "tests/ATest.php",
            "<?php\nclass ATest extends TestCase {\n    public function testOne(): void { }\n}\n",
            "<?php\nclass ATest extends TestCase {\n    public function test_",
        ),
        ("tests/a.rs", "#[test]\nfn one() {}\n", "#[test]\nfn one() {}\n\n#[cfg(test)]\nmod of_"),
        (
            "spec/a_spec.rb",
            "RSpec.describe 'a' do\n  it 'x' do\n  end\nend\n",
            "RSpec.describe 'a' do\n  it 'x' do\n  end\nend\n\nRSpec.describe '",
        ),
    ],
)
def test_where_it_is_put_in_other_languages(tmp_path: Path, path: str, text: str, expected: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    planted = plant_failure(scan_repository(tmp_path))
    assert planted is not None
    assert planted[2].decode().startswith(expected)


def test_the_file_with_the_most_tests_and_no_empty_one(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/__init__.py").touch()
    assert find_file_of_tests(scan_repository(tmp_path)) is None
    (tmp_path / "tests/test_a.py").write_text("def test_one():\n    pass\n")
    (tmp_path / "tests/test_b.py").write_text("def test_one():\n    pass\n\n\ndef test_two():\n    pass\n")
    (tmp_path / "tests/conftest.py").write_text("# long\n" * 100)
    assert find_file_of_tests(scan_repository(tmp_path)) == "tests/test_b.py"
    (tmp_path / "tests/test_a.py").unlink()
    (tmp_path / "tests/test_b.py").unlink()
    assert find_file_of_tests(scan_repository(tmp_path)) == "tests/conftest.py"
    assert plant_failure(scan_repository(tmp_path)) is None
    assert plant_skip(scan_repository(tmp_path)) is None
    assert plant_lost_assertion(scan_repository(tmp_path)) is None


def test_a_failing_test_is_planted_in_each_file_of_tests_and_the_rest_is_counted(tmp_path: Path) -> None:
    for number in range(52):
        (tmp_path / f"test_{number}.py").write_text("def test_one():\n    assert 1 == 1\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/helpers.py").write_text("def test_data():\n    return []\n")
    made, more = plant_failures(scan_repository(tmp_path))
    assert (len(made), more) == (50, 2)
    assert len({name for name, _, _ in made}) == 50
    assert "tests/helpers.py" not in {path for _, path, _ in made}, "no runner collects it"
    for name, path, text in made:
        (tmp_path / path).write_bytes(text)
        assert f"def test_{name}()" in text.decode()
    code, said = run(tmp_path, PYTEST)
    assert code != 0
    assert "50 failed, 52 passed" in said
