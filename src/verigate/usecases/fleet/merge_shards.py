"""Merge the shards of a range to the verdicts of all of its commits, or say what prevents it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.commit_text import CommitText
from verigate.domain.commit_verdict import CommitVerdict
from verigate.domain.range_shard import ListedCommit, RangePlan, RangeVerdicts
from verigate.domain.verdict import Verdict, parse_verdict
from verigate.errors import EvidenceError, GateError
from verigate.usecases.fleet.shard_files import ShardFile

_MOST_SAID = 8
_COMMON = {
    "base": "of another range",
    "tip": "of another range",
    "policy": "judged by another policy",
    "commits": "of another list of commits",
    "merges": "of another list of merges",
    "gate": "of another version of the gate",
}


def merge_shards(shards: Sequence[ShardFile], expected: tuple[str, str, Sequence[CommitText]] | None) -> RangeVerdicts:
    """Return the verdicts of all commits, in the order of the range.

    ``expected`` are base, tip and commits (the oldest first) as the repository has them now, None where nobody asked.
    Raises EvidenceError, which names every shard that is missing, doubled or foreign, and every commit without a
    verdict.
    """
    faults = list(_find_foreign(shards)) or [*_find_unexpected(shards[0], expected), *_find_missing(shards)]
    faults = faults or [fault for each in shards for fault in _find_wrong_verdicts(each)]
    faults = faults or list(_find_moved_policy(shards))
    if faults:
        more = f"; and {len(faults) - _MOST_SAID} more" if len(faults) > _MOST_SAID else ""
        hint = "run these shards again, or name the files of one run alone"
        raise EvidenceError("; ".join(faults[:_MOST_SAID]) + more, where="the shards are no whole", hint=hint)
    found = {entry["commit"]: entry for each in shards for entry in each.document["verdicts"]}
    whole = next(each.document["whole"] for each in shards if each.shard.takes_whole)
    return RangeVerdicts(
        tuple(_restore(commit, found[commit["id"]]) for commit in shards[0].document["commits"]),
        _parse(whole["verdict"]),
        whole["problem"],
    )


def read_plan(shard: ShardFile) -> RangePlan:
    """Return what the shards have in common."""
    plan = shard.plan
    commits = tuple(ListedCommit(each["id"], each["tree"], each["subject"]) for each in plan["commits"])
    return RangePlan(plan["gate"], plan["base"], plan["tip"], dict(plan["policy"]), commits, tuple(plan["merges"]))


def _find_foreign(shards: Sequence[ShardFile]) -> Iterator[str]:
    """Say which shards aren't of the range of the first one."""
    first = shards[0]
    for each in shards[1:]:
        if each.shard.of != first.shard.of:
            yield f"{each.shown} is shard {each.shard}, and {first.shown} is shard {first.shard}"
            continue
        others = [said for key, said in _COMMON.items() if each.plan[key] != first.plan[key]]
        if others:
            yield f"{each.shown} is {others[0]} than {first.shown}"


def _find_unexpected(shard: ShardFile, expected: tuple[str, str, Sequence[CommitText]] | None) -> Iterator[str]:
    """Say how the range of the shards differs from the one that the repository has."""
    if expected is None:
        return
    base, tip, commits = expected
    document = shard.document
    if (document["base"], document["tip"]) != (base, tip):
        yield f"they are of {document['base'][:12]}..{document['tip'][:12]}, and --range is {base[:12]}..{tip[:12]}"
    elif [(each["id"], each["tree"]) for each in document["commits"]] != [(each.id, each.tree) for each in commits]:
        yield "they list other commits than the repository has in --range"


def _find_missing(shards: Sequence[ShardFile]) -> Iterator[str]:
    """Say which shards are missing, or there twice."""
    by_number: dict[int, list[str]] = {}
    for each in shards:
        by_number.setdefault(each.shard.number, []).append(each.shown)
    of = shards[0].shard.of
    for number in range(1, of + 1):
        shown = by_number.get(number, [])
        if not shown:
            yield f"shard {number}/{of} is missing"
        elif len(shown) > 1:
            yield f"shard {number}/{of} is there {len(shown)} times: {', '.join(shown[:3])}"


def _find_wrong_verdicts(shard: ShardFile) -> Iterator[str]:
    """Say which commits of a shard have no verdict, or one of something else."""
    commits: Sequence[Mapping[str, Any]] = shard.shard.take(shard.document["commits"])
    entries = shard.document["verdicts"]
    have = [entry["commit"] for entry in entries]
    for commit in commits:
        if have.count(commit["id"]) != 1:
            what = "has no verdict" if commit["id"] not in have else "has several verdicts"
            yield f"commit {commit['id'][:12]} {what} in {shard.shown}"
    mine = {commit["id"]: commit for commit in commits}
    for entry in entries:
        named = mine.get(entry["commit"])
        if named is None:
            yield f"commit {entry['commit'][:12]} is not of shard {shard.shard}, in {shard.shown}"
        elif not _is_about(entry, named["id"], named["tree"]):
            yield f"what is said of commit {named['id'][:12]} is about something else, in {shard.shown}"
    yield from _find_wrong_whole(shard)


def _find_wrong_whole(shard: ShardFile) -> Iterator[str]:
    document = shard.document
    whole = document["whole"]
    wanted = shard.shard.of if document["base"] != document["tip"] else None
    if whole["shard"] != wanted:
        yield f"{shard.shown} leaves the range as a whole to another shard than {wanted}"
    elif not shard.shard.takes_whole or wanted is None:
        if whole["verdict"] is not None or whole["problem"]:
            yield f"{shard.shown} has a verdict of the whole, which isn't its own"
    elif not _is_about(whole, document["tip"], None):
        yield f"the verdict of the whole is about something else, in {shard.shown}"


def _find_moved_policy(shards: Sequence[ShardFile]) -> Iterator[str]:
    """Say which ref had another policy for some shards: it has moved while they ran."""
    seen: dict[str, set[str]] = {}
    for each in shards:
        entries = (*each.document["verdicts"], each.document["whole"])
        for verdict in (entry["verdict"] for entry in entries if entry["verdict"] is not None):
            ref = verdict["policy"].get("ref")
            if isinstance(ref, dict):
                seen.setdefault(str(ref.get("name")), set()).add(str(ref.get("commit")))
    for name, commits in seen.items():
        if len(commits) > 1:
            yield f"they are judged by {len(commits)} commits of {name[:100]}, which has moved between them"


def _is_about(entry: Mapping[str, Any], commit: str, tree: str | None) -> bool:
    """Whether an entry is about this commit. One without a verdict says why, or has nothing to verify."""
    verdict = entry["verdict"]
    if verdict is None:
        return True
    subject, named = verdict["subject"], verdict["metadata"].get("subject")
    return (
        not entry["problem"]
        and subject.get("kind") == "commit"
        and (tree is None or subject.get("tree") == tree)
        and isinstance(named, dict)
        and named.get("commit") == commit
    )


def _restore(commit: Mapping[str, Any], entry: Mapping[str, Any]) -> CommitVerdict:
    text = CommitText(commit["id"], "", "", commit["subject"], tree=commit["tree"])
    return CommitVerdict(text, _parse(entry["verdict"]), entry["problem"], never_verified=entry["never_verified"])


def _parse(document: Mapping[str, Any] | None) -> Verdict | None:
    if document is None:
        return None
    try:
        return parse_verdict(document)
    except (KeyError, TypeError, ValueError) as problem:
        # The schema lets nothing of that kind through.
        raise GateError(f"a verdict of a shard can't be read: {problem}") from problem
