"""Units, totals, scopes, types and what adapters say of themselves: the small print of the contracts."""

from __future__ import annotations

import json

from repositories import Ended, Repository

from cases.adapters import GOOD, adapters_project, python
from cases.pair import pair
from cases.samples import PYTHON, TRIPLE, claim

KIND = "the small print of contracts"


def notes(repo: Repository, **task: object) -> None:
    """A change of one file, of task T1."""
    repo.policy(["code:diff"], {"reject_unclaimed_changes": True})
    repo.commit({"notes.txt": "one\n"})
    repo.task(type_="change", **task)
    repo.write({"notes.txt": "two\n"})


@pair(1, "MISSING_UNIT", "units.total")
def a_total_that_another_domain_would_bear_out(repo: Repository, lie: bool) -> Ended:
    """One file changed and three functions are new: a task about code counts files."""
    repo.policy(["code:diff", "code:functions"], {"required_artifacts": ["functions.json"]})
    repo.commit(PYTHON)
    repo.task(type_="change")
    repo.write({"calc.py": f"{TRIPLE}\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n"})
    repo.claim(type_="change", units_total=3 if lie else 1)
    return repo.verify()


@pair(1, "CLAIM_INVALID", "claim.valid")
def a_claim_of_another_type(repo: Repository, lie: bool) -> Ended:
    notes(repo)
    repo.claim("file:notes.txt", type_="content" if lie else "change")
    return repo.verify()


@pair(2, says="endpoints")
def an_endpoint_of_a_scope_in_no_shape(repo: Repository, lie: bool) -> Ended:
    endpoint = {"url": 7, "verb": "GET"} if lie else {"url": "/items", "method": "GET"}
    notes(repo, commitments={"scope": {"endpoints": [endpoint]}})
    claim(repo, "file:notes.txt")
    return repo.verify()


@pair(1, says="VERDICT_IN_CONTENT")
def an_adapter_that_says_that_it_passes(repo: Repository, lie: bool) -> Ended:
    facts = {"errors": 0, **({"verdict": "pass"} if lie else {"warnings": 2})}
    adapters_project(
        repo,
        python(f"if sys.argv[1] != 'mine:check': sys.exit(2)\njson.dump({facts!r}, open(task + '/check.json', 'w'))\n"),
    )
    return repo.gate("adapter", "check", "adapters/mine")


@pair(2, says="cap")
def a_urn_that_is_none(repo: Repository, lie: bool) -> Ended:
    urn = "cap:op=check;op=other" if lie else "cap:op=check;ext=other"
    capability = {"name": "mine:check", "urn": urn, "outputs": [{"path": "check.json"}]}
    adapters_project(repo, GOOD, capabilities=[capability])
    return repo.verify()


@pair(2, says="media")
def an_output_of_a_type_that_nobody_knows(repo: Repository, lie: bool) -> Ended:
    spec = "mine:nothing.v1" if lie else "media:object"
    capability = {"name": "mine:check", "outputs": [{"path": "check.json", "media_spec": spec}]}
    adapters_project(repo, GOOD, capabilities=[capability])
    return repo.verify()


@pair(3, "ADAPTER_CRASH", "capability:mine:check")
def a_predecessor_that_fails_and_a_follower_that_would_not_notice(repo: Repository, lie: bool) -> Ended:
    adapters_project(repo, "#!/bin/sh\nexit 1\n" if lie else GOOD, second='#!/bin/sh\nprintf "{}" > "$3/second.json"\n')
    return repo.verify()


@pair(3, says="not verified")
def a_record_of_what_was_run_that_was_edited(repo: Repository, lie: bool) -> Ended:
    notes(repo)
    claim(repo, "file:notes.txt")
    first = repo.verify()
    if first.exit_code != 0:
        return first
    if lie:
        path = repo.artifact("run.json")
        document = json.loads(path.read_bytes())
        document["runs"] = []
        path.write_text(json.dumps(document))
    return repo.gate("replay", "T1")
