"""The policy of the first verdict: what the repository is like now, and not how its last commit came about.

The present commit landed before there was a gate. What it weakened, and that it changed policy files, was its authors'
to decide; code:integrity and the rule on policy changes begin with the next change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from verigate.formats import strict_json
from verigate.integrations.setup.tightening import PLAN_FILE, PROFILE, PROFILES_FILE, TASK_TYPE

_NOT_YET = "code:integrity"


def make_first_policy(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return ``files`` (path -> content of config/) with the rules on how a change came about left out."""
    made = dict(files)
    for path, change in ((PLAN_FILE, _leave_out), (PROFILES_FILE, _relax)):
        try:
            document = strict_json.loads(files[path])
        except (KeyError, strict_json.StrictJsonError):
            continue  # The verification reports what is wrong with it.
        if isinstance(document, dict):
            change(document)
            made[path] = json.dumps(document).encode()
    return made


def _leave_out(plan: dict[str, object]) -> None:
    entry = plan.get(TASK_TYPE)
    if not isinstance(entry, dict):
        return
    for key in ("order", "required", "optional"):
        if isinstance(entry.get(key), list):
            entry[key] = [name for name in entry[key] if name != _NOT_YET]


def _relax(profiles: dict[str, object]) -> None:
    profile = profiles.get(PROFILE)
    if isinstance(profile, dict):
        profile |= {"integrity": None, "allow_policy_change": True}
