"""The text of a test of Java or Kotlin that must fail, in the words of a test file next to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template

_METHODS: Mapping[str, tuple[str, str, str, str]] = {
    "junit5": ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions.assertEquals", "@Test\n    void ", ""),
    "junit4": ("org.junit.Test", "org.junit.Assert.assertEquals", "@Test\n    public void ", ""),
    "testng": ("org.testng.annotations.Test", "org.testng.Assert.assertEquals", "@Test\n    public void ", ""),
    "junit3": ("junit.framework.TestCase", "", "public void test_", " extends TestCase"),
}
"""For each framework: the class to import, the static method to import, how a test begins, and what a class extends."""

_CLASS = Template(
    "$header\n\nimport $imported;\n$more\n${annotations}public class $title$extends {\n"
    "    $begin$word() {\n        int $word = $first + $second;\n        assertEquals($wrong, $word);\n    }\n}\n"
)
_KOTLIN: Mapping[str, tuple[str, str]] = {
    "junit5": _METHODS["junit5"][:2],
    "junit4": _METHODS["junit4"][:2],
    "testng": _METHODS["testng"][:2],
    "kotlin.test": ("kotlin.test.Test", "kotlin.test.assertEquals"),
}
_CLASS_OF_KOTLIN = Template(
    "$header\n\nimport $imported\nimport $static\n$more\n${annotations}class $title {\n"
    "    @Test\n    fun $word() {\n        val $word = $first + $second\n"
    "        assertEquals($wrong, $word)\n    }\n}\n"
)
_HEADER_OF_KOTLIN = re.compile(r"^.*?^\s*package\s+[\w.`]+\s*;?[ \t]*$", re.DOTALL | re.MULTILINE)
_IMPORT_OF_KOTLIN = re.compile(r"^import\s+[\w.]+\.(\w+)[ \t]*$", re.MULTILINE)
_ENDING = re.compile(r"\w(?P<ending>TestCase|Tests|Test|ITCase|IT|Specification|Spec)$")
_HEADER = re.compile(r"^.*?^\s*package\s+[\w.]+\s*;", re.DOTALL | re.MULTILINE)
_ANNOTATION = re.compile(r"^@(?:Tag|Category)\([^)\n]*\)", re.MULTILINE)
_IMPORT = re.compile(r"^import\s+(?:static\s+)?[\w.]+\.(\w+)\s*;", re.MULTILINE)


def name_java_class(like: str, word: str, tail: str) -> str:
    """Name a class as the one of a file, ``SumTest.java``: patterns of names choose what is run."""
    stem = like.removesuffix(".java").removesuffix(".kt")
    found = _ENDING.search(stem)
    if found is None and stem.startswith("Test"):
        return f"Test{word.title()}{tail}"
    return f"{word.title()}{tail}{found['ending'] if found else 'Test'}"


def find_framework(text: str) -> str | None:
    """Find the framework that a test file imports; None if it imports none."""
    if "kotlin.test." in text:
        return "kotlin.test"
    if "org.junit.jupiter" in text:
        return "junit5"
    if "org.testng" in text:
        return "testng"
    if re.search(r"\borg\.junit\.(?!platform)", text):
        return "junit4"
    return "junit3" if "junit.framework" in text else None


def write_java(neighbour: str, framework: str, title: str, numbers: Mapping[str, int | str]) -> str:
    """Write the class ``title`` with the comment and the package of its neighbour, and what this is tagged with."""
    imported, static, begin, extends = _METHODS.get(framework, _METHODS["junit4"])
    header = _HEADER.match(neighbour)
    more = [f"import static {static};"] if static else []
    annotations = _ANNOTATION.findall(neighbour)
    words = {word for each in annotations for word in re.findall(r"\w+", each)}
    more += [found[0] for found in _IMPORT.finditer(neighbour) if found[1] in words]
    return _CLASS.substitute(
        numbers,
        header=header[0] if header else "",
        imported=imported,
        more="".join(f"{line}\n" for line in more),
        annotations="".join(f"{each}\n" for each in annotations),
        title=title,
        extends=extends,
        begin=begin,
    ).lstrip("\n")


def write_kotlin(neighbour: str, framework: str, title: str, numbers: Mapping[str, int | str]) -> str:
    """Write the class ``title`` with the package of its neighbour, and what this is tagged with."""
    imported, static = _KOTLIN.get(framework, _KOTLIN["junit4"])
    header = _HEADER_OF_KOTLIN.match(neighbour)
    annotations = _ANNOTATION.findall(neighbour)
    words = {word for each in annotations for word in re.findall(r"\w+", each)}
    more = [found[0] for found in _IMPORT_OF_KOTLIN.finditer(neighbour) if found[1] in words]
    return _CLASS_OF_KOTLIN.substitute(
        numbers,
        header=header[0] if header else "",
        imported=imported,
        static=static,
        more="".join(f"{line}\n" for line in more),
        annotations="".join(f"{each}\n" for each in annotations),
        title=title,
    ).lstrip("\n")
