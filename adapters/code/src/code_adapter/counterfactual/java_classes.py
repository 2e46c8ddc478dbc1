"""The classes of Java test files, and the tests that reports name by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.counterfactual.cell_runs import OUTCOMES, TestName
from code_adapter.counterfactual.classes import Outcome
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.java import CLASSES, find_main_class, list_inner_classes
from verigate.sdk.languages.tree import parse, text_of, walk
from verigate.sdk.reports.outcomes import Case

if TYPE_CHECKING:
    from tree_sitter import Node

_METHOD = re.compile(r"(?P<name>[^\W\d][\w$]*)(?:[(\[{].*)?", re.DOTALL)
"""``adds``, ``adds[0]`` and ``adds[row]`` of JUnit 4; ``adds()``, ``adds(int)[1]`` and ``adds{int}[1]`` of JUnit 5."""

_WHOLE = frozenset({"", "initializationError", "classMethod", "executionError"})
"""What a report names in place of a test where a class failed before its tests or after them."""

_OF_KOTLIN = frozenset({"class_declaration", "object_declaration"})
_TEST = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|RunWith|SuiteClasses|Suite)\b")


@dataclass(frozen=True)
class JavaClass:
    """A class of a file: its name as reports have it (``demo.SumTest$Inner``), and the tests that are written in it.

    ``prefix`` begins the names of its tests, ``Inner.``; it is empty for the class after which the file is named.
    """

    path: str
    name: str
    prefix: str
    tests: tuple[str, ...]


def list_classes(path: str, text: str) -> Iterator[JavaClass]:
    """List the classes of a file of Java or Kotlin, with those inside them."""
    if path.endswith(".kt"):
        yield from _list_of_kotlin(path, text)
        return
    tree = parse(text.encode(), "java")
    main = find_main_class(tree.root)
    package = next((node for node in tree.root.named_children if node.type == "package_declaration"), None)
    start = text_of(package).removeprefix("package").strip(" ;\n\t") if package is not None else ""
    tests = [found.qualified for found in LANGUAGES["java"].find_tests(tree)]
    for node in walk(tree.root):
        if node.type not in CLASSES:
            continue
        around = list_inner_classes(node, None)
        own = text_of(node.child_by_field_name("name"))
        inner = [] if main is not None and node.id == main.id else [*list_inner_classes(node, main), own]
        prefix = "".join(f"{each}." for each in inner)
        written = tuple(name for name in tests if name.startswith(prefix) and "." not in name[len(prefix) :])
        yield JavaClass(path, ".".join(filter(None, [start, "$".join([*around, own])])), prefix, written)


def _list_of_kotlin(path: str, text: str) -> Iterator[JavaClass]:
    """List the classes of a file of Kotlin. The first one is that of the names without a prefix."""
    tree = parse(text.encode(), "kotlin")
    package = next((node for node in tree.root.named_children if node.type == "package_header"), None)
    start = text_of(package).removeprefix("package").strip(" ;\n\t`") if package is not None else ""
    tests = [found.qualified for found in LANGUAGES["kotlin"].find_tests(tree)]
    main = next((node for node in tree.root.named_children if node.type in _OF_KOTLIN), None)
    for node in walk(tree.root):
        if node.type not in _OF_KOTLIN:
            continue
        around = [each for each in _list_around(node) if each.type in _OF_KOTLIN]
        names = [text_of(each.child_by_field_name("name")).strip("`") for each in (*around, node)]
        inner = [name for each, name in zip((*around, node), names, strict=True) if main is None or each.id != main.id]
        prefix = "".join(f"{each}." for each in inner)
        written = tuple(name for name in tests if name.startswith(prefix) and "." not in name[len(prefix) :])
        yield JavaClass(path, ".".join(filter(None, [start, "$".join(names)])), prefix, written)


def _list_around(node: Node) -> list[Node]:
    found = []
    above = node.parent
    while above is not None:
        found.append(above)
        above = above.parent
    return found[::-1]


def may_hold_tests(text: str) -> bool:
    """Whether a file says that it holds tests; one that only inherits them doesn't."""
    return bool(_TEST.search(text))


def read_cases(cases: Iterable[Case], classes: Iterable[JavaClass]) -> Iterator[tuple[TestName, Outcome]]:
    """Yield the outcomes of the cases that belong to ``classes``. A class that fails as a whole fails in each test."""
    known = {each.name: each for each in classes}
    for case in cases:
        found = max((name for name in known if f"{case.id}.".startswith(f"{name}.")), key=len, default=None)
        if found is None:
            continue
        owner, rest = known[found], case.id[len(found) + 1 :]
        if rest in _WHOLE or rest in {found, found.rpartition(".")[2]}:
            if case.outcome == "failed":
                # Those of classes inside it don't run either.
                inside = (each for name, each in known.items() if name == found or name.startswith(f"{found}$"))
                yield from ((TestName(each.path, test), Outcome.FAILED) for each in inside for test in each.tests)
            continue
        yield TestName(owner.path, f"{owner.prefix}{_find_method(owner, rest)}"), OUTCOMES[case.outcome]


def _find_method(owner: JavaClass, reported: str) -> str:
    """Find the method that a report names with its row; those of Kotlin may have any signs in their names."""
    own = [name.removeprefix(owner.prefix) for name in owner.tests]
    written = [name for name in own if reported == name or reported.startswith((f"{name}(", f"{name}[", f"{name}{{"))]
    method = _METHOD.fullmatch(reported)
    return max(written, key=len) if written else method["name"] if method else reported
