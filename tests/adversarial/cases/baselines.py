"""Findings that hide behind a baseline: added to it, copies of what it covers, covered lines that were edited."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import claim, environment

LANGUAGE = "Python"

FILE = "config/verigate-baseline.json"
OLD = "import os\n\n\ndef old():\n    return 1\n"
CLEAN = OLD + "\n\ndef added():\n    return 2\n"
FOUND = OLD + "\n\ndef added():\n    import json\n"


def project(repo: Repository) -> None:
    """A repository with one finding that its baseline covers; task T1 is begun."""
    environment(repo)
    repo.policy(("code:lint",), {"lint_errors_max": 0})
    repo.commit({"old.py": OLD})
    repo.gate("baseline", "write", "--quiet")
    repo.commit()
    repo.task(type_="change")
    claim(repo, "file:old.py")


@pair(1, "INTEGRITY_FAIL", "gate.judges")
def an_entry_for_its_own_finding(repo: Repository, lie: bool) -> Ended:
    project(repo)
    repo.write({"old.py": FOUND if lie else CLEAN})
    repo.gate("baseline", "write", "--quiet")
    return repo.verify()


@pair(1, "INTEGRITY_FAIL", "gate.judges")
def an_entry_that_lasts_longer(repo: Repository, lie: bool) -> Ended:
    """The honest one lets it end a day earlier, which asks more."""
    project(repo)
    repo.write({"old.py": CLEAN})
    document = json.loads((repo.root / FILE).read_text())
    ends = datetime.now(UTC).date() + timedelta(days=91 if lie else 89)
    document["entries"][0]["expires"] = ends.isoformat()
    repo.write({FILE: json.dumps(document)})
    return repo.verify()


@pair(1, "LINT_FAIL", "code.lint_errors_max")
def a_copy_of_a_covered_finding(repo: Repository, lie: bool) -> Ended:
    project(repo)
    repo.write({"old.py": f"{OLD}import os\n" if lie else f"\n\n{OLD}"})
    return repo.verify()


@pair(1, "LINT_FAIL", "code.lint_errors_max")
def a_covered_finding_in_an_edited_line(repo: Repository, lie: bool) -> Ended:
    project(repo)
    repo.write({"old.py": CLEAN.replace("import os\n", "import os  # as ever\n") if lie else CLEAN})
    return repo.verify()


@pair(2, says="'expires' is missing")
def an_entry_for_ever(repo: Repository, lie: bool) -> Ended:
    project(repo)
    repo.write({"old.py": CLEAN})
    document = json.loads((repo.root / FILE).read_text())
    if lie:
        del document["entries"][0]["expires"]
    repo.write({FILE: json.dumps(document)})
    return repo.verify()
