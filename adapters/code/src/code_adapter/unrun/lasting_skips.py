"""Tests that stay unrun whatever the code is: marked so without a condition, or with one about the machine alone."""

from __future__ import annotations

import re

from code_adapter.unrun.reported_names import Seen
from verigate.sdk.languages import language_of

_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MACHINE = frozenset(
    {
        *("sys", "platform", "version_info", "version", "hexversion", "implementation", "maxsize", "byteorder"),
        *("os", "name", "environ", "get", "getenv", "system", "machine", "python_implementation", "startswith"),
        *("not", "or", "and", "in", "is", "None", "True", "False"),
    }
)
"""Words of a condition that asks about the machine."""

_PYTHON_SKIP = re.compile(
    r"@(?:\w+\.)*(?:skip\b(?!\s*\([^)\n]*\bif\b)|xfail\b\s*(?:$|\(\s*(?:\)|(?:reason|raises|strict|run)\s*=)))",
    re.MULTILINE,
)
_PYTHON_CONDITION = re.compile(
    r"@(?:\w+\.)*(?:skipif|skipIf|skipUnless)\(\s*(?P<condition>[^\n]*?)(?:,\s*(?:reason\b|[\"'])|$)", re.MULTILINE
)
_SCRIPT_SKIP = re.compile(r"(?:x(?:it|test|specify)|(?:it|test|specify)\.(?:skip|todo))\b")
_GO_EXAMPLE = re.compile(r"\Afunc Example\w*\((?:(?!//\s*(?:Unordered )?[Oo]utput:).)*\Z", re.DOTALL)
_GO_BUILD = re.compile(r"^//(?:go:build| \+build) ", re.MULTILINE)
_GO_PLATFORM = re.compile(
    r"_(?:windows|darwin|freebsd|netbsd|openbsd|solaris|plan9|js|wasm|aix|android|ios)\w*_test\.go$"
)
_RUST_IGNORE = re.compile(r"#\[\s*ignore\b")


def stays_unrun(path: str, form: str, text: str, seen: Seen) -> bool:
    """Whether the code has no say in it that a test, with the source ``form`` in a file with ``text``, doesn't run."""
    language = language_of(path)
    if language == "python":
        conditions = [found["condition"] for found in _PYTHON_CONDITION.finditer(form)]
        return bool(_PYTHON_SKIP.search(form)) or any(map(_is_of_the_machine, conditions))
    if language == "go":
        unbuilt = bool(_GO_BUILD.search(text)) or bool(_GO_PLATFORM.search(path))
        return bool(_GO_EXAMPLE.search(form)) or (seen is Seen.NEVER and unbuilt)
    if language == "rust":
        return bool(_RUST_IGNORE.search(form))
    return bool(_SCRIPT_SKIP.match(form))


def _is_of_the_machine(condition: str) -> bool:
    words = _WORD.findall(_STRING.sub("", condition))
    return bool(words) and _MACHINE.issuperset(words)
