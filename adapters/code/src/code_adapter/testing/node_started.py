"""Files of node's test runner that a script starts as programs: ``node --conditions development test/index.js``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.testing.node_workspaces import join_path
from verigate.sdk.npm_scripts import OtherCommand, RunnerCall, ScriptStep, programs, read_script

_NODE_TEST = re.compile(r"""(?:from\s*|require\(\s*|import\(\s*|import\s+)["']node:test["']""")
_RELATIVE = re.compile(r"""(?:from\s*|require\(\s*|import\(\s*|import\s+)["'](\.{1,2}/[^"'\n]+)["']""")
_SCRIPT = re.compile(r"\.(?:[cm]?js|[cm]?ts|jsx|tsx)$")
_ENDS = ("", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", "/index.js", "/index.mjs", "/index.cjs")
_MOST_FILES = 2000
_NESTED = 4


def list_tests(files: SubjectFiles, folder: str) -> list[str]:
    """List the files below ``folder`` that use node's test runner, without those of TypeScript."""
    return [
        path
        for path in files.below(folder)
        if not path.endswith("ts")
        and not NOT_PROJECTS.intersection(path.split("/")[:-1])
        and _SCRIPT.search(path)
        and _NODE_TEST.search(files.text(path))
    ]


def read_started(
    files: SubjectFiles, folder: str, package: Mapping[str, object], steps: Iterable[ScriptStep], depth: int = 0
) -> Iterator[ScriptStep]:
    """Yield ``steps``, with a call of node's test runner for each program that uses it, with the same options of node.

    Other files of the package that use it, and that the program doesn't import, run with it.
    """
    for step in steps:
        if not isinstance(step, OtherCommand):
            yield step
            continue
        inner: list[ScriptStep] = []
        if step.words[:2] == ("npm", "run") and len(step.words) == 3 and depth < _NESTED:
            inner = [*read_started(files, folder, package, read_script(package, step.words[2]), depth + 1)]
        calls = [each for each in inner if isinstance(each, RunnerCall)]
        if calls:
            yield from (_add_variables(each, step.variables) for each in inner)
        else:
            yield _read_program(files, folder, step) or step


def _add_variables(step: ScriptStep, variables: Mapping[str, str]) -> ScriptStep:
    if isinstance(step, RunnerCall | OtherCommand):
        return replace(step, variables={**variables, **step.variables})
    return step


def _read_program(files: SubjectFiles, folder: str, step: OtherCommand) -> RunnerCall | None:
    """Read ``node [options] FILE``, where FILE or what it imports uses node's test runner."""
    interpreter = step.words[0].rpartition("/")[2]
    if interpreter not in programs.INTERPRETERS or not _SCRIPT.search(step.words[-1]):
        return None
    options, program = step.words[1:-1], step.words[-1]
    if not _are_options(options):
        return None
    place = join_path(folder, step.folder) if step.folder else folder
    path = posixpath.normpath(join_path(place, program))
    reached = _reach(files, path) if path in files.known else frozenset()
    if not any(_NODE_TEST.search(files.text(each)) for each in reached):
        return None
    others = [each for each in list_tests(files, place) if each not in reached]
    cut = len(place) + 1 if place else 0
    named = (f"./{each[cut:]}" for each in (path, *others))
    launcher = () if interpreter == "node" else (step.words[0],)
    return RunnerCall("node", (*options, "--test", *named), step.variables, launcher, step.folder)


def _are_options(words: tuple[str, ...]) -> bool:
    """Whether the words are options with their values."""
    left = list(words)
    while left and left[0].startswith("-") and left[0] != "--":
        left = left[2:] if left[0] in programs.VALUE_OPTIONS else left[1:]
    return not left


def _reach(files: SubjectFiles, path: str) -> frozenset[str]:
    """Find the files that ``path`` imports by relative names, and itself."""
    found = {path}
    waiting = [path]
    while waiting and len(found) < _MOST_FILES:
        here = waiting.pop()
        for name in _RELATIVE.findall(files.text(here)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
            known = next((target + end for end in _ENDS if target + end in files.known), None)
            if known is not None and known not in found and _SCRIPT.search(known):
                found.add(known)
                waiting.append(known)
    return frozenset(found)
