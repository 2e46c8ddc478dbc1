"""Find code that a test runner loads itself: conftest.py hooks, modules that shadow a tool, start-up files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.lifted_marks import lets_fewer_off
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.integrity.tools.pytest import HOOKS
from verigate.sdk import clean_text
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import fingerprint, is_comment, line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_SETS_OUTCOME = re.compile(
    r"\.(?:outcome|passed|failed)\s*=(?!=)|\boutcome\s*=\s*['\"]|(?:excinfo|longrepr|testsfailed|exitstatus|wasxfail)\s*=(?!=)|"
    r"force_result|force_exception|\.stats\b.*(?:=(?!=)|pop|clear)"
)
"""What a hook only does to make the outcome of a test, or of the run, another one."""

_CHOOSES = re.compile(
    r"\.(?:runtest|obj|collect)\s*=(?!=)|wasxfail|os\._exit|sys\.exit|pytest\.exit|returncode|items\s*\[[^\]]*:[^\]]*\]\s*=|items\.(?:clear|remove|pop)|"
    r"del\s+items|deselected|add_marker\(\s*(?:pytest\.)?(?:mark\.)?(?:skip|xfail)|add_marker\(\s*['\"](?:skip|xfail)|"
    r"pytest\.skip\(|atexit|signal\.|return\s+(?:True|0|['\"]|\()|setattr\((?!\s*item,\s*['\"]rep_)|"
    r"fixturenames\.(?:append|insert|extend)|\.parametrize\([^()]*,\s*(?:\[\s*\]|\(\s*\))"
)
"""What a hook does to choose, skip or end tests."""

_IGNORING = re.compile(r"^\s*(collect_ignore(?:_glob)?)\b.*=", re.MULTILINE)
_SHADOWS = re.compile(
    r"(?:^|/)(?:sitecustomize|usercustomize)\.py$|(?:^|/)[^/]*\.pth$|\.py[co]$|\.(?:egg|dist)-info/entry_points\.txt$|"
    r"^(?:src/|tests?/)?(?:pytest|_pytest|unittest|coverage|ruff|mypy|flake8|pylint|jest|vitest|eslint|nose|tox|nox)"
    r"(?:\.py$|/__init__\.py$)|(?:^|/)node_modules/\.bin/|(?:^|/)verigate_doctests(?:\.py$|/)"
)
"""Compiled Python that isn't checked against its source is run in its place (PEP 552); entry points load plug-ins.

``verigate_doctests`` is a plug-in of the gate, which workers of xdist import by its name.
"""

_OF_RUNNER = re.compile(r"(?!pytest\.exit)[^\n]*(?:pytest|unittest|TestCase|builtins|expect|assert|global(?:This)?\.)")


def find_runner_hooks(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find hooks, shadowed tools, and test code that replaces parts of its runner."""
    known: Counter[str] = Counter()
    for _, before, _after in changes.sides():
        known.update(digest for _, digest, _, _, _ in _hooks(changes, before))
    for file, before, after in changes.sides():
        path = file.path
        if after is not None and (before is None or file.renamed) and _SHADOWS.search(path):
            message = "this file takes the place of a judge or of the source next to it, or runs before it"
            yield IntegrityFinding("checks_shadowed", path, None, message, "tampering", "judge-shadowed")
        if after is not None and before is None and _hides_source(changes, after):
            message = "tests import this file in the place of the source of that name"
            yield IntegrityFinding("checks_shadowed", path, None, message, "tampering", "source-shadowed")
        same = {name: node for name, _, _, _, node in _hooks(changes, before)}
        for name, digest, line, source, node in _hooks(changes, after):
            if known[digest]:
                known[digest] -= 1
                continue
            if name in same and node.type == "function_definition" and lets_fewer_off(same[name], node):
                continue
            known_source = text_of(same[name]) if name in same and not _is_support(path) else ""
            weight = _weigh(source, known_source)
            what = "runs around tests" if weight == "note" else "can change what tests report or which run"
            yield IntegrityFinding("test_outcome_hook", path, line, f"{name} {what}", weight, "pytest-hook")
        if after is not None and _is_support(path):
            yield from _ignoring(path, text(before), text(after))
            yield from _replacing(changes, before, after)


def _weigh(source: str, before: str) -> Weight:
    """Weigh what a hook does. ``before`` is what one of the product did: what it returned as well isn't new."""
    if _SETS_OUTCOME.search(source):
        return "tampering"
    chosen, known = (Counter(match[0] for match in _CHOOSES.finditer(each)) for each in (source, before))
    returned = Counter({what: number for what, number in known.items() if what.startswith("return")})
    return "weakening" if chosen - returned else "note"


