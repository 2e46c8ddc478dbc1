"""List what artifacts say about a check: each failing test, lint issue, dead link, with its location."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain import fingerprint
from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import (
    CANNOT_FAIL,
    COUNTERFACTUAL,
    LOST_POWER,
    NOT_RUN,
    SENSITIVITY,
    UNFAILING,
    UNRUN,
    is_weakening_class,
    reads_source,
)
from verigate.domain.known_failures import TESTS
from verigate.domain.link_status import LinkStatus, classify_link
from verigate.domain.task_folder import BASELINE_COPY
from verigate.domain.verdict import Check, EvidenceRef
from verigate.domain.weight import REFUTING
from verigate.formats.pointer import join, split
from verigate.reporting.escape import escape_value
from verigate.reporting.explain_class import CLASSES
from verigate.reporting.locations import parse_line_number, repository_path


class ListedItem(Struct, frozen=True):
    """One member of an artifact's list, not yet a finding; ``known_as`` is its own fingerprint, if it has one.

    ``weight`` and ``id`` are those of a finding of ``code:integrity``.
    """

    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    rule: str | None = None
    known_as: str | None = None
    severity: str | None = None
    weight: str | None = None
    id: str | None = None


Place = tuple[str, str]
"""Artifact and JSON pointer."""


class Listing(Struct, frozen=True):
    """Where an artifact lists findings, how to read a member, and which members each check counts."""

    member: str
    read: Callable[[Any], ListedItem]
    checks: Mapping[str, Callable[[Any], bool]]


def list_items(
    check: Check, artifacts: Mapping[str, Artifact], *, redirects_pass: bool
) -> Iterator[tuple[Place, ListedItem]]:
    """List the items that a check counts or cites, each with its place in the evidence.

    ``redirects_pass``: whether a link that redirects works.
    """
    expanded: set[tuple[str, str]] = set()
    for ref in check.evidence:
        if ref.artifact == BASELINE_COPY:
            continue  # a suppressed finding is no problem
        artifact = artifacts.get(ref.artifact)
        chosen = _choose_list(check, ref, artifact)
        if artifact is None or chosen is None:
            yield from _list_cited_files(check, ref, artifact)
        elif (ref.artifact, chosen) not in expanded:
            expanded.add((ref.artifact, chosen))
            if artifact.media_spec == _STATUSES:
                yield from _list_dead_links(artifact, artifacts, redirects_pass)
            elif (listing := _find_listing(artifact.media_spec, check.id, chosen)) is not None:
                yield from list_members(artifact, listing, listing.checks[check.id])
            else:
                yield from list_members(artifact, Listing(chosen, _read_endpoint, {}))


def _choose_list(check: Check, ref: EvidenceRef, artifact: Artifact | None) -> str | None:
    """Choose the member of the artifact whose entries the check counts; None if it counts none."""
    if artifact is None:
        return None
    if artifact.media_spec == _STATUSES:
        return "" if check.id == "links.failures_max" else None
    if artifact.media_spec in _OF_ENDPOINTS and check.id.startswith("api."):
        member, _, index = ref.pointer.removeprefix("/").partition("/")
        return member if index.isdecimal() else None
    listing = _find_listing(artifact.media_spec, check.id, ref.pointer.removeprefix("/").partition("/")[0])
    return listing.member if listing is not None else None


def _find_listing(spec: str | None, check_id: str, member: str) -> Listing | None:
    """Find the list that a check counts: that of ``member``, or else its only one."""
    first = LISTINGS.get(spec or "")
    found = [*([first] if first is not None else []), *_WEAKENING_LISTINGS.get(spec or "", ())]
    counted = [each for each in found if check_id in each.checks]
    return next((each for each in counted if each.member == member), counted[0] if counted else None)


def list_members(
    artifact: Artifact, listing: Listing, meant: Callable[[Any], bool] = lambda _: True
) -> Iterator[tuple[Place, ListedItem]]:
    """List the members of an artifact's list that ``meant`` accepts."""
    members = artifact.value.get(listing.member) if isinstance(artifact.value, dict) else None
    for index, item in enumerate(members if isinstance(members, list) else ()):
        if meant(item):
            yield (artifact.path, join(listing.member, index)), listing.read(item)


