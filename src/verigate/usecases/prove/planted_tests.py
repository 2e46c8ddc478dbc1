"""Tests to plant: one that fails next to those of a file, one of them skipped, one with an assertion less.

The file is the one with the most tests, and the others of it stay: what is planted is what a rule is for, no suite that
falls as a whole. A form is known of the usual frameworks; what has another can't be planted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from verigate.integrations.setup.broken_tests import find_test_files
from verigate.integrations.setup.repository_scan import Scan
from verigate.usecases.prove.made_up import make_false_sum, make_name, make_word

_PY, _JS = ".py", (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_JVM = r"^[ \t]*@(?:Test|ParameterizedTest|Property)\b"
_TESTS: Mapping[str, re.Pattern[str]] = {
    suffix: re.compile(pattern, re.MULTILINE)
    for suffix, pattern in {
        _PY: r"^[ \t]*(?:async[ \t]+)?def test\w*\(",
        **dict.fromkeys(_JS, r"^[ \t]*(?:test|it)\("),
        ".go": r"^func Test\w*\(\w+ \*testing\.T\)",
        ".rs": r"^[ \t]*#\[(?:\w+::)?test\b",
        ".rb": r"^[ \t]*(?:def test_\w+|it\b|specify\b|test\b)",
        ".php": r"^[ \t]*public function test\w*\(|^[ \t]*#\[Test\]",
        **dict.fromkeys((".java", ".kt", ".groovy"), _JVM),
        ".cs": r"^[ \t]*\[(?:Fact|Theory|Test|TestMethod|TestCase)\b",
        ".bats": r"^@test\b",
    }.items()
}
_LARGEST = 500_000
_MOST_FILES = 50
_MAIN = re.compile(r"^if __name__ ==", re.MULTILINE)
_CLASS = re.compile(r"\bclass\s+\w+[^{;]*\{")
_RUBY_CLASS = re.compile(r"^class \w+ < ([\w:]+)", re.MULTILINE)
_ASSERTS: Mapping[str, re.Pattern[str]] = {
    _PY: re.compile(
        r"^[ \t]+(assert\b[^\n\\(\[{,]*(?:\([^\n()]*\)[^\n\\(\[{,]*)?|self\.assert\w+\([^\n]*\))$", re.MULTILINE
    ),
    **dict.fromkeys(_JS, re.compile(r"^[ \t]+((?:expect|assert)\b[^\n]*\);?)$", re.MULTILINE)),
}


def count_tests(scan: Scan, path: str) -> int:
    """Count what looks like a test in a file; 0 where no form of its language is known."""
    pattern = _TESTS.get(PurePosixPath(path).suffix)
    return 0 if pattern is None else len(pattern.findall(_read(scan, path)))


def find_file_of_tests(scan: Scan) -> str | None:
    """Find the file with the most tests; without any that look like one the largest that isn't empty; else None."""
    found = [(count_tests(scan, path), len(scan.read(path)), path) for path in find_test_files(scan)]
    return max((each for each in found if each[1]), default=(0, 0, None))[2]


def plant_failure(scan: Scan) -> tuple[str, str, bytes] | None:
    """Return the name of a test that fails, the path of a file, and its text with the test.

    None where no form of it is known.
    """
    for path in _list_files(scan):
        name = make_name()
        text = _read(scan, path)
        more = _FAILURES[PurePosixPath(path).suffix](text, name)
        if more is not None:
            return name, path, _encode(more)
    return None


def plant_failures(scan: Scan) -> tuple[list[tuple[str, str, bytes]], int]:
    """Return what ``plant_failure`` does for each file whose name is one of a test, and how many more there are.

    Those with the most tests come first, at most 50.
    """
    made = []
    for path in _list_files(scan):
        pure, name, text = PurePosixPath(path), make_name(), _read(scan, path)
        # Other Python files of a folder of tests are helpers, which no runner collects by default.
        if pure.suffix == _PY and not pure.name.startswith("test_") and not pure.name.endswith("_test.py"):
            continue
        more = _FAILURES[pure.suffix](text, name)
        if more is not None:
            made.append((name, path, _encode(more)))
    return made[:_MOST_FILES], max(0, len(made) - _MOST_FILES)


