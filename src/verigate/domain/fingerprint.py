"""Fingerprints that identify a finding across runs, in reports and in a baseline.

A fingerprint is computed from what stays when lines move, and from the content of the finding's line. It includes no
line numbers, not even those in a message ("redefinition of `os` from line 12").
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

_LINES = re.compile(r"\b(lines?) \d+(?:(?:-|:| and | to )\d+)?", re.IGNORECASE)

_ISSUE = ("path", "tool", "rule", "severity", "message", "line_sha256")


def compute_fingerprint(*parts: str) -> str:
    """Compute the fingerprint of these parts, 64 hex digits; the boundaries between parts count."""
    joined = "".join([f"{len(part)}:{part}" for part in parts])
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_issue(issue: Mapping[str, Any]) -> str:
    """Compute the fingerprint of a member of lint.json's ``issues``.

    It covers path, tool, rule, severity, message and the digest of the line, as far as they are known. A warning that
    became an error is another finding; so is one whose line was edited.
    """
    path, tool, rule, severity, message, line = [str(issue.get(key) or "") for key in _ISSUE]
    return compute_fingerprint(
        "verigate:lint.v1", path.removeprefix("./"), tool, rule, severity, _LINES.sub(r"\1", message), line
    )


def number_fingerprint(fingerprint: str, before: int) -> str:
    """Return the fingerprint of one of several equal findings; ``before`` is the number of equal ones before it."""
    return compute_fingerprint(fingerprint, str(before)) if before else fingerprint