def _list_dead_links(
    artifact: Artifact, artifacts: Mapping[str, Artifact], redirects_pass: bool
) -> Iterator[tuple[Place, ListedItem]]:
    locations = artifacts.get("links/locations.json")
    known = locations.value if locations is not None and isinstance(locations.value, dict) else {}
    for url in sorted(artifact.value):
        status = artifact.value[url]
        if classify_link(url, status, redirects_pass=redirects_pass) is LinkStatus.DEAD:
            places = known.get(url)
            first = places[0] if isinstance(places, list) and places and isinstance(places[0], dict) else {}
            path = repository_path(first.get("file"))
            line, column = parse_line_number(first.get("line")), parse_line_number(first.get("column"))
            yield (artifact.path, join(url)), ListedItem(f"{url}: {status}", path, line, column)


def _list_cited_files(check: Check, ref: EvidenceRef, artifact: Artifact | None) -> Iterator[tuple[Place, ListedItem]]:
    """List the repository file that a citation names, if any."""
    spec = artifact.media_spec if artifact is not None else None
    place = (ref.artifact, ref.pointer)
    value = ref.value if isinstance(ref.value, dict) else {}
    if isinstance(value.get("weight"), str):
        yield place, _read_member(value, rule="kind")
    elif (path := repository_path(value.get("path"))) is not None:
        name = value.get("test") or value.get("id") or value.get("name")
        # Without the artifact the citation is all there is of what the test said; a statement points there.
        own = _read_text(value, "message") if artifact is None and check.reason == "TEST_FAIL" else None
        said = own or check.message
        message = f"{name}: {said}" if isinstance(name, str) and name not in said else said
        yield (
            place,
            ListedItem(message, path, parse_line_number(value.get("line")), parse_line_number(value.get("column"))),
        )
    elif ref.artifact == "diff_names.json" or spec == "verigate:diff-names.v1":
        if (path := repository_path(ref.value)) is not None:
            yield place, ListedItem(check.message, path)
    elif (
        spec in _BY_FILE
        and ref.pointer.startswith("/")
        and (path := repository_path(split(ref.pointer)[0])) is not None
    ):
        name = value.get("src") or value.get("text")
        said = _SAID_OF_ONE.get(check.id, check.message)
        message = f"{name[:_LONGEST_NAME]}: {said}" if isinstance(name, str) and name.strip() else check.message
        yield place, ListedItem(message, path, parse_line_number(value.get("line")))


def _read_member(item: Any, *, rule: str | None = None, name: str | None = None) -> ListedItem:
    """Convert a member to an item; ``rule`` and ``name`` are the keys of the tool's rule and of its own name."""
    if not isinstance(item, dict):
        return ListedItem(item if isinstance(item, str) else escape_value(item))
    message = item.get("message")
    text = message if isinstance(message, str) else ""
    called = item.get(name) if name else None
    if isinstance(called, str) and called:
        text = f"{called}: {text}" if text else called
    its_rule = item.get(rule) if rule else None
    return ListedItem(
        text or escape_value(item),
        repository_path(item.get("path")),
        parse_line_number(item.get("line")),
        parse_line_number(item.get("column")),
        its_rule if isinstance(its_rule, str) and its_rule else None,
        severity=_read_text(item, "severity"),
        weight=_read_text(item, "weight"),
        id=_read_text(item, "id"),
    )


def _read_text(item: Mapping[str, Any], key: str) -> str | None:
    value = item.get(key)
    return value if isinstance(value, str) else None


def _read_issue(item: Any) -> ListedItem:
    """Convert a lint issue, with the fingerprint that baselines use."""
    read = _read_member(item, rule="rule")
    return replace(read, known_as=fingerprint.fingerprint_issue(item)) if isinstance(item, dict) else read


def _read_endpoint(item: Any) -> ListedItem:
    """Convert an entry about an endpoint: ``GET /users: 'id' is a required property``."""
    if not isinstance(item, dict):
        return ListedItem(item if isinstance(item, str) else escape_value(item))
    named = item.get("endpoint") or f"{item.get('method') or ''} {item.get('path') or ''}".strip()
    why = item.get("message") or item.get("why")
    rest = {key: value for key, value in item.items() if key not in {"endpoint", "method", "path"}}
    text = why if isinstance(why, str) else escape_value(rest) if rest else ""
    status = f" {item['status']}" if isinstance(item.get("status"), int) and isinstance(why, str) else ""
    return ListedItem(f"{named}{status}: {text}" if text and named else str(named or text))


