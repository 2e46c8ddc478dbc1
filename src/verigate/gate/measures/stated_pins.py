"""Compare statements about dependencies, the project's version and its runtimes with the pins of changes.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import compare, contradict, leave_undecided
from verigate.gate.measures.stated_names import find_name, judge_absent, touches
from verigate.gate.measures.stated_places import is_file, list_paths
from verigate.gate.rule_outcome import RuleOutcome, cite, holds

_OPERATORS = re.compile(r"^[\s^~=<>!v]+(?=\d)")
_MAJOR = re.compile(r"/v\d+$")
"""What a path of a Go module has for its major version."""

_RANGE = re.compile(r"(?P<operator>[\^~])\s*v?(?P<version>\d+(?:\.\d+)*)\S*")
_BOUND = re.compile(r"\s*(?:>=|~=)\s*v?(?P<version>\d+(?:\.\d+)*)\s*")
_VERSION = re.compile(r"v?\d{1,6}(?:\.\d+)*")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_PACKAGE = re.compile(r"[-/:@._]")
"""What names of packages have, and words of prose don't."""

_FLAVOUR = re.compile(r"[.-](?:jre|android|final|ga)$")
"""Ends of versions of Maven that say for what a release is built, or that it is one: 33.7.1-jre."""

_ANY = "*"
"""Stands for a dependency of any name, or for any language."""

_SCOPE = "/*"
"""Ends what stands for each package of a scope of npm."""

_EXACT = re.compile(r"(?:==|=|v)?\s*v?\d[\w.+-]*")


_Found = tuple[EvidenceRef, Mapping[str, Any]]
"""A pin, and where it stands."""


