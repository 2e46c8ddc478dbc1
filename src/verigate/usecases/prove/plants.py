"""Violations to plant: for each rule files that break it, laid over the present commit.

Each is the smallest that the rule must notice in any repository of that kind. What can't be planted says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from verigate.domain.task_folder import CLAIM_FILE, UNVERIFIED_FILE, task_path
from verigate.integrations.setup.broken_tests import find_test_files
from verigate.integrations.setup.repository_scan import Scan
from verigate.usecases.prove.made_up import make_name, make_task, make_word
from verigate.usecases.prove.planted_tests import (
    find_file_of_tests,
    plant_failure,
    plant_failures,
    plant_lost_assertion,
    plant_skip,
)

_MOST_SKIPPED = 1000
_LARGEST = 200_000

_BODY = "{{\n  if (value > 41) {{\n    return value * 3 + 1;\n  }}\n  return value - 7;\n}}\n"
_FUNCTIONS = {
    ".py": "\n\ndef {0}(value):\n    if value > 41:\n        return value * 3 + 1\n    return value - 7\n",
    ".go": "\n\nfunc {0}(value int) int {{\n\tif value > 41 {{\n\t\treturn value*3 + 1\n\t}}\n\treturn value - 7\n}}\n",
    ".rs": f"\n\npub fn {{0}}(value: i64) -> i64 {_BODY.replace('(value > 41)', 'value > 41')}",
    **dict.fromkeys((".js", ".mjs", ".cjs"), f"\n\nfunction {{0}}(value) {_BODY}"),
    **dict.fromkeys((".ts", ".mts", ".cts"), f"\n\nexport function {{0}}(value: number): number {_BODY}"),
}
_BROKEN = {
    ".py": "\n\ndef {0}(:\n",
    ".rb": "\n\ndef {0}(\n",
    ".php": "\n\nfunction {0}( {{\n",
    **dict.fromkeys((".go", ".rs", ".java", ".kt", ".cs"), "\n\n{0} ( {{ [\n"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"), "\n\nfunction {0}( {{ [\n"),
}


class Plant(Struct, frozen=True):
    """A violation: files with their content, None for one that is gone; a claim and what was committed to, where the
    rule is about those. ``checks`` are prefixes of the checks of which one must not hold. ``failing`` maps the names of
    planted tests, which have to be among those that failed, to their files. ``limits`` says what the plant is not.
    """

    what: str
    files: Mapping[str, bytes | None]
    checks: tuple[str, ...]
    claim: Mapping[str, Any] | None = None
    commitment: Mapping[str, Any] = field(default_factory=dict)
    failing: Mapping[str, str] = field(default_factory=dict)
    limits: str = ""
    task: str = field(default_factory=make_task)

    @property
    def laid_over(self) -> Mapping[str, bytes | None]:
        """The files, with the claim among them."""
        if self.claim is None:
            return self.files
        document = {"schema": "verigate:claim.v1", "task_id": self.task, "claim": {"type": "code", **self.claim}}
        return {**self.files, task_path(self.task, CLAIM_FILE): json.dumps(document).encode()}


class Unplantable(Exception):  # noqa: N818 - no error: the reason why a rule can't be tried
    """Why nothing can be planted for a rule in this repository."""


def make_plants(key: str, threshold: Any, scan: Scan) -> tuple[Plant, ...]:
    """Make the plants for a rule of a profile, at least one. Raises Unplantable."""
    if key == "integrity":
        return _weaken(scan)
    if key == "tests_pass":
        return _failing_tests(scan)
    make = _PLANTS.get(key)
    if make is None:
        raise Unplantable(_WHY_NOT.get(key, "no violation of it is known"))
    return (make(scan, threshold),)


def list_fixed_plants() -> Iterator[tuple[str, Plant]]:
    """List the plants for what no profile can leave out."""
    plan = json.dumps({"code": {"order": ["code:diff"], "required": [], "optional": ["code:diff"]}}).encode()
    yield "gate.judges", Plant("the plan asks for less", {"config/adapter-plan.json": plan}, ("gate.judges",))
    task = make_task()
    mark = json.dumps({"schema": "verigate:unverified.v1", "task_id": task, "why": make_name()}).encode()
    what, files = "a commit carries a mark of unverified work", {task_path(task, UNVERIFIED_FILE): mark}
    yield "gate.unverified", Plant(what, files, ("gate.unverified",), task=task)


def _find_source(scan: Scan, known: Mapping[str, str]) -> str:
    """Find a source file of the language that has the most of them, the largest first."""
    tests = set(find_test_files(scan))
    found: dict[str, list[tuple[int, str]]] = {}
    for path in scan.files:
        pure = PurePosixPath(path)
        hidden = any(part.startswith(".") for part in pure.parts)
        if pure.suffix in known and path not in tests and not hidden and ".config." not in pure.name:
            found.setdefault(pure.suffix, []).append((len(scan.read(path)), path))
    if not found:
        raise Unplantable("no source file of a language in which a violation is known")
    sizes = max(found.values(), key=lambda paths: (sum(size <= _LARGEST for size, _ in paths), paths))
    return max((entry for entry in sizes if entry[0] <= _LARGEST), default=sizes[0])[1]


def _append(scan: Scan, known: Mapping[str, str], times: int = 1) -> dict[str, bytes | None]:
    path, name = _find_source(scan, known), make_name()
    text = known[PurePosixPath(path).suffix]
    more = "".join(text.format(f"{name}_{number}" if times > 1 else name) for number in range(times))
    return {path: scan.read(path) + more.encode()}


def _without_tests(scan: Scan) -> dict[str, bytes | None]:
    found = find_test_files(scan)
    if not found:
        raise Unplantable("no file of tests is known that could be taken away")
    return dict.fromkeys(found)


def _failing_tests(scan: Scan) -> tuple[Plant, ...]:
    found = plant_failure(scan)
    if found is None:
        raise Unplantable("no file of tests is known to which a test that fails could be added")
    name, path, content = found
    checks = ("code.tests_pass",)
    first = Plant(f"a new test fails, in {path}", {path: content}, checks, failing={name: path})
    # One file may be the only one that runs.
    each, more = plant_failures(scan)
    if len(each) < 2:
        return (first,)
    what = f"a new test fails in each of {len(each)} files of tests"
    failing = {name: path for name, path, _ in each}
    limits = f"nothing was planted in {more} more files of tests" if more else ""
    return first, Plant(what, {path: text for _, path, text in each}, checks, failing=failing, limits=limits)


def _skipped_tests(scan: Scan, most: Any) -> Plant:
    number = int(most) + 1
    folders = [PurePosixPath(path).parent for path in find_test_files(scan) if path.endswith(".py")]
    if not folders or number > _MOST_SKIPPED:
        raise Unplantable("skipped tests can be planted for pytest alone")
    mark, name = f"@pytest.mark.skip(reason='{make_word()}')", make_name()
    tests = "".join(f"\n\n{mark}\ndef test_{name}_{n}():\n    assert True\n" for n in range(number))
    files = {(folders[0] / f"test_{name}.py").as_posix(): f"import pytest\n{tests}".encode()}
    return Plant(f"{number} new tests are skipped", files, ("code.skipped_max",))


def _syntax_error(check: str) -> Callable[[Scan, Any], Plant]:
    what, limits = "a source file has a syntax error", "tried with a syntax error alone, with no other finding"
    return lambda scan, _: Plant(what, _append(scan, _BROKEN), (check,), limits=limits)


def _leave_untested(check: str, times: int = 1) -> Callable[[Scan, Any], Plant]:
    what = "a new function has no test" if times == 1 else f"{times} new functions have no test"
    return lambda scan, _: Plant(what, _append(scan, _FUNCTIONS, times), (check,))


def _no_tests(check: str) -> Callable[[Scan, Any], Plant]:
    return lambda scan, _: Plant("every test file is gone", _without_tests(scan), (check,))


def _weaken(scan: Scan) -> tuple[Plant, ...]:
    """A plant for each kind that a profile can set apart, as far as it can be written in the tests' language."""
    checks = ("code.integrity", "weakening:")
    path = find_file_of_tests(scan)
    if path is None:
        raise Unplantable("no file of tests is known that could be taken away")
    made = [Plant(f"a test file is gone: {path}", {path: None}, checks)]
    for what, found in (
        ("a test is skipped", plant_skip(scan)),
        ("an assertion is gone", plant_lost_assertion(scan)),
    ):
        if found is not None:
            made.append(Plant(f"{what}, in {found[0]}", {found[0]: found[1]}, checks))
    return tuple(made)


