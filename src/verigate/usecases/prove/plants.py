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
from verigate.integrations.setup.broken_tests import break_test_files, find_test_files
from verigate.integrations.setup.repository_scan import Scan

TASK = "planted-by-gate-doctor"
_NAME = "planted_by_gate_doctor"
_MARKDOWN = f"{_NAME.replace('_', '-')}.md"
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
    rule is about those. ``checks`` are prefixes of the checks of which one must not hold.
    """

    what: str
    files: Mapping[str, bytes | None]
    checks: tuple[str, ...]
    claim: Mapping[str, Any] | None = None
    commitment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def laid_over(self) -> Mapping[str, bytes | None]:
        """The files, with the claim among them."""
        if self.claim is None:
            return self.files
        document = {"schema": "verigate:claim.v1", "task_id": TASK, "claim": {"type": "code", **self.claim}}
        return {**self.files, task_path(TASK, CLAIM_FILE): json.dumps(document).encode()}


class Unplantable(Exception):  # noqa: N818 - no error: the reason why a rule can't be tried
    """Why nothing can be planted for a rule in this repository."""


def plant_for(key: str, threshold: Any, scan: Scan) -> Plant:
    """Make the plant for a rule of a profile. Raises Unplantable."""
    make = _PLANTS.get(key)
    if make is None:
        raise Unplantable(_WHY_NOT.get(key, "no violation of it is known"))
    return make(scan, threshold)


def list_fixed_plants() -> Iterator[tuple[str, Plant]]:
    """List the plants for what no profile can leave out."""
    plan = json.dumps({"code": {"order": ["code:diff"], "required": [], "optional": ["code:diff"]}}).encode()
    yield "gate.judges", Plant("the plan asks for less", {"config/adapter-plan.json": plan}, ("gate.judges",))
    mark = json.dumps({"schema": "verigate:unverified.v1", "task_id": TASK, "why": "planted"}).encode()
    files = {task_path(TASK, UNVERIFIED_FILE): mark}
    yield "gate.unverified", Plant("a commit carries a mark of unverified work", files, ("gate.unverified",))


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
    path = _find_source(scan, known)
    text = known[PurePosixPath(path).suffix]
    more = "".join(text.format(f"{_NAME}_{number}" if times > 1 else _NAME) for number in range(times))
    return {path: scan.read(path) + more.encode()}


def _without_tests(scan: Scan) -> dict[str, bytes | None]:
    found = find_test_files(scan)
    if not found:
        raise Unplantable("no file of tests is known that could be taken away")
    return dict.fromkeys(found)


def _broken_tests(scan: Scan, _: Any) -> Plant:
    broken = break_test_files(scan)
    if not broken:
        raise Unplantable("no file of tests is known that could be broken")
    return Plant("every test file fails", broken, ("code.tests_pass",))


def _skipped_tests(scan: Scan, most: Any) -> Plant:
    number = int(most) + 1
    folders = [PurePosixPath(path).parent for path in find_test_files(scan) if path.endswith(".py")]
    if not folders or number > _MOST_SKIPPED:
        raise Unplantable("skipped tests can be planted for pytest alone")
    mark = "@pytest.mark.skip(reason='planted')"
    tests = "".join(f"\n\n{mark}\ndef test_{n}():\n    assert True\n" for n in range(number))
    files = {f"{folders[0] / 'test_'}{_NAME}.py": f"import pytest\n{tests}".encode()}
    return Plant(f"{number} new tests are skipped", files, ("code.skipped_max",))


def _syntax_error(check: str) -> Callable[[Scan, Any], Plant]:
    return lambda scan, _: Plant("a source file has a syntax error", _append(scan, _BROKEN), (check,))


def _leave_untested(check: str, times: int = 1) -> Callable[[Scan, Any], Plant]:
    what = "a new function has no test" if times == 1 else f"{times} new functions have no test"
    return lambda scan, _: Plant(what, _append(scan, _FUNCTIONS, times), (check,))


def _no_tests(check: str) -> Callable[[Scan, Any], Plant]:
    return lambda scan, _: Plant("every test file is gone", _without_tests(scan), (check,))


def _removed_test(scan: Scan, _: Any) -> Plant:
    path = min(_without_tests(scan))
    return Plant(f"a test file is gone: {path}", {path: None}, ("code.integrity", "weakening:"))


def _missing_unit(scan: Scan, _: Any) -> Plant:
    files = _append(scan, _FUNCTIONS)
    claim = {"units_list": [f"func:{_NAME}_nowhere"]}
    return Plant("a claimed function is nowhere", files, ("code.units_match", "unit:"), claim)


def _leave_unclaimed(scan: Scan, _: Any) -> Plant:
    files = {**_append(scan, _FUNCTIONS), _MARKDOWN: b"# Planted\n"}
    claim = {"units_list": [f"file:{_MARKDOWN}"]}
    return Plant("a new function isn't claimed", files, ("code.reject_unclaimed_changes",), claim)


def _unproven_fix(_: Scan, __: Any) -> Plant:
    asked = {"requirements": {"fixes": [f"test_{_NAME}"]}}
    claim = {"units_list": [f"file:{_MARKDOWN}"]}
    files: dict[str, bytes | None] = {_MARKDOWN: b"# Planted\n"}
    return Plant("a promised fix has no test", files, ("code.fixes_proven",), claim, asked)


def _text(check: str, content: str, what: str) -> Callable[[Scan, Any], Plant]:
    return lambda scan, _: Plant(what, {_find_text(scan): content.encode()}, (check,))


def _find_text(scan: Scan) -> str:
    found = [path for path in scan.files if path.endswith((".md", ".markdown")) and not path.startswith(".")]
    return max(found, key=lambda path: (len(scan.read(path)), path), default=_MARKDOWN)


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
    "tests_pass": _broken_tests,
    "tests_min": _no_tests("code.tests_min"),
    "skipped_max": _skipped_tests,
    "coverage_min": _no_tests("code.coverage_min"),
    "patch_coverage_min": _leave_untested("code.patch_coverage_min"),
    "coverage_drop_max": _leave_untested("code.coverage_drop_max", 200),
    "noticed_min": _leave_untested("code.noticed_min"),
    "units_match": _missing_unit,
    "fixes_proven": _unproven_fix,
    "reject_unclaimed_changes": _leave_unclaimed,
    "integrity": _removed_test,
    "failures_max": _text("links.failures_max", "# Planted\n\n[gone](planted-and-missing.md)\n", "a link is dead"),
    "links_min": _no_texts("links.links_min"),
    "word_min": _text("content.word_min", "# A\n", "a text has one word left"),
    "headings_required": _text("content.headings_required", "word\n", "a text has no heading left"),
    "images_min": _text("content.images_min", "# A\n", "a text has no image left"),
    "images_found": _text("content.images_found", "# A\n\n![one](planted-and-missing.png)\n", "an image is missing"),
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
