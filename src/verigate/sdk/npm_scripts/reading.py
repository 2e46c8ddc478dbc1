"""Find what a script of a package.json starts, through wrappers and other scripts, from its text."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from verigate.sdk.npm_scripts import programs
from verigate.sdk.npm_scripts.shell_words import NeedsShellError, split_script
from verigate.sdk.npm_scripts.steps import (
    LinterCall,
    OpaqueCommand,
    OtherCommand,
    RunnerCall,
    ScriptStep,
    WorkspaceCall,
)
from verigate.sdk.npm_scripts.workspace_calls import read_workspace_call

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_VERSION = re.compile(r"(?<=\w)@[^/]*$")
"""The version in ``npx jest@29``."""

_SCOPE = re.compile(r"^@[^/]+/(?=[^/]+$)")
"""The scope of a package: its program has the name without it."""

_NESTED = 8
_MANAGERS = frozenset({"npm", "pnpm", "yarn", "yarnpkg", "bun"})
_NOT_SCRIPTS = frozenset(
    {"install", "i", "ci", "add", "exec", "dlx", "x", "pack", "publish", "audit", "link", "node", "config", "rebuild"}
)
_TESTS = re.compile(r"test|spec|unit|e2e|check|verify|^ci\b|coverage|cover")
_PNPM_PATTERN = re.compile(r"/(\^?[\w:-]*(?:\.[*+])?[\w:-]*\$?)/")
"""A regular expression of pnpm for names of scripts. It is of the subject: one that could take long is no pattern."""

_EMPTY: Mapping[str, str] = MappingProxyType({})


class _Call(Struct, frozen=True):
    """A simple command on its way to a step."""

    words: tuple[str, ...]
    variables: Mapping[str, str] = _EMPTY
    folder: str = ""
    depth: int = 0
    script: str = ""


def read_script(package: Mapping[str, object], name: str = "test", depth: int = 0) -> Iterator[ScriptStep]:
    """Yield the steps of ``scripts[name]`` of a package.json, with those of its pre and post scripts, in order."""
    scripts = package.get("scripts")
    if isinstance(scripts, Mapping):
        yield from _Reader(package, scripts).read(name, (), _Call((), depth=depth))


def uses_typescript(package: Mapping[str, object]) -> bool:
    """Whether a package.json depends on typescript or has a script with tsc."""
    tables = [package.get(name) for name in ("dependencies", "devDependencies", "peerDependencies")]
    scripts = package.get("scripts")
    texts = scripts.values() if isinstance(scripts, Mapping) else ()
    declared = any(isinstance(table, Mapping) and "typescript" in table for table in tables)
    return declared or any(isinstance(text, str) and re.search(r"\btsc\b", text) for text in texts)


class _Reader:
    def __init__(self, package: Mapping[str, object], scripts: Mapping[str, object]) -> None:
        self._package = package
        self._scripts = scripts

    def read(self, name: str, arguments: Sequence[str], call: _Call) -> Iterator[ScriptStep]:
        """Yield the steps of the script ``name``; ``arguments`` are appended to its last command."""
        if call.depth > _NESTED:
            return
        for part in (f"pre{name}", name, f"post{name}"):
            text = self._scripts.get(part)
            if isinstance(text, str):
                more = tuple(arguments) if part == name else ()
                yield from self.read_text(text, more, replace(call, script=part))

    def read_text(self, text: str, arguments: tuple[str, ...], call: _Call) -> Iterator[ScriptStep]:
        try:
            commands = split_script(text, call.variables)
        except NeedsShellError as error:
            yield OpaqueCommand(text, str(error))
            return
        folder = call.folder
        for index, command in enumerate(commands):
            words = command.words + (arguments if index == len(commands) - 1 else ())
            if words[0] == "cd" and len(words) == 2:
                folder = posixpath.normpath(posixpath.join(folder, words[1]))
                if folder.startswith(("..", "/")):
                    yield OpaqueCommand(text, "it leaves the package")
                    return
                folder = "" if folder == "." else folder
            elif command.doubtful:
                yield OpaqueCommand(text, "it has '||', which hides how a command ended")
                return
            else:
                yield from self.read_words(replace(call, words=words, folder=folder, depth=call.depth + 1))

    def read_words(self, call: _Call) -> Iterator[ScriptStep]:
        words, variables = list(call.words), dict(call.variables)
        while words:
            word = words[0]
            name = word.rpartition("/")[2]
            if (assignment := _ASSIGNMENT.fullmatch(word)) is not None:
                variables[assignment[1]] = assignment[2]
                words.pop(0)
            elif name in {"cross-env", "cross-env-shell", "env", "exec", "command", "time", "--", "export"}:
                words.pop(0)
            elif name in {"npx", "bunx", "pnpx"}:
                words = _drop_options(words[1:], frozenset({"-p", "--package", "-c", "--call"}))
                words[:1] = [_SCOPE.sub("", _VERSION.sub("", word)) for word in words[:1]]
            elif name in {"dotenv", "dotenvx"}:
                words = words[words.index("--") + 1 :] if "--" in words else []
            elif name in {"c8", "nyc"}:
                words = _drop_options(words[1:], programs.COVERAGE_VALUE_OPTIONS)
                if words[:1] in (["report"], ["check-coverage"], ["merge"], ["instrument"]):
                    return
            elif name in _MANAGERS and words[1:2] in (["exec"], ["dlx"], ["x"]):
                words = _drop_options(words[2:], frozenset({"-p", "--package", "-c", "--call"}))
                words[:1] = [_SCOPE.sub("", word) for word in words[:1]]
            elif name in {"yarn", "yarnpkg", "pnpm"} and self._is_program(words[1:2]):
                words.pop(0)
            else:
                break
        if words:
            yield from self._read_program(replace(call, words=tuple(words), variables=variables))

    def _is_program(self, word: list[str]) -> bool:
        """Whether ``yarn WORD`` starts a program: no script and no command of the package manager has that name."""
        known = {"run", "test", "t", "workspace", "workspaces", "build", *_NOT_SCRIPTS}
        return bool(word) and not word[0].startswith("-") and word[0] not in known and word[0] not in self._scripts

    def _read_program(self, call: _Call) -> Iterator[ScriptStep]:
        name = call.words[0].rpartition("/")[2]
        rest = call.words[1:]
        if (inside := read_workspace_call(name, rest)) is not None:
            tests = _TESTS.search(inside.script)
            yield inside if tests else OtherCommand(call.words, call.variables, call.folder)
        elif name in _MANAGERS:
            yield from self._read_manager(name, list(rest), call)
        elif name in {"run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"}:
            yield from self._read_several(name, rest, call)
        elif name == "wireit":
            yield from self._read_wireit(call)
        elif name in programs.INTERPRETERS:
            yield _read_interpreted(call)
        elif (runner := _read_runner(name, rest, call)) is not None:
            yield runner
        elif name in programs.UNKNOWN_RUNNERS:
            yield OpaqueCommand(" ".join(call.words), f"{name} is a test runner whose report can't be read", name)
        elif name == "gts" and rest[:1] in (("lint",), ("check",)):
            yield LinterCall("eslint", rest[1:] or programs.GTS_ARGUMENTS, call.variables, call.folder)
        elif name in programs.LINTERS:
            yield LinterCall(name, rest, call.variables, call.folder)
        elif name not in programs.SILENT:
            yield OtherCommand(call.words, call.variables, call.folder)

    def _read_manager(self, name: str, words: list[str], call: _Call) -> Iterator[ScriptStep]:
        """``npm run NAME -- arguments`` and its kin."""
        words = [word for word in words if word not in {"-s", "--silent", "-q", "--quiet", "--if-present"}]
        if name == "bun" and words[:1] == ["test"]:
            yield OpaqueCommand(" ".join(call.words), "bun is a test runner whose report can't be read", "bun")
            return
        if words[:1] in (["run"], ["run-script"], ["rum"]):
            words = [word for word in words[1:] if word not in {"-s", "--silent", "-q", "--if-present"}]
        elif words[:1] in (["t"], ["tst"]):
            words = ["test", *words[1:]]
        if not words or (words[0] in _NOT_SCRIPTS and words[0] not in self._scripts):
            # An audit asks a registry about dependencies: it tests nothing here, and there is no network.
            if words and words[0] != "audit":
                yield OtherCommand(call.words, call.variables, call.folder)
            return
        script, arguments = words[0], words[1:]
        arguments = [word for word in arguments if word != "--"] if arguments[:1] == ["--"] else arguments
        if call.folder:
            yield WorkspaceCall(script, tuple(arguments), (f"./{call.folder}",))
        elif name == "pnpm" and (pattern := _PNPM_PATTERN.fullmatch(script)) is not None:
            yield from self._read_matching(re.compile(pattern[1]), arguments, call)
        elif isinstance(self._scripts.get(script), str):
            yield from self._read_named(script, arguments, call)
        else:
            yield OpaqueCommand(" ".join(call.words), f"no script is called {script!r}")

    def _read_matching(self, pattern: re.Pattern[str], arguments: Sequence[str], call: _Call) -> Iterator[ScriptStep]:
        """``pnpm run /^test:.*/``: https://pnpm.io/cli/run#running-multiple-scripts."""
        names = [name for name in self._scripts if pattern.search(name) and name != call.script]
        for name in names:
            yield from self._read_named(name, arguments, call)
        if not names:
            yield OpaqueCommand(" ".join(call.words), "no script has such a name")

    def _read_named(self, script: str, arguments: Sequence[str], call: _Call) -> list[ScriptStep]:
        """Read another script; npm runs one without a runner in it whole, since it may use what only npm sets."""
        steps = list(self.read(script, arguments, call))
        builds = bool(steps) and all(isinstance(step, OtherCommand) for step in steps)
        more = ("--", *arguments) if arguments else ()
        return [OtherCommand(("npm", "run", script, *more), call.variables)] if builds else steps

    def _read_several(self, program: str, words: Sequence[str], call: _Call) -> Iterator[ScriptStep]:
        given = [word for word in words if not word.startswith("-")]
        for word in given:
            if program == "concurrently" and not word.startswith(("npm:", "pnpm:", "yarn:")):
                yield from self.read_text(word, (), call)
                continue
            pattern = word.partition(":")[2] if program == "concurrently" else word.split(" ")[0]
            # In npm-run-all's patterns ":" separates as "/" does in paths, and "**" spans several parts.
            names = [name for name in self._scripts if _matches_script(name, pattern)]
            for name in names:
                yield from self._read_named(name, word.split(" ")[1:], call)
            if not names:
                yield OpaqueCommand(word, "no script has this name")

    def _read_wireit(self, call: _Call) -> Iterator[ScriptStep]:
        table = self._package.get("wireit")
        yield from self._read_wireit_script(table if isinstance(table, Mapping) else {}, call.script, call, set())

    def _read_wireit_script(
        self, table: Mapping[str, object], name: str, call: _Call, seen: set[str]
    ) -> Iterator[ScriptStep]:
        entry = table.get(name)
        if not isinstance(entry, Mapping) or name in seen:
            yield OpaqueCommand(f"wireit {name}".strip(), "wireit has no entry for it")
            return
        seen.add(name)
        needs = entry.get("dependencies")
        for need in needs if isinstance(needs, list) else ():
            script = need.get("script") if isinstance(need, Mapping) else need
            if isinstance(script, str) and script in table:
                yield from self._read_wireit_script(table, script, call, seen)
            elif isinstance(script, str) and script in self._scripts:
                yield from self.read(script, (), call)
            else:
                yield OpaqueCommand(f"wireit {script}", "it runs a script of another package")
        command = entry.get("command")
        if isinstance(command, str):
            yield from self.read_text(command, (), call)


