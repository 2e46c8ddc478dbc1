"""Read the simple commands of a shell text that an agent is about to run, as far as words can be read.

That finds what is written openly. It holds nobody who hides a command in a script: what lands is verified again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from verigate.integrations.agents.shell_inner import list_inner
from verigate.integrations.agents.shell_text import HERE, fold, split_operators

MAX_TEXT = 200_000
"""Characters of a text that are read."""

_NESTED = 4
_LONGEST = 4096
_SEPARATORS = frozenset(";&|()`\n")
_REDIRECTS = frozenset("<>&|")
_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*['\"]?(\w+)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_WRAPPERS = frozenset(
    {
        *("command", "exec", "env", "nohup", "time", "builtin"),
        *("if", "then", "elif", "else", "while", "until", "do", "!", "{"),
    }
)
"""Words before a program that take no argument: programs, and the shell's own."""

_CONDITIONS = frozenset({"if", "elif", "while", "until", "!"})

_TAKE_ARGUMENTS = frozenset(
    {
        *("timeout", "nice", "ionice", "stdbuf", "flock", "xargs", "sudo", "doas", "setsid", "busybox"),
        *("npx", "bunx", "uvx", "uv", "poetry", "pipx", "pdm", "pnpm", "yarn", "bundle", "mise"),
    }
)
_STARTED = frozenset(
    {
        *("git", "gate", "sh", "bash", "dash", "zsh", "ksh", "pre-commit", "prek", "lefthook", "husky"),
        *("rm", "mv", "cp", "tee", "truncate", "chmod", "ln", "unlink", "rmdir", "shred", "sed", "perl", "dd", "find"),
    }
)
_EXPORTS = frozenset({"export", "declare", "typeset", "readonly", "local"})
_ENTERS = frozenset({"cd", "pushd"})


class ShellCall(Struct, frozen=True):
    """One simple command: its words, the assignments before it, and the files that it redirects its output to.

    ``folder`` is where it runs, relative to where the text begins, as far as ``cd`` says so.
    """

    words: tuple[str, ...]
    assignments: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    folder: str = ""

    @property
    def program(self) -> str:
        """The program's name without its folder; empty for assignments alone."""
        return self.words[0].rpartition("/")[2] if self.words else ""

    def place(self, path: str) -> str:
        """Return a path as it is from where the text begins."""
        if path == HERE or path.startswith(f"{HERE}/"):
            path = path.removeprefix(HERE).lstrip("/") or "."
        return path if path.startswith("~") or not self.folder else str(PurePosixPath(self.folder, path))


def list_calls(text: str, depth: int = _NESTED, folder: str = "") -> Iterator[ShellCall]:
    """List the simple commands of a text, and those that its shells, evals, substitutions and programs would run."""
    outer: list[str] = []
    for tokens, closed in _split(_read_tokens(_drop_documents(fold(text[:MAX_TEXT])))):
        call = replace(_read_call(tokens), folder=folder)
        yield call
        if depth:
            for inner in list_inner(call.program, call.words, call.assignments):
                yield from list_calls(inner, depth - 1, folder)
        folder = _enter(call)
        for mark in closed:
            if mark == "(":
                outer.append(folder)
            elif mark == ")" and outer:
                folder = outer.pop()


class OuterCall(Struct, frozen=True):
    """A command of the text itself, not of what it runs. ``before`` and ``after`` are the operators around it.

    ``negated``: its exit code is turned round, or is a condition.
    """

    call: ShellCall
    before: str
    after: str
    negated: bool


def list_outer(text: str) -> list[OuterCall]:
    """List the commands of a text in order, with the operators between them (``&&``, ``|``, a line's end)."""
    found: list[OuterCall] = []
    for tokens, closed in _split(_read_tokens(_drop_documents(fold(text[:MAX_TEXT])))):
        if not tokens:
            # The second half of an operator, an empty line, or a parenthesis.
            if found:
                found[-1] = replace(found[-1], after=found[-1].after + closed)
            continue
        before = found[-1].after if found else ""
        found.append(OuterCall(_read_call(_drop_descriptors(tokens)), before, closed, tokens[0] in _CONDITIONS))
    return found


def _drop_descriptors(tokens: list[str]) -> list[str]:
    """Leave out the numbers of descriptors before a redirection, which would be read as words."""
    after = [*tokens[1:], ""]
    return [
        one
        for one, two in zip(tokens, after, strict=True)
        if not (one in {"0", "1", "2"} and set(two) <= _REDIRECTS and two)
    ]


def _enter(call: ShellCall) -> str:
    """Return the folder after a call. One that only the shell knows is taken for where it was."""
    named = [word for word in call.words[1:] if not word.startswith("-")]
    if call.program not in _ENTERS or len(named) != 1 or len(call.folder) > _LONGEST:
        return call.folder
    place = call.place(named[0])
    return call.folder if "$" in place else place


def _drop_documents(text: str) -> str:
    """Leave out the lines of here-documents: they are input, and no commands."""
    kept: list[str] = []
    until: str | None = None
    for line in text.split("\n"):
        if until is not None:
            rest = line.strip().removeprefix(until)
            if rest != line.strip() and not re.match(r"\w", rest):
                until = None
                kept.append(rest)
            continue
        kept.append(line)
        if (found := _HEREDOC.search(line)) is not None:
            until = found[1]
    return "\n".join(kept)


def _read_tokens(text: str) -> list[str]:
    reader = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>`\n")
    reader.whitespace, reader.whitespace_split, reader.commenters = " \t\r", True, ""
    try:
        return [part for token in reader for part in _part(token)]
    except ValueError:
        # A quote that doesn't end.
        return re.findall(r"\n|[^\s]+", text)


def _part(token: str) -> list[str]:
    return split_operators(token) if token and set(token) <= _SEPARATORS | _REDIRECTS else [token]


def _split(tokens: list[str]) -> Iterator[tuple[list[str], str]]:
    """Split at separators; yields the tokens of a command, and what ended it."""
    found: list[str] = []
    for token in tokens:
        if token and set(token) <= _SEPARATORS:
            yield found, token
            found = []
        else:
            found.append(token)
    yield found, ""


def _read_call(tokens: list[str]) -> ShellCall:
    words: list[str] = []
    written: list[str] = []
    assignments: list[str] = []
    rest = iter(tokens)
    for token in rest:
        if token and set(token) <= _REDIRECTS:
            target = next(rest, "")
            written += [target] if ">" in token else []
        elif not words and _ASSIGNMENT.match(token):
            assignments.append(token)
        elif not words and (token.rpartition("/")[2] in _WRAPPERS or token.startswith("-")):
            # env -i git ...: the options of the wrapper.
            continue
        else:
            words.append(token)
    if words and words[0].rpartition("/")[2] in _TAKE_ARGUMENTS:
        # timeout 60 git ...: whatever the arguments of the wrapper are.
        names = [word.rpartition("/")[2] for word in words]
        started = next((index for index, name in enumerate(names) if name in _STARTED and index), 0)
        words = words[started:]
    if words and words[0] in _EXPORTS:
        assignments += [word for word in words[1:] if _ASSIGNMENT.match(word)]
    return ShellCall(tuple(words), tuple(assignments), tuple(written))