def plant_skip(scan: Scan) -> tuple[str, bytes] | None:
    """Return a file and its text with one of its tests skipped; None where no form of it is known."""
    for path in _list_files(scan):
        suffix, text = PurePosixPath(path).suffix, _read(scan, path)
        start = next(_TESTS[suffix].finditer(text), None)
        if start is None:
            continue
        head, found, tail = text[: start.start()], start[0], text[start.end() :]
        if suffix in _JS:
            return path, _encode(f"{head}{found.removesuffix('(')}.skip({tail}")
        if suffix == ".go":
            variable = found.partition("(")[2].partition(" ")[0]
            begin, brace, rest = tail.partition("{")
            return path, _encode(f'{head}{found}{begin}{brace}\n\t{variable}.Skip("later"){rest}')
        if suffix == _PY:
            indent = found[: len(found) - len(found.lstrip())]
            before = _find_decorators(head)
            mark = "unittest.skip('later')" if _is_unittest(text) else "pytest.mark.skip(reason='later')"
            lines = f"{indent}import {mark.partition('.')[0]}\n\n{indent}@{mark}\n"
            return path, _encode(f"{head[:before]}{lines}{head[before:]}{found}{tail}")
    return None


def plant_lost_assertion(scan: Scan) -> tuple[str, bytes] | None:
    """Return a file and its text with an assertion less; None where no form of it is known."""
    for path in _list_files(scan):
        suffix, text = PurePosixPath(path).suffix, _read(scan, path)
        pattern, start = _ASSERTS.get(suffix), _TESTS[suffix].search(text)
        found = pattern.search(text, start.end()) if pattern and start else None
        if found is not None:
            instead = "pass" if suffix == _PY else ""
            return path, _encode(f"{text[: found.start(1)]}{instead}{text[found.end(1) :]}")
    return None


def _list_files(scan: Scan) -> Iterator[str]:
    """List the files with tests of a known form, the one with the most first."""
    found = ((count_tests(scan, path), path) for path in find_test_files(scan) if len(scan.read(path)) <= _LARGEST)
    return (path for number, path in sorted(found, reverse=True) if number)


def _read(scan: Scan, path: str) -> str:
    return scan.read(path).decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _find_decorators(head: str) -> int:
    """Find where the decorators begin that end ``head``."""
    lines = head.splitlines(keepends=True)
    while lines and lines[-1].lstrip().startswith("@"):
        lines.pop()
    return sum(map(len, lines))


def _is_unittest(text: str) -> bool:
    return "TestCase)" in text and re.search(r"^(?:async )?def test", text, re.MULTILINE) is None