def _missing_unit(scan: Scan, _: Any) -> Plant:
    files = _append(scan, _FUNCTIONS)
    claim = {"units_list": [f"func:{make_name()}"]}
    return Plant("a claimed function is nowhere", files, ("code.units_match", "unit:"), claim)


def _leave_unclaimed(scan: Scan, _: Any) -> Plant:
    text = _make_text()
    files = {**_append(scan, _FUNCTIONS), **text}
    claim = {"units_list": [f"file:{path}" for path in text]}
    return Plant("a new function isn't claimed", files, ("code.reject_unclaimed_changes",), claim)


def _unproven_fix(_: Scan, __: Any) -> Plant:
    files = _make_text()
    asked = {"requirements": {"fixes": [f"test_{make_name()}"]}}
    claim = {"units_list": [f"file:{path}" for path in files]}
    return Plant("a promised fix has no test", files, ("code.fixes_proven",), claim, asked)


def _make_text() -> dict[str, bytes | None]:
    return {f"{make_name()}.md": f"# {make_word().title()}\n".encode()}


def _text(check: str, content: str, what: str) -> Callable[[Scan, Any], Plant]:
    return lambda scan, _: Plant(what, {_find_text(scan): content.format(make_name()).encode()}, (check,))


def _find_text(scan: Scan) -> str:
    found = [path for path in scan.files if path.endswith((".md", ".markdown")) and not path.startswith(".")]
    return max(found, key=lambda path: (len(scan.read(path)), path), default=f"{make_name()}.md")