def _hides_source(changes: ChangeSet, side: Side) -> bool:
    """Whether the folder of tests that pytest puts first on ``sys.path`` now has a module of the source's name."""
    pure = PurePosixPath(side.path)
    module = pure.parent if pure.name == "__init__.py" else pure.with_suffix("")
    folder, name = module.parent, module.name
    if pure.suffix != ".py" or is_collected(side.path) or not is_test_code(f"{folder}/test_.py") or not folder.name:
        return False
    tree = changes.tree(side)
    kinds = {"function_definition", "class_definition", "decorated_definition", "expression_statement"}
    if tree is None or not any(node.type in kinds and node.children[0].type != "string" for node in tree.root.children):
        return False
    paths = changes.subject_paths
    sources = tuple(f"{start}{name}{end}" for start in ("", "src/") for end in (".py", "/__init__.py"))
    return f"{folder}/__init__.py" not in paths and any(
        path in sources and not path.startswith(f"{folder}/") for path in paths
    )


def _is_support(path: str) -> bool:
    name = PurePosixPath(path).name
    language = find_language(path)
    return bool(language is not None and language.find_support_parts) and bool(
        re.search(r"conftest|test|spec|setup|plugin", name) or re.search(r"(?:^|/)(?:tests?|__tests__)/", path)
    )


def _hooks(changes: ChangeSet, side: Side | None) -> Iterator[tuple[str, str, int, str, Node]]:
    """Name, fingerprint, line, what it does, and node."""
    if side is None or language_of(side.path) != "python" or not re.search(b"pytest_|load_tests", side.content or b""):
        return
    tree = changes.tree(side)
    for node in walk(tree.root) if tree is not None else ():
        if node.type == "function_definition":
            name = _hook_name(node)
            if name in HOOKS:
                yield name, _digest(node), line_of(node), text_of(node.child_by_field_name("body")), node
            elif name == "load_tests" and not _keeps_tests(node):
                yield name, fingerprint(node), line_of(node), "items.clear", node
        elif node.type in {"assignment", "aliased_import"}:
            bound = text_of(node.child_by_field_name("left") or node.child_by_field_name("alias"))
            if bound in HOOKS:
                # What it does stands elsewhere, under a name that says nothing.
                yield bound, fingerprint(node), line_of(node), "items.clear", node


def _digest(function: Node) -> str:
    """The fingerprint of a function without the types of its parameters and of what it returns, which do nothing."""
    header = (child for child in function.children if child.type in {"parameters", "type"})
    return fingerprint(function, {node.id for child in header for node in walk(child) if node.type == "type"})


def _keeps_tests(function: Node) -> bool:
    """Whether unittest's ``load_tests(loader, tests, pattern)`` has a use for the tests that it is given."""
    names = re.findall(r"\w+", text_of(function.child_by_field_name("parameters")))
    return len(names) > 1 and bool(re.search(rf"\b{names[1]}\b", text_of(function.child_by_field_name("body"))))


def _hook_name(function: Node) -> str:
    """What pytest calls it by: ``@hookimpl(specname="pytest_x")`` goes before its own name."""
    above = function.parent
    if above is not None and above.type == "decorated_definition":
        other = re.search(r"""specname\s*=\s*["'](\w+)["']""", text_of(above).partition("def ")[0])
        if other:
            return other[1]
    return text_of(function.child_by_field_name("name"))


def _ignoring(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old = {line.strip() for line in before.splitlines()}
    for match in _IGNORING.finditer(after):
        if match.group(0).strip() and after[match.start() :].partition("\n")[0].strip() not in old:
            line = after.count("\n", 0, match.start(1)) + 1
            shown = after[match.start() :].partition("\n")[0].strip()[:120]
            yield IntegrityFinding(
                "test_collection_narrowed", path, line, f"tests are left out: {shown}", "weakening", "collect-ignore"
            )


def _replacing(changes: ChangeSet, before: Side | None, after: Side) -> Iterator[IntegrityFinding]:
    known = Counter(shown for _, shown, _ in _replacements(changes, before))
    for line, shown, weight in _replacements(changes, after):
        if known[shown]:
            known[shown] -= 1
            continue
        message = f"test code replaces its own runner or what it tests, or ends the run: {shown}"
        yield IntegrityFinding("test_tampered", after.path, line, message, weight, "runner-replaced")


def _replacements(changes: ChangeSet, side: Side | None) -> Iterator[tuple[int, str, Weight]]:
    """Line, text and weight of each place, those in strings and comments left out."""
    tree, language = changes.tree(side), find_language(side.path) if side is not None else None
    if tree is None or language is None or language.find_support_parts is None:
        return
    # One character per byte, so that the tree's offsets fit.
    source = tree.source.decode("latin-1")
    matches = [*language.find_support_parts(source)]
    quoted = [
        (node.start_byte, node.end_byte)
        for node in (walk(tree.root) if matches else ())
        if is_comment(node) or node.type in {"string", "template_string"}
    ]
    for match in matches:
        if not any(start <= match.start() < end for start, end in quoted):
            line = source.count("\n", 0, match.start()) + 1
            weight: Weight = "tampering" if _OF_RUNNER.match(match.group(0)) else "weakening"
            yield line, clean_text(tree.source.splitlines()[line - 1].strip(), 120), weight
