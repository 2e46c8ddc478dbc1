"""The text of a test of Ruby, PHP or C# that must fail, in the words of a test file next to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template

_RSPEC = Template(
    '${imported}RSpec.describe "$word $tail"$tags do\n  it "$word" do\n    $word = [$first, $second]\n'
    "    expect($word.sum).to eq($wrong)\n  end\nend\n"
)
_MINITEST = Template(
    "${imported}class $title < Minitest::Test\n  def test_$word\n    $word = [$first, $second]\n"
    "    assert_equal $wrong, $word.sum\n  end\nend\n"
)
_PHPUNIT = Template(
    "<?php\n\n${namespace}use PHPUnit\\Framework\\TestCase;\n\n${groups}final class $title extends TestCase\n{\n"
    "    public function test${name}(): void\n    {\n        $$$word = [$first, $second];\n"
    "        $$this->assertSame($wrong, array_sum($$$word));\n    }\n}\n"
)
_CSHARP = Template(
    "using $imported;\n\n${start}${of_class}public class $title\n{\n    [$mark]\n    public void $name()\n    {\n"
    "        var $word = $first + $second;\n        $asserted;\n    }\n}\n$end"
)
_OF_CSHARP: Mapping[str, tuple[str, str, str]] = {
    # Versions 3 and 4 of NUnit have no other way to compare in common.
    "NUnit.Framework": ("[TestFixture]\n", "Test", "Assert.That($word, Is.EqualTo($wrong))"),
    "Microsoft.VisualStudio.TestTools.UnitTesting": ("[TestClass]\n", "TestMethod", "Assert.AreEqual($wrong, $word)"),
    "Xunit": ("", "Fact", "Assert.Equal($wrong, $word)"),
}
"""For each framework: what marks a class and a test, and what compares."""

_REQUIRE = re.compile(r"^require(?:_relative)?\b[ (]+['\"][^'\"\n#]+['\"]\)?[ \t]*$", re.MULTILINE)
_FOCUS = re.compile(
    r"^\s*f(?:it|describe|context|specify|example|feature|scenario)\b|[\s,(]:focus\b|\bfocus:\s*true", re.MULTILINE
)
_NAMESPACE = re.compile(r"^\s*namespace\s+[\w\\]+\s*;", re.MULTILINE)
_RUBY_NAME = re.compile(r"^(?P<start>(?:test|spec|tc)_)?.*?(?P<end>_(?:test|tests|spec))?\.rb$")


def is_focused(text: str) -> bool:
    """Whether a file of RSpec marks examples to run while the others don't."""
    return bool(_FOCUS.search(text))


def name_ruby_file(like: str, name: str) -> str:
    """Name a file as the one next to it: patterns of names choose what is run."""
    found = _RUBY_NAME.match(like)
    start, end = (found["start"] or "", found["end"] or "") if found else ("", "")
    return f"{start}{name}{end}.rb" if start or end else f"{name}_test.rb"


def write_ruby(runner: str, neighbour: str, tags: list[str], numbers: Mapping[str, int | str]) -> str:
    """Write a test that fails, with what its neighbour requires; ``tags`` are those without which it wouldn't run."""
    imported = "".join(f"{line}\n" for line in _REQUIRE.findall(neighbour))
    template = _RSPEC if runner == "rspec" else _MINITEST
    title = f"{str(numbers['word']).title()}{str(numbers['tail']).title()}Test"
    written = "".join(f", {tag}" for tag in tags)
    return template.substitute(numbers, imported=f"{imported}\n" if imported else "", title=title, tags=written)


def name_php_class(word: str, tail: str) -> str:
    """Name a class, and the file that holds it."""
    return f"{word.title()}{tail.title()}Test"


def write_php(neighbour: str, groups: list[str], numbers: Mapping[str, int | str]) -> str:
    """Write a class with a test that fails, in the namespace of its neighbour and in ``groups``."""
    word, tail = str(numbers["word"]), str(numbers["tail"])
    namespace = _NAMESPACE.search(neighbour)
    lines = "".join(f" * @group {group}\n" for group in groups)
    return _PHPUNIT.substitute(
        numbers,
        namespace=f"{namespace[0].strip()}\n\n" if namespace else "",
        groups=f"/**\n{lines} */\n" if groups else "",
        title=name_php_class(word, tail),
        name=word.title(),
    )


def name_csharp_class(word: str, tail: str) -> str:
    """Name a class of tests, and the file that holds it."""
    return f"{word.title()}{tail.title()}Tests"


def write_csharp(neighbour: str, numbers: Mapping[str, int | str]) -> str:
    """Write a class with a test that fails, for the framework that its neighbour uses."""
    found = next((name for name in _OF_CSHARP if name in neighbour), "Xunit")
    of_class, mark, asserted = _OF_CSHARP[found]
    word = str(numbers["word"])
    namespace = re.search(r"^\s*namespace\s+([\w.]+)", neighbour, re.MULTILINE)
    return _CSHARP.substitute(
        numbers,
        imported=found,
        start=f"namespace {namespace[1]}\n{{\n" if namespace else "",
        end="}\n" if namespace else "",
        of_class=of_class,
        title=name_csharp_class(word, str(numbers["tail"])),
        mark=mark,
        name=f"{word.title()}Sum",
        asserted=Template(asserted).substitute(numbers),
    )
