"""Read the simple commands of a shell text that an agent is about to run, as far as words can be read.

That finds what is written openly. It holds nobody who hides a command in a script: what lands is verified again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from msgspec import Struct

MAX_TEXT = 200_000
"""Characters of a text that are read."""

_NESTED = 4
_SEPARATORS = frozenset(";&|()`\n")
_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*['\"]?(\w+)")
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_WRAPPERS = frozenset(
    {
        *("command", "exec", "env", "nohup", "time", "builtin"),
        *("if", "then", "elif", "else", "while", "until", "do", "!", "{"),
    }
)
"""Words before a program that take no argument: programs, and the shell's own."""

_TAKE_ARGUMENTS = frozenset({"timeout", "nice", "ionice", "stdbuf", "flock", "xargs", "sudo", "doas", "setsid"})


class ShellCall(Struct, frozen=True):
    """One simple command: its words, the assignments before it, and the files that it redirects its output to."""

    words: tuple[str, ...]
    assignments: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """The program's name without its folder; empty for assignments alone."""
        return self.words[0].rpartition("/")[2] if self.words else ""


def list_calls(text: str, depth: int = _NESTED) -> Iterator[ShellCall]:
    """List the simple commands of a text, and those that its shells, evals and substitutions would run."""
    for tokens in _split(_read_tokens(_drop_documents(text[:MAX_TEXT]))):
        call = _read_call(tokens)
        yield call
        if depth:
            for inner in _list_inner(call):
                yield from list_calls(inner, depth - 1)


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
        return list(reader)
    except ValueError:
        # A quote that doesn't end.
        return re.findall(r"\n|[^\s]+", text)


def _split(tokens: list[str]) -> Iterator[list[str]]:
    found: list[str] = []
    for token in tokens:
        if token and set(token) <= _SEPARATORS:
            yield found
            found = []
        else:
            found.append(token)
    yield found


def _read_call(tokens: list[str]) -> ShellCall:
    words: list[str] = []
    written: list[str] = []
    assignments: list[str] = []
    rest = iter(tokens)
    for token in rest:
        if token and set(token) <= frozenset("<>&"):
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
        started = next((index for index, name in enumerate(names) if name in {"git", "gate", *_SHELLS}), 0)
        words = words[started:]
    return ShellCall(tuple(words), tuple(assignments), tuple(written))


def _list_inner(call: ShellCall) -> Iterator[str]:
    for word in (*call.words, *call.assignments):
        yield from (found[1] or found[2] or "" for found in _SUBSTITUTION.finditer(word))
    if call.program == "eval":
        yield " ".join(call.words[1:])
    if call.program in _SHELLS:
        for option, text in zip(call.words[1:], call.words[2:], strict=False):
            if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
                yield text
                return