def _matches_script(name: str, pattern: str) -> bool:
    if not any(sign in pattern for sign in "*?["):
        return name == pattern
    parts = re.split(r"(\*\*|\*)", pattern)
    expression = "".join(
        ".*" if part == "**" else "[^:]*" if part == "*" else fnmatch.translate(part)[4:-3] for part in parts
    )
    return re.fullmatch(expression, name) is not None


def _drop_options(words: list[str], with_value: frozenset[str]) -> list[str]:
    """Return ``words`` from the first one that is neither an option nor the value of one."""
    position = 0
    while position < len(words) and words[position].startswith("-"):
        if words[position] == "--":
            return words[position + 1 :]
        position += 2 if words[position] in with_value else 1
    return words[position:]


def _read_runner(name: str, rest: tuple[str, ...], call: _Call) -> RunnerCall | None:
    """Read a call of a known runner, by its own program or by one that hands its options on."""
    if name in programs.RUNNERS:
        return RunnerCall(programs.RUNNERS[name], rest, call.variables, (), call.folder)
    if name in programs.JEST_WRAPPERS and rest[:1] == (programs.JEST_WRAPPERS[name],):
        return RunnerCall("jest", rest[1:], call.variables, (name, rest[0]), call.folder)
    if name in programs.MOCHA_WRAPPERS:
        return RunnerCall("mocha", rest, call.variables, (name,), call.folder)
    if name == "ts-scripts" and rest[:1] in {("test",), ("specs",)}:
        built = (OtherCommand(("ts-scripts", "build", "--no-clean"), call.variables, call.folder),)
        return RunnerCall("vitest", ("run",), call.variables, (), call.folder, built if rest[0] == "test" else ())
    return None


