"""What suppresses findings in C# and is no comment, and how its code finds out that it is being tested."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.silencers import Silencer, split_codes
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_RUNNERS = r"(?:xunit|nunit|mstest|testhost|testplatform|vstest|tunit)"
DETECTION = re.compile(
    rf"(?i)\bGetAssemblies\(\)[^;]{{0,300}}{_RUNNERS}|\b(?:Get(?:Entry|Calling)Assembly\(\)|ProcessName)[^;\n]{{0,120}}{_RUNNERS}|"
    rf"\b(?:Type\.GetType|Assembly\.Load)\(\s*@?\"{_RUNNERS}|\bGetCommandLineArgs\(\)[^;\n]{{0,120}}{_RUNNERS}"
)
_PRAGMA = re.compile(r"#\s*pragma\s+warning\s+disable\b(?P<codes>[^/\n]*)(?://(?P<reason>.*))?")
_ATTRIBUTE = re.compile(
    r"(?:\w+\.)*(?P<name>(?:Unconditional)?SuppressMessage|ExcludeFromCodeCoverage)(?:Attribute)?\b"
)
_CODE = re.compile(r"\"(?P<code>[A-Z]+\d+)\b[^\"]*\"")
_JUSTIFIED = re.compile(r"Justification\s*=\s*@?\"(?P<reason>[^\"]*)\"")


def _name_code(code: str) -> str:
    """``618`` is a warning of the compiler, which calls it CS0618."""
    return f"CS{code:0>4}" if code.isdigit() else code


def read_silencer(node: Node) -> Silencer | None:
    """Read a pragma of the compiler, or an attribute for analysers or for coverage."""
    if node.type == "preproc_pragma":
        match = _PRAGMA.match(text_of(node))
        if match is None:
            return None
        return Silencer(
            "csharp",
            tuple(sorted(map(_name_code, split_codes(match["codes"].strip())))),
            match["reason"] or "",
            text_of(node).strip()[:160],
        )
    found = _ATTRIBUTE.match(text_of(node)) if node.type == "attribute" else None
    if found is None:
        return None
    text = text_of(node)
    justified = _JUSTIFIED.search(text)
    reason = justified["reason"] if justified is not None else ""
    if found["name"] == "ExcludeFromCodeCoverage":
        return Silencer("coverage", (), reason, text[:160])
    return Silencer("csharp", tuple(sorted(set(_CODE.findall(text)))), reason, " ".join(text.split())[:160])
