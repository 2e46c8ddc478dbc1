"""What suppresses findings in Kotlin and is no comment, and how its code finds out that it is being tested."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.silencers import Silencer
from verigate.sdk.languages.kotlin_routes import read_annotation
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

DETECTION = re.compile(
    r"\bgetProperty\s*\(\s*\"(?:surefire\.[\w.]*|org\.gradle\.test\.worker)\"|"
    r"\b(?:forName|loadClass)\s*\(\s*\"(?:org\.junit|junit\.framework|org\.testng|kotlin\.test|io\.kotest|"
    r"androidx\.test)\."
)


def read_silencer(node: Node) -> Silencer | None:
    """Read ``@Suppress("...")`` and its like, also of a whole file."""
    if node.type not in {"annotation", "file_annotation"}:
        return None
    name = read_annotation(node)
    if name not in {"Suppress", "SuppressWarnings", "SuppressLint", "SuppressFBWarnings"}:
        return None
    codes = tuple(sorted(set(re.findall(r'"([^"]+)"', text_of(node)))))
    return Silencer("kotlin", codes, "", " ".join(text_of(node).split())[:160])