def _accept_any(item: Any) -> bool:  # noqa: ARG001 - every member counts
    return True


def _has_severity(severity: str) -> Callable[[Any], bool]:
    """Select issues by severity as the lint rules do: an issue without a severity counts as both."""
    return lambda issue: not isinstance(issue, dict) or issue.get("severity", severity) == severity


def _is_refuting(finding: Any) -> bool:
    return isinstance(finding, dict) and finding.get("weight") in REFUTING


def _counts_against(entry: Any) -> bool:
    return is_weakening_class(entry) or reads_source(entry)


def _read_cells(entry: Any) -> ListedItem:
    """Convert a test of ``counterfactual.json``: its class, and what that says of its cells."""
    meaning = CLASSES[entry["class"]].removesuffix(".")
    says = entry.get("why") or f"{meaning[:1].lower()}{meaning[1:]}"
    return ListedItem(f"{entry['test']}: {says}", repository_path(entry["path"]), rule=entry["class"])


def _read_unrun_test(entry: Any) -> ListedItem:
    """Convert a test of ``no_longer_run``."""
    return ListedItem(f"{entry['test']}: {NOT_RUN}", repository_path(entry["path"]), rule="lost", id=entry["id"])


def _read_lost_power(entry: Any) -> ListedItem:
    """Convert a test that took the power to notice mutants with it."""
    text = f"{entry['test']}: no test notices any more that {'; '.join(entry['mutants'][:3])}"
    return ListedItem(text, repository_path(entry["path"]), rule=LOST_POWER, id=entry["id"])


def _read_unfailing(entry: Any) -> ListedItem:
    """Convert a test that passes with an altered value."""
    text = f"{entry['test']}: it passes whatever it compares with: {entry['change']}"
    line = parse_line_number(entry["line"])
    return ListedItem(text, repository_path(entry["path"]), line, rule=CANNOT_FAIL, id=entry["id"])


def _is_of_base(entry: Any) -> bool:
    return not entry["new"]


LISTINGS: Mapping[str, Listing] = {
    "verigate:lint.v1": Listing(
        "issues",
        _read_issue,
        {
            "code.lint_clean": _has_severity("error"),
            "code.lint_errors_max": _has_severity("error"),
            "code.lint_warnings_max": _has_severity("warning"),
        },
    ),
    TESTS: Listing("failures", lambda item: _read_member(item, name="id"), {"code.tests_pass": _accept_any}),
    "verigate:build.v1": Listing("errors", _read_member, {"code.build_success": _accept_any}),
    "verigate:integrity.v1": Listing(
        "findings", lambda item: _read_member(item, rule="kind"), {"code.integrity": _is_refuting}
    ),
    COUNTERFACTUAL: Listing("tests", _read_cells, {"code.integrity": _counts_against}),
}
"""Artifacts that list findings, by media spec."""

_WEAKENING_LISTINGS: Mapping[str, Sequence[Listing]] = {
    TESTS: (Listing(UNRUN, _read_unrun_test, {"code.integrity": _accept_any}),),
    SENSITIVITY: (
        Listing(LOST_POWER, _read_lost_power, {"code.integrity": _accept_any}),
        Listing(UNFAILING, _read_unfailing, {"code.integrity": _is_of_base}),
    ),
}
"""Weakenings in artifacts that list other findings."""

NOTED = ("verigate:lint.v1", "verigate:integrity.v1")
"""Artifacts whose findings are reported even if no check fails because of them."""

_STATUSES = "verigate:statuses.v1"
_OF_ENDPOINTS = frozenset({"verigate:api-schema.v1", "verigate:auth.v1", "verigate:endpoints.v1"})
_BY_FILE = frozenset({"verigate:headings.v1", "verigate:images.v1", "verigate:quotes.v1"})
"""Artifacts whose members are keyed by repository files."""

_LONGEST_NAME = 100
_SAID_OF_ONE = {
    "content.images_alt_required": "no alternative text",
    "content.images_found": "this image is missing",
    "content.quotes_attributed": "its source is not named, or doesn't have it",
}
"""What a check says of one of the entries that it counts."""
