"""The name under which a finding is known again: the one in reports and in a baseline.

It is made of what stays when lines move, and of what the finding is about: the content of its line. No line number is
in it, also none that a message mentions ("redefinition of `os` from line 12").
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

_LINES = re.compile(r"\b(lines?) \d+(?:(?:-|:| and | to )\d+)?", re.IGNORECASE)

_ISSUE = ("path", "tool", "rule", "severity", "message", "line_sha256")


def compute_fingerprint(*parts: str) -> str:
    """The fingerprint of what these parts say, 64 hex digits; where one part ends and the next begins counts."""
    told = "".join([f"{len(part)}:{part}" for part in parts])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_issue(issue: Mapping[str, Any]) -> str:
    """The fingerprint of a member of lint.json's ``issues``.

    Its path, tool, rule, severity, message and the digest of its line, as far as they are known. A warning that became
    an error is another finding; so is one whose line was edited.
    """
    path, tool, rule, severity, message, line = [str(issue.get(key) or "") for key in _ISSUE]
    return compute_fingerprint(
        "verigate:lint.v1", path.removeprefix("./"), tool, rule, severity, _LINES.sub(r"\1", message), line
    )


def number_fingerprint(fingerprint: str, before: int) -> str:
    """The fingerprint of one of several equal findings; ``before`` counts those that come first, which keep theirs."""
    return compute_fingerprint(fingerprint, str(before)) if before else fingerprint
