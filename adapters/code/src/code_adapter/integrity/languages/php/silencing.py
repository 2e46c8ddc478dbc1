"""What suppresses findings in PHP and is no plain comment, and how its code finds out that it is being tested."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.silencers import Silencer
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

DETECTION = re.compile(
    r"\bdefined\s*\(\s*['\"](?:PHPUNIT_COMPOSER_INSTALL|__PHPUNIT_\w+|PHPUNIT_\w+)['\"]|"
    r"\bclass_exists\s*\(\s*['\"\\]*(?:PHPUnit|Pest)\b|\bclass_exists\s*\(\s*\\?(?:PHPUnit|Pest)\\|"
    r"\$(?:_SERVER\s*\[\s*['\"])?argv\b[^;\n]{0,80}(?:phpunit|pest)\b|"
    r"\bgetenv\s*\(\s*['\"]PHPUNIT_\w*"
)
_ATTRIBUTE = re.compile(r"(?:\\?\w+\\)*(?P<name>SuppressWarnings|CodeCoverageIgnore)\b(?P<rest>.*)", re.DOTALL)


def read_silencer(node: Node) -> Silencer | None:
    """Read the attributes of PHPMD and PHPUnit that suppress findings."""
    match = _ATTRIBUTE.match(text_of(node)) if node.type == "attribute" else None
    if match is None:
        return None
    codes = tuple(sorted(set(re.findall(r"PHPMD\.?[\w.]*|(?<=['\"])[\w.]+(?=['\"])", match["rest"]))))
    rule = "coverage" if match["name"] == "CodeCoverageIgnore" else "phpmd"
    return Silencer(rule, codes, "", text_of(node)[:160])