def _read_interpreted(call: _Call) -> ScriptStep:
    """Read ``node [options] program``: node's own test runner, a runner by its file, or a program of the project."""
    interpreter, rest = call.words[0], call.words[1:]
    if "--test" in rest:
        launcher: tuple[str, ...] = () if interpreter.rpartition("/")[2] == "node" else (interpreter,)
        return RunnerCall("node", rest, call.variables, launcher, call.folder)
    program = _drop_options(list(rest), programs.VALUE_OPTIONS)
    options = rest[: len(rest) - len(program)]
    runner = _find_runner_by_path(program[0]) if program else None
    if runner is not None:
        launcher = (interpreter, *(word for word in options if word != "--"))
        return RunnerCall(runner, tuple(program[1:]), call.variables, launcher, call.folder)
    return OtherCommand(call.words, call.variables, call.folder)


def _find_runner_by_path(path: str) -> str | None:
    """``node_modules/.bin/jest``, ``node_modules/jest/bin/jest.js``, ``../../node_modules/vitest/vitest.mjs``."""
    _, found, inner = path.rpartition("node_modules/")
    parts = inner.split("/")
    if not found:
        return None
    name = parts[1] if parts[0] == ".bin" and len(parts) > 1 else parts[0]
    return programs.RUNNERS.get(name)