def measure_pin(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare the change of one dependency, with the versions that are stated."""
    named = [each for each in list_pins(artifact, "dependency") if name == _ANY or is_pin_named(name, each[1])]
    if not named:
        return _judge_no_pin(artifact, fact, name)
    found = [each for each in named if fact.scope is None or is_file(fact.scope, each[1]["path"], list_paths(artifact))]
    if not found:
        return leave_undecided(fact, f"it changed in {named[0][1]['path']}", *(ref for ref, _ in named[:5]))
    stated = str(fact.value)
    if stated == "raised":
        return _measure_raised(fact, found)
    if stated in {"added", "removed", "changed"}:
        return _measure_pin_change(fact, stated, found)
    is_locked = touches(artifact, {"lock"})
    return _measure_versions(fact, stated, found, is_scope=name.endswith(_SCOPE), is_locked=is_locked)


def _measure_versions(
    fact: StatedFact, stated: str, found: Sequence[_Found], *, is_scope: bool, is_locked: bool
) -> RuleOutcome:
    """Compare the versions of the pins found.

    ``is_scope``: each package of a scope of npm is meant. ``is_locked``: a lock file changed, which may pin another
    version than a range in a manifest does.
    """
    old, _, new = stated.removeprefix("from ").partition(" to ") if stated.startswith("from ") else ("", "", stated[3:])
    answers = [_compare_versions(pin, old, new) for _, pin in found]
    if not is_locked:
        answers = [
            False if answer is None and _is_another_bound(pin, new) else answer
            for (_, pin), answer in zip(found, answers, strict=True)
        ]
    for (ref, _), answer in zip(found, answers, strict=True):
        if answer is True and (all(answers) or not is_scope):
            return holds(stated, ref, message=f"{fact}")
    refs = tuple(ref for ref, _ in found[:5])
    if any(answers):
        return leave_undecided(fact, "it holds for some of its packages", *refs)
    if all(answer is None for answer in answers):
        return leave_undecided(fact, "its versions are ranges, or commits that no comment names", *refs)
    seen = next(pin for (_, pin), answer in zip(found, answers, strict=True) if answer is False)
    return contradict(fact, f"from {_join(seen['from'])} to {_join(seen['to'])}", *refs)


def _judge_no_pin(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    if name == _ANY:
        return leave_undecided(fact, "no dependency changed that a reader knows", cite(artifact, "pins"))
    if name.endswith(_SCOPE):
        return leave_undecided(fact, "no package of this scope changed that a reader knows", cite(artifact, "pins"))
    if str(fact.value).startswith("at "):
        return leave_undecided(fact, "no dependency of this name changed, and it may be a place")
    if fact.value in {"changed", "raised"} and not _PACKAGE.search(name):
        return leave_undecided(fact, "no dependency of this name changed, and it may be something else")
    return judge_absent(artifact, fact, name, "no manifest, lock file, workflow or hook of this name changed")


def _measure_raised(fact: StatedFact, found: Sequence[_Found]) -> RuleOutcome:
    """Compare whether the versions of a dependency went up. Commits and words have no order."""
    orders = [_compare_order(pin) for _, pin in found]
    refs = tuple(ref for ref, _ in found[:5])
    if orders and set(orders) == {1}:
        return holds("raised", *refs, message=f"{fact}")
    if -1 in orders and 1 not in orders:
        pin = found[orders.index(-1)][1]
        return contradict(fact, f"from {_join(pin['from'])} to {_join(pin['to'])}", *refs)
    return leave_undecided(fact, "its versions have no order, or didn't go up everywhere", *refs)


def _compare_order(pin: Mapping[str, Any]) -> int | None:
    """Return 1 if the version of a pin went up and -1 if it went down; None for what has no order."""
    sides = []
    for side in ("from", "to"):
        written = pin[side] if all(map(_is_exact, pin[side])) else pin[f"{side}_remarks"] or pin[side]
        numbers = [_OPERATORS.sub("", each.strip()) for each in written]
        if len(numbers) != 1 or _VERSION.fullmatch(numbers[0]) is None:
            return None
        sides.append([int(part) for part in re.findall(r"\d+", numbers[0])])
    return (sides[1] > sides[0]) - (sides[1] < sides[0]) or None


def _measure_pin_change(fact: StatedFact, stated: str, found: Sequence[_Found]) -> RuleOutcome:
    seen = {pin["change"] for _, pin in found}
    refs = tuple(ref for ref, _ in found[:5])
    if stated in seen:
        return holds(stated, *refs, message=f"{fact}")
    if stated == "changed" or len(seen) > 1:
        return leave_undecided(fact, f"it was {' and '.join(sorted(seen))}", *refs)
    return contradict(fact, seen.pop(), *refs)


def _compare_versions(pin: Mapping[str, Any], old: str, new: str) -> bool | None:
    """Whether a pin went from one version to the other; None if that can't be read from it.

    A comment next to a pinned commit that didn't change with it is stale, and contradicts nothing.
    """
    was = _has_version(old, _list_written(pin, "from"), pin["from_remarks"]) if old else True
    now = _has_version(new, _list_written(pin, "to"), pin["to_remarks"]) if new else True
    if now and not any(_is_version(new, each) for each in (*pin["to"], *pin["to_remarks"]) if new):
        now = None if new else True  # a range admits more versions than the one that came
    if was and now:
        return True
    remarked = pin["to_remarks"] and not any(map(_is_exact, pin["to"]))
    if remarked:
        moved = was is not None and now is False and pin["to_remarks"] != pin["from_remarks"]
        return False if moved else None
    return False if False in {was, now} else None


def _is_another_bound(pin: Mapping[str, Any], new: str) -> bool:
    """Whether a pin went from one lower bound to another one than the stated version, or what may begin with it.

    What a range admits may be installed; only a lock file shows that.
    """
    was, now = (list(map(_BOUND.fullmatch, pin[side])) for side in ("from", "to"))
    if len(was) != 1 or len(now) != 1 or was[0] is None or now[0] is None or not _VERSION.fullmatch(new):
        return False
    stated, bound = (f"{re.sub(r'(?:[.]0)+$', '', each)}." for each in (new.removeprefix("v"), now[0]["version"]))
    return not stated.startswith(bound)


def _list_written(pin: Mapping[str, Any], side: str) -> list[str]:
    """List the versions of one side; Cargo.toml leaves the ``^`` of a range away."""
    bare = pin["ecosystem"] == "cargo" and not pin["locked"]
    return [f"^{each}" if bare and each[:1].isdigit() else each for each in pin[side]]


def _has_version(stated: str, written: Sequence[str], remarks: Sequence[str]) -> bool | None:
    if any(_is_version(stated, each) for each in written):
        return True
    if any(_is_version(stated, each) for each in remarks):
        return True
    if any(_is_version(each.lower().removeprefix("v"), stated) for each in remarks):
        return None  # v4 next to 4.2.1 says less than is stated
    if any(_admits(stated, each) for each in written):
        return True
    known = [each for each in (*written, *remarks) if _is_exact(each) or _RANGE.fullmatch(each.strip())]
    return False if known and not _COMMIT.fullmatch(stated) else None


def _is_exact(written: str) -> bool:
    plain = written.strip()
    return _EXACT.fullmatch(plain) is not None and re.fullmatch(r"[0-9a-f]{40}", plain) is None


def _admits(stated: str, written: str) -> bool:
    """Whether a range such as ``^1.2.3`` or ``~1.2.3`` admits a version, which what is installed may have been."""
    found = _RANGE.fullmatch(written.strip())
    wanted = [int(part) for part in re.findall(r"\d+", stated)[:3]]
    if found is None or not wanted:
        return False
    least = [int(part) for part in re.findall(r"\d+", found["version"])[:3]]
    fixed = 2 if found["operator"] == "~" or least[0] == 0 else 1
    return wanted[:fixed] == least[:fixed] and wanted >= least


def _is_version(stated: str, written: str) -> bool:
    wanted, found = stated.lower().removeprefix("v"), _OPERATORS.sub("", written.strip().lower()).strip()
    found = found if _FLAVOUR.search(wanted) else _FLAVOUR.sub("", found)
    if re.fullmatch(r"[0-9a-f]{7,40}", wanted) and re.fullmatch(r"[0-9a-f]{40}", found):
        return found.startswith(wanted)
    return found == wanted or (bool(wanted) and found.startswith((f"{wanted}.", f"{wanted}+"))) or _same(wanted, found)


def _same(wanted: str, found: str) -> bool:
    """Whether both are one version but for zeros at the end."""
    parts = [re.sub(r"(?:\.0)+$", "", version) for version in (wanted, found)]
    return bool(parts[0]) and parts[0] == parts[1] and re.fullmatch(r"[\d.]+", parts[0]) is not None


def list_pins(artifact: Artifact, role: str) -> Iterator[tuple[EvidenceRef, Mapping[str, Any]]]:
    """List the pins of one role, each with its place."""
    for index, pin in enumerate(artifact.value["pins"]):
        if pin["role"] == role:
            yield cite(artifact, "pins", index), pin


def is_pin_named(name: str, pin: Mapping[str, Any]) -> bool:
    """Whether a pin is that of a dependency that is stated by its name, or by its scope of npm."""
    if name.endswith(_SCOPE):
        return bool(pin["name"].lower().startswith(name.lower().removesuffix("*")))
    wanted, found = (_MAJOR.sub("", _plain(each)).replace("/mirrors-", "/") for each in (name, pin["name"]))
    if pin["ecosystem"] == "maven":
        wanted = wanted.removesuffix("-version")
        if ":" not in found and found == wanted.rpartition(":")[2]:
            return True  # a property, named as the artifact is
    tails = {found, *(found.split(":")[-1:] if pin["ecosystem"] == "maven" else ())}
    if pin["ecosystem"] in {"go", "github-actions", "pre-commit", "docker"} and "/" in found:
        tails |= {found.rpartition("/")[2], "/".join(found.split("/")[-2:])}
        tails |= {found.partition("/")[0]} if found.rpartition("/")[2] in {"action", "actions"} else set()
    return wanted in tails


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip().lower())


def measure_pins(artifact: Artifact, fact: StatedFact, _: str) -> RuleOutcome:
    """Compare how many dependencies changed."""
    found = [*list_pins(artifact, "dependency")]
    names = {pin["name"] for _, pin in found}
    refs = tuple(ref for ref, _ in found[:5]) or (cite(artifact, "pins"),)
    if not names and (artifact.value["unread"] or touches(artifact, {"lock", "manifest", "ci", "config", "other"})):
        return leave_undecided(fact, "no reader knows what the changed manifests and lock files pin", *refs)
    if 0 < len(names) < int(fact.value):
        return leave_undecided(fact, f"{len(names)} of a name of its own changed", *refs)
    return compare(fact, len(names), *refs)


def measure_own(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare the project's own version. Of many packages any may be meant; the root's contradicts."""
    found = [each for each in list_pins(artifact, "own") if each[1]["to"]]
    named = [each for each in found if name and each[1]["name"] and _plain(each[1]["name"]) == _plain(name)]
    chosen = named or found
    refs = tuple(ref for ref, _ in chosen[:5])
    if any(_is_version(str(fact.value), version) for _, pin in chosen for version in pin["to"]):
        return holds(fact.value, *refs, message=f"{fact}")
    if not named and (elsewhere := _find_elsewhere(artifact, fact, name, is_root=not found)) is not None:
        return elsewhere
    others = name and any(pin["name"] for _, pin in found)
    against = named or [each for each in found if "/" not in each[1]["path"] and not others]
    if fact.value == "changed":
        return holds("changed", *refs, message=f"{fact}") if found else leave_undecided(fact, "no version changed")
    if not against:
        return leave_undecided(fact, "no file that has this version changed", cite(artifact, "pins"))
    written = sorted({version for _, pin in against for version in pin["to"]})
    if any(
        version.lower().removeprefix("v").startswith(f"{str(fact.value).removeprefix('v')}-") for version in written
    ):
        return leave_undecided(fact, f"it is {_join(written[:5])}, which comes before it", *refs)
    return contradict(fact, _join(written[:5]), *(ref for ref, _ in against[:5]))


def _find_elsewhere(artifact: Artifact, fact: StatedFact, name: str, *, is_root: bool) -> RuleOutcome | None:
    """Find a version that no own version is: of a dependency, or, where the project has none, in its texts."""
    if name:
        ref, of = _find_pinned(artifact, name, str(fact.value)), "of a dependency"
    else:
        ref, of = (_find_in_texts(artifact, str(fact.value)) if is_root else None), "by its texts"
    return None if ref is None else holds(fact.value, ref, message=f"{fact}, {of}")


def _find_pinned(artifact: Artifact, name: str, version: str) -> EvidenceRef | None:
    """Find a dependency of this name that has this version now: "prettier 3.9.5" may be either."""
    for ref, pin in list_pins(artifact, "dependency"):
        if is_pin_named(name, pin) and _compare_versions(pin, "", version) is True:
            return ref
    return None


def _find_in_texts(artifact: Artifact, version: str) -> EvidenceRef | None:
    """Find what was counted of a version that texts name more often than before, such as a changelog."""
    entry = find_name(artifact, version.lower().removeprefix("v"), folded=True)
    if entry is None or entry[1]["after"]["docs"] <= entry[1]["before"]["docs"]:
        return None
    return entry[0]


def measure_runtime(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare which versions of a language the project supports."""
    found = [each for each in list_pins(artifact, "runtime") if name in {each[1]["name"].split(" ")[0], _ANY}]
    refs = tuple(ref for ref, _ in found[:5])
    if not found:
        language = "" if name == _ANY else f" of {name}"
        return leave_undecided(fact, f"nothing that names the supported versions{language} changed")
    what, _space, version = str(fact.value).partition(" ")
    answers = [_RUNTIME[what](version, pin) for _, pin in found]
    if any(answers):
        return holds(fact.value, *refs, message=f"{fact}")
    opposite = {"with": "without", "without": "with"}.get(what)
    if opposite is not None and any(_RUNTIME[opposite](version, pin) for _, pin in found):
        return contradict(fact, f"{opposite} {version}", *refs)
    seen = _join(sorted({value for _, pin in found for value in pin["to"]})[:5])
    return leave_undecided(fact, f"what changed is to {seen or 'nothing'}", *refs)


def _leaves(version: str, pin: Mapping[str, Any]) -> bool:
    return _goes(version, pin["from"], pin["to"])


def _enters(version: str, pin: Mapping[str, Any]) -> bool:
    return _goes(version, pin["to"], pin["from"])


def _goes(version: str, here: Sequence[str], there: Sequence[str]) -> bool:
    """Whether a version is listed, or admitted by a range, on one side alone."""
    listed = any(_is_listed(version, each) for each in here) and not any(_is_listed(version, each) for each in there)
    return listed or (
        any(_satisfies(version, each) for each in here) and not any(_satisfies(version, each) for each in there)
    )


def _arrives(version: str, pin: Mapping[str, Any]) -> bool:
    return any(_is_version(version, value) for value in pin["to"])


_RUNTIME: Mapping[str, Callable[[str, Mapping[str, Any]], bool]] = {
    "without": _leaves,
    "with": _enters,
    "at": _arrives,
}


def _is_listed(version: str, written: str) -> bool:
    return re.fullmatch(rf"(?:[a-z]+-?)?{re.escape(version)}(?:\.x|-dev|t|\.\d+)?", written.strip().lower()) is not None


def _satisfies(version: str, written: str) -> bool:
    if not written.lstrip().startswith((">", "<", "~", "^", "!")):
        return False
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # most statements are about no runtime
    from packaging.version import InvalidVersion

    try:
        return SpecifierSet(written).contains(f"{version}.99" if version.count(".") == 1 else version)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _join(versions: Sequence[str]) -> str:
    return ", ".join(versions) or "nothing"
