"""Why what was sent can't be taken, in words that don't say where the server keeps it."""

from __future__ import annotations

import re
from pathlib import Path

from verigate.errors import EvidenceError
from verigate.serve.web.api.operations import RefusedError


def refuse_evidence(problem: EvidenceError, folder: Path) -> RefusedError:
    """Make the answer to what was received in ``folder``: paths in it become those in what was sent."""
    place = re.escape(str(folder))
    # What comes in lies in a hidden folder there, in one of its own.
    received = re.compile(rf"{place}/\.[^/\s]+/[^/\s]+/(?:\.artifacts/)?|{place}")
    shown = received.sub("", f"{problem.message} ({problem.where})")
    return RefusedError(422, shown, received.sub("", problem.hint or ""))