def _no_texts(check: str) -> Callable[[Scan, Any], Plant]:
    def make(scan: Scan, _: Any) -> Plant:
        suffixes = (".md", ".markdown", ".html", ".htm", ".rst", ".adoc", ".txt")
        found = [path for path in scan.files if path.endswith(suffixes)]
        if not found:
            raise Unplantable("there is no text that could be taken away")
        return Plant("every text is gone", dict.fromkeys(found), (check,))

    return make


_PLANTS: Mapping[str, Callable[[Scan, Any], Plant]] = {
    "lint_clean": _syntax_error("code.lint_clean"),
    "lint_errors_max": _syntax_error("code.lint_errors_max"),
    "build_success": _syntax_error("code.build_success"),
    "tests_min": _no_tests("code.tests_min"),
    "skipped_max": _skipped_tests,
    "coverage_min": _no_tests("code.coverage_min"),
    "patch_coverage_min": _leave_untested("code.patch_coverage_min"),
    "coverage_drop_max": _leave_untested("code.coverage_drop_max", 200),
    "noticed_min": _leave_untested("code.noticed_min"),
    "units_match": _missing_unit,
    "fixes_proven": _unproven_fix,
    "reject_unclaimed_changes": _leave_unclaimed,
    "failures_max": _text("links.failures_max", "# A\n\n[gone]({}.md)\n", "a link is dead"),
    "links_min": _no_texts("links.links_min"),
    "word_min": _text("content.word_min", "# A\n", "a text has one word left"),
    "headings_required": _text("content.headings_required", "word\n", "a text has no heading left"),
    "images_min": _text("content.images_min", "# A\n", "a text has no image left"),
    "images_found": _text("content.images_found", "# A\n\n![one]({}.png)\n", "an image is missing"),
    "images_alt_required": _text("content.images_alt_required", "# A\n\n![](a.png)\n", "an image has no text"),
    "quotes_attributed": _text("content.quotes_attributed", "# A\n\n> Said by nobody.\n", "a quote names nobody"),
    "files_min": _no_texts("content.files_min"),
}
_OF_A_SERVICE = "it is about a running service, which nothing here breaks on purpose"
_WHY_NOT: Mapping[str, str] = {
    "rules": "what a custom rule refutes is known to its author alone",
    "required_artifacts": "a change can't keep an adapter from writing; the gate's own tests hold this rule",
    "lint_warnings_max": "what a linter warns of differs from one to the next",
    "require_full_coverage": "a change can't keep a link from being checked",
    "resample_max": "it compares two calls of a server",
    "words_rendered": "the adapter renders, or fails; what it then counts is planted for word_min",
    **dict.fromkeys(
        (
            "schema_valid",
            "required_endpoints",
            "undocumented_max",
            "auth_required",
            "latency_ms",
            "rate_limit_required",
        ),
        _OF_A_SERVICE,
    ),
}