def _fail_python(text: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    word = make_word()
    if _is_unittest(text):
        title = "".join(part.title() for part in name.split("_"))
        more = (
            f"import unittest\n\n\nclass {title}Test(unittest.TestCase):\n    def test_{name}(self):\n"
            f"        {word} = [{first}, {second}]\n        self.assertEqual(sum({word}), {wrong})\n"
        )
    else:
        more = f"def test_{name}():\n    {word} = [{first}, {second}]\n    assert sum({word}) == {wrong}\n"
    end = next((found.start() for found in _MAIN.finditer(text)), len(text))
    rest = text[end:]
    return f"{text[:end].rstrip()}\n\n\n{more}" + (f"\n\n{rest}" if rest else "")


def _fail_script(text: str, name: str) -> str | None:
    call = _TESTS[".js"].search(text)
    if call is None:
        return None
    first, second, wrong = make_false_sum()
    word = make_word()
    if re.search(r"""['"]tape['"]""", text):
        body = f"(t) => {{ t.equal({word}[0] + {word}[1], {wrong}); t.end(); }}"
    else:
        body = f"() => {{ throw new Error(`expected ${{{word}[0] + {word}[1]}} to be {wrong}`); }}"
    # In a block: the name may be taken.
    return f"{text.rstrip()}\n\n{{\n  const {word} = [{first}, {second}];\n  {call[0].strip()}'{name}', {body});\n}}\n"


def _fail_go(text: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    word = make_word()
    title = "".join(part.title() for part in name.split("_"))
    return (
        f"{text.rstrip()}\n\nfunc Test{title}_{name}(t *testing.T) {{\n\t{word} := []int{{{first}, {second}}}\n"
        f'\tif {word}[0]+{word}[1] != {wrong} {{\n\t\tt.Fatalf("got %d, want {wrong}", {word}[0]+{word}[1])\n\t}}\n}}\n'
    )


def _fail_rust(text: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    return (
        f"{text.rstrip()}\n\n#[cfg(test)]\nmod of_{name} {{\n    #[test]\n    fn {name}() {{\n"
        f"        assert_eq!([{first}, {second}].iter().sum::<i32>(), {wrong});\n    }}\n}}\n"
    )


def _fail_ruby(text: str, name: str) -> str | None:
    first, second, wrong = make_false_sum()
    above = _RUBY_CLASS.search(text)
    if above is not None and "def test_" in text:
        title = "".join(part.title() for part in name.split("_"))
        return (
            f"{text.rstrip()}\n\nclass {title}Test < {above[1]}\n  def test_{name}\n"
            f"    assert_equal {wrong}, [{first}, {second}].sum\n  end\nend\n"
        )
    if "describe" in text:
        block = f"  it '{name}' do\n    expect([{first}, {second}].sum).to eq({wrong})\n  end\n"
        return f"{text.rstrip()}\n\nRSpec.describe '{name}' do\n{block}end\n" if "RSpec" in text else None
    return None


def _fail_bats(text: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    return f'{text.rstrip()}\n\n@test "{name}" {{\n  [ "$(({first} + {second}))" -eq {wrong} ]\n}}\n'


def _in_class(suffix: str, write: Callable[[str, str], str]) -> Callable[[str, str], str | None]:
    """Write a method into the class in which the first test is."""

    def fail(text: str, name: str) -> str | None:
        start = _TESTS[suffix].search(text)
        classes = [found for found in _CLASS.finditer(text) if start and found.end() <= start.start()]
        if not classes:
            return None
        at = classes[-1].end()
        return f"{text[:at]}\n{write(text, name)}{text[at:]}"

    return fail


def _java_method(_: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    message = f'"expected {wrong}, found {first + second}"'
    return f"    @Test\n    public void {name}() {{\n        throw new AssertionError({message});\n    }}\n"


def _kotlin_method(_: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    message = f'"expected {wrong}, found {first + second}"'
    return f"    @Test\n    fun {name}() {{\n        throw AssertionError({message})\n    }}\n"


def _csharp_method(text: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    mark = next((each for each in ("TestMethod", "Fact", "Test") if f"[{each}" in text), "Test")
    message = f'"expected {wrong}, found {first + second}"'
    return f"    [{mark}]\n    public void {name}() {{ throw new System.Exception({message}); }}\n"


def _php_method(_: str, name: str) -> str:
    first, second, wrong = make_false_sum()
    body = f"$this->assertSame({wrong}, {first} + {second});"
    return f"    public function test_{name}(): void\n    {{\n        {body}\n    }}\n"


_FAILURES: Mapping[str, Callable[[str, str], str | None]] = {
    _PY: _fail_python,
    **dict.fromkeys(_JS, _fail_script),
    ".go": _fail_go,
    ".rs": _fail_rust,
    ".rb": _fail_ruby,
    ".php": _in_class(".php", _php_method),
    ".java": _in_class(".java", _java_method),
    ".groovy": _in_class(".groovy", _java_method),
    ".kt": _in_class(".kt", _kotlin_method),
    ".cs": _in_class(".cs", _csharp_method),
    ".bats": _fail_bats,
}
