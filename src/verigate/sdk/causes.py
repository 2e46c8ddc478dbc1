"""Find the line of a failed tool's output that names the cause.

Most tools print it far from the end: Node ends with its loader's stack, Maven with advice, npm with the path of a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from verigate.formats.visible import escape_invisible

MAX_CAUSE = 300
"""Characters of a cause. It is cut between words, so that no part of a secret is left that the gate can't redact."""

_SEARCHED = 256 * 1024
"""Bytes searched at the start and at the end of each stream."""

_LONGEST_LINE = 2000

_SHELL = (r"^(?:\S*/)?\w*sh: (?:(?:line )?\d+: )?(.+: (?:command )?not found)$",)
_NODE = (
    r"^.*?(?:Error(?: \[\w+\])?: )?(Cannot find (?:module|package|dependency) .+)$",
    r"^\s*(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .+)$",
    r"^\s*● .*Error:\n\s*(\S.+)$",
    r"^(ESLint couldn't find .+)$",
    r"^(\S.*\(\d+,\d+\): error TS\d+: .+)$",
    r"^(?:\S*/)?node: (.+)$",
    r"^\s*(FAIL {1,4}\S.*)$",
    r"^\s*(not ok \d+.*)$",
    r"^npm (?:ERR!|error) (?!code |errno |path |command |A complete log|workspace |location |syscall )(.+)$",
)
_PYTHON = (
    r"^E {2,}((?:\w+\.)*\w*(?:Error|Exception|Warning|Exit|Failed)(?:: .+)?)$",
    r"^E {2,}(\S.*)$",
    r"^(?:python\S* -m )?\S+: error: (.+)$",
    r"^(?:INTERNAL)?ERROR(?::|>)? (?!usage: |Traceback|  )(.+)$",
    r"^(?:INTERNALERROR> )?((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Exit)(?:: .+)?)$",
)
_CARGO = (r"^(error(?:\[E\d+\])?: .+)(?:\n\s*--> (\S+:\d+:\d+))?$",)
_GO = (
    r"^(?:vet: )?(\S+\.go:\d+(?::\d+)?: .+)$",
    r"^((?:cgo|panic|fatal error): .+)$",
    r"^go: (?!downloading |finding |extracting )(.+)$",
)
_JAVA = (
    r"^(?:\[ERROR\] )?(\S+\.(?:java|kt):\[?\d+.+)$",
    r"^\[FATAL\] (.+)$",
    r"^\[ERROR\] {4,}(Non-\w+ .+?)(?: -> \[Help \d+\])?$",
    r"^\* What went wrong:\n(.+(?:\n> .+)?)$",
    r"^\[ERROR\] (?!COMPILATION ERROR|Failed to execute goal|To see |Re-run |For more |\[Help|->|\s*$)(.+)$",
    r"^\[ERROR\] (Failed to execute goal .+)$",
)
_ANY = (
    r"^\s*Cause: (.+)$",
    r"^((?:fatal|error|FATAL|ERROR)(?:\[\w+\])?: .+)$",
)
_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "node": _NODE,
    "python": _PYTHON,
    "cargo": _CARGO,
    "go": _GO,
    "java": _JAVA,
}
_PROGRAMS: Mapping[str, str] = {
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "bun", "tsc", "eslint", "xo", "biome"), "node"),
    **dict.fromkeys(("jest", "vitest", "mocha", "ava"), "node"),
    **dict.fromkeys(("pytest", "py.test", "tox", "nox", "uv", "poetry", "unittest", "coverage"), "python"),
    **dict.fromkeys(("rustc", "cross"), "cargo"),
    **dict.fromkeys(("golangci-lint", "gotestsum"), "go"),
    **dict.fromkeys(("mvn", "mvnw", "gradle", "gradlew", "javac"), "java"),
}
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?")


def find_cause(argv: Sequence[str], stdout: bytes, stderr: bytes) -> str:
    """Return the line that names the cause, at most MAX_CAUSE characters; empty if nothing was printed.

    The patterns of the tool's own family are tried first, those of others next: tools start other tools. Where none
    matches, the cause is the last line of stderr, else of stdout. Escape sequences are removed, other control
    characters are escaped.
    """
    texts = [text for stream in (stderr, stdout) if (text := _read(stream))]
    for pattern in _list_patterns(argv):
        compiled = re.compile(pattern, re.MULTILINE)
        for text in texts:
            if found := compiled.search(text):
                return _shorten(_join(found))
    return _shorten(texts[0].rsplit("\n", 1)[-1]) if texts else ""


def _list_patterns(argv: Sequence[str]) -> Iterator[str]:
    named = dict.fromkeys(family for word in argv[:4] if (family := _find_family(word)) is not None)
    yield from _SHELL
    for family in (*named, *(other for other in _FAMILIES if other not in named)):
        yield from _FAMILIES[family]
    yield from _ANY


def _find_family(word: str) -> str | None:
    name = word.rpartition("/")[2].rpartition("\\")[2]
    plain = re.sub(r"[-.\d]+$|\.(?:js|mjs|cjs|cmd|exe|bat)$", "", name)
    return plain if plain in _FAMILIES else _PROGRAMS.get(plain)


def _read(stream: bytes) -> str:
    """Decode the start and the end of a stream, without escape sequences, blank lines and ends of long lines."""
    if len(stream) > 2 * _SEARCHED:
        stream = stream[:_SEARCHED].rpartition(b"\n")[0] + b"\n" + stream[-_SEARCHED:].partition(b"\n")[2]
    text = _CONTROL.sub("", stream.decode("utf-8", "backslashreplace")).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line[:_LONGEST_LINE].rstrip() for line in text.split("\n") if line.strip())


def _join(found: re.Match[str]) -> str:
    groups = [group for group in found.groups() if group]
    if len(groups) > 1:
        return f"{groups[1]}: {groups[0]}"
    return " ".join(line.strip() for line in groups[0].split("\n"))


def _shorten(line: str) -> str:
    line = escape_invisible(line.strip())
    if len(line) <= MAX_CAUSE:
        return line
    return f"{line[: MAX_CAUSE - 1].rpartition(' ')[0]}…"
