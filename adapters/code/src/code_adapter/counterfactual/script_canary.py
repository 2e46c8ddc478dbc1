"""The text of a test of Ruby or PHP that must fail, in the words of a test file next to it."""

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
