"""Check the consistency of standard artifacts, beyond JSON Schema.

Contradictory counts make an artifact invalid: it is unknown which of them is the fact. The values must already be valid
by their schema.

``lint.json``: ``issues`` may be empty with non-zero counts (an adapter that only counts). A non-empty list must account
for every count: each issue of severity ``error`` or ``warning`` is in its own count, notes (``info``, ``note``,
``hint``, ``none``) in none, and an issue of any other or no severity in one of the two, so that no finding escapes by
an invented severity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Violation = tuple[str, str]
"""A JSON pointer and what is wrong there."""

_NOTES = frozenset({"info", "information", "note", "hint", "none"})
UNSORTED = "it is not sorted"
"""The one violation that is about the order of entries alone."""

_ROUNDING = 0.01
"""A fraction in an artifact may be rounded to two places, as in the source document's example."""


def find_violations(spec_id: str, value: Any) -> tuple[Violation, ...]:
    """Return the contradictions in an artifact of this media spec; () for specs without such rules."""
    check = _TABLE.get(spec_id)
    return tuple(check(value)) if check else ()


def _check_diff(value: Mapping[str, Any]) -> Iterator[Violation]:
    keys = ("files_modified", "files_created", "files_deleted")
    yield from _check_distinct_across(value, keys)
    entries = sum(len(value[key]) for key in keys)
    if value["total_changes"] != entries:
        yield "/total_changes", f"it is {value['total_changes']}, but the three lists have {entries} entries"
    for index, entry in enumerate(value.get("renamed") or ()):
        if entry["from"] not in value["files_deleted"] or entry["to"] not in value["files_created"]:
            yield f"/renamed/{index}", "its paths are not among the deleted and the created files"


def _check_diff_names(value: Mapping[str, Any] | Sequence[str]) -> Iterator[Violation]:
    if isinstance(value, Mapping):
        yield from _check_distinct_across(value, ("added", "modified", "deleted"))
    elif len(set(value)) != len(value):
        yield "", "it names the same path twice"


def _check_lint(value: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_no_tool(value, "files_checked", value["files_checked"])
    yield from _check_sums(value, ("errors", "warnings"))
    issues = value["issues"]
    if not issues:
        return
    severities = [str(issue.get("severity", "")).lower() for issue in issues]
    errors, warnings = severities.count("error"), severities.count("warning")
    counted = sum(severity not in _NOTES for severity in severities)
    for key, least in (("errors", errors), ("warnings", warnings)):
        if value[key] < least:
            yield f"/{key}", f"it is {value[key]}, but {least} issues are of that severity"
    if value["errors"] + value["warnings"] != counted:
        total = value["errors"] + value["warnings"]
        yield "/issues", f"it lists {counted} errors and warnings, but the counts say {total}"


def _check_tests(value: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_no_tool(value, "total", value["total"])
    yield from _check_sums(value, ("passed", "failed", "skipped", "total"))
    total = value["passed"] + value["failed"] + value["skipped"]
    if value["total"] != total:
        yield "/total", f"it is {value['total']}, but passed, failed and skipped add up to {total}"
    if value.get("failures") and value["failed"] == 0:
        yield "/failures", f"it lists {len(value['failures'])} failures, but failed is 0"
    for index, entry in enumerate(value.get("selected") or ()):
        if entry["chosen"] > entry["of"]:
            yield f"/selected/{index}", f"{entry['chosen']} of {entry['of']} are more than there are"
    yield from _check_files_of_tests(value)
    for place, counts in (
        ("", value),
        *((f"/tools/{index}", tool) for index, tool in enumerate(value.get("tools") or ())),
    ):
        yield from _check_top_level(f"{place}/top_level", counts)


def _check_top_level(place: str, value: Mapping[str, Any]) -> Iterator[Violation]:
    """Tests without subtests are no more than all."""
    counts = value.get("top_level")
    if not counts:
        return
    total = counts["passed"] + counts["failed"] + counts["skipped"]
    if counts["total"] != total:
        yield f"{place}/total", f"it is {counts['total']}, but passed, failed and skipped add up to {total}"
    for key in ("passed", "failed", "skipped", "total"):
        if counts[key] > value.get(key, 0):
            yield f"{place}/{key}", f"it is {counts[key]}, more than the {value.get(key, 0)} of all tests"


def _check_files_of_tests(value: Mapping[str, Any]) -> Iterator[Violation]:
    files = value.get("files")
    if not files:
        return
    yield from _check_distinct_files(value)
    for key in ("passed", "failed", "skipped"):
        total = sum(entry[key] for entry in files)
        if value[key] != total:
            yield f"/{key}", f"it is {value[key]}, but the files add up to {total}"


def _check_coverage(value: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_no_tool(value, "lines/total", value["lines"]["total"])
    for key in ("lines", "functions", "branches"):
        yield from _check_at_most(f"/{key}", value[key])
    for index, entry in enumerate(value.get("files", ())):
        if "covered" in entry and "total" in entry:
            yield from _check_at_most(f"/files/{index}", entry)
    yield from _check_share("", value)
    yield from _check_files_of_coverage(value)
    if value.get("patch"):
        yield from _check_patch(value["patch"])
    if value.get("base"):
        yield from _check_at_most("/base/lines", value["base"]["lines"])
        yield from _check_share("/base", value["base"])


def _check_files_of_coverage(value: Mapping[str, Any]) -> Iterator[Violation]:
    """The files may be a selection: they have no more lines than the whole, and if as many, as many covered ones."""
    files = [entry for entry in value.get("files", ()) if "covered" in entry and "total" in entry]
    covered, total = (sum(entry[key] for entry in files) for key in ("covered", "total"))
    whole = value["lines"]
    if (
        total > whole["total"]
        or covered > whole["covered"]
        or (total == whole["total"] and covered != whole["covered"])
    ):
        yield (
            "/files",
            f"they have {covered} of {total} lines covered, but the whole {whole['covered']} of {whole['total']}",
        )


def _check_patch(patch: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_share("/patch", patch)
    for index, entry in enumerate(patch["files"]):
        yield from _check_at_most(f"/patch/files/{index}", entry)
    for key in ("covered", "total"):
        total = sum(entry[key] for entry in patch["files"])
        if patch["lines"][key] != total:
            yield f"/patch/lines/{key}", f"it is {patch['lines'][key]}, but the files add up to {total}"


def _check_at_most(place: str, counts: Mapping[str, Any]) -> Iterator[Violation]:
    if counts["covered"] > counts["total"]:
        yield f"{place}/covered", f"it is {counts['covered']}, more than the total of {counts['total']}"


def _check_share(place: str, value: Mapping[str, Any]) -> Iterator[Violation]:
    covered, total = value["lines"]["covered"], value["lines"]["total"]
    share = covered / total if total else 0.0
    if abs(value["pct"] - share) > _ROUNDING:
        yield f"{place}/pct", f"it is {value['pct']:g}, but {covered} of {total} lines are {share:.4g}"


def _check_build(value: Mapping[str, Any]) -> Iterator[Violation]:
    if value["success"] and value["errors"]:
        yield "/success", f"it is true despite {len(value['errors'])} errors"
    if value["success"] and value.get("tool", "") is None:
        yield "/success", "it is true, but no tool was found"
    nothing = value.get("nothing_to_build")
    if nothing and (value.get("tool", "") is not None or value["errors"] or value.get("unbuilt")):
        yield "/nothing_to_build", "it lists what has nothing to build, next to what was built or should be"


def _check_functions(value: Mapping[str, Any]) -> Iterator[Violation]:
    entries = sum(len(value[group][change]) for group in ("functions", "endpoints") for change in value[group])
    if value["total"] != entries:
        yield "/total", f"it is {value['total']}, but the lists have {entries} entries"


def _check_integrity(value: Mapping[str, Any]) -> Iterator[Violation]:
    if value["files_examined"] > value["total"]:
        yield "/files_examined", f"it is {value['files_examined']}, more than the total of {value['total']}"


def _check_counterfactual(value: Mapping[str, Any]) -> Iterator[Violation]:
    if value["total"] != len(value["tests"]):
        yield "/total", f"it is {value['total']}, but the list has {len(value['tests'])} entries"
    counted = Counter(entry["class"] for entry in value["tests"])
    if dict(counted) != value["counts"]:
        yield "/counts", "it differs from the classes of the listed tests"


def _check_urlset(value: Sequence[str]) -> Iterator[Violation]:
    # JavaScript sorts by UTF-16 units, most others by code points; both are stable orders.
    orders: tuple[Callable[[str], Any], ...] = (str, lambda url: url.encode("utf-16-be", "surrogatepass"))
    if not any(list(value) == sorted(value, key=order) for order in orders):
        yield "", UNSORTED
    if len(set(value)) != len(value):
        yield "", "it names the same URL twice"


def _check_api_schema(value: Mapping[str, Any]) -> Iterator[Violation]:
    if value["ok"] and value["errors"]:
        yield "/ok", f"it is true despite {len(value['errors'])} errors"


def _check_endpoints(value: Mapping[str, Any]) -> Iterator[Violation]:
    """Undocumented is what was discovered, isn't documented and isn't internal. Names of parameters may differ."""
    discovered, documented, undocumented = (
        {_normalise_endpoint(item) for item in value[key]} for key in ("discovered", "documented", "undocumented")
    )
    for index, item in enumerate(value["undocumented"]):
        found = _normalise_endpoint(item)
        if found in documented or found not in discovered:
            why = "documented too" if found in documented else "not among those that were discovered"
            yield f"/undocumented/{index}", f"{_format_endpoint(item)} is {why}"
    internal = {_normalise_endpoint(item) for item in value.get("internal", ())}
    for index, item in enumerate(value["discovered"]):
        if _normalise_endpoint(item) not in documented | undocumented | internal:
            yield f"/discovered/{index}", f"{_format_endpoint(item)} is neither documented nor undocumented"
    for index, item in enumerate(value.get("unimplemented", ())):
        if _normalise_endpoint(item) in discovered:
            yield f"/unimplemented/{index}", f"{_format_endpoint(item)} was discovered"


def _normalise_endpoint(item: Any) -> str:
    text = re.sub(r"\{[^{}]*\}|(?<=/):\w+|<[^<>]*>", "{}", _format_endpoint(item))
    return text.rstrip("/").upper() if text.count("/") > 1 else text.upper()


def _check_responses(value: Mapping[str, Any]) -> Iterator[Violation]:
    for name, answer in value.items():
        statuses = answer.get("statuses")
        if isinstance(statuses, Mapping) and statuses and str(answer["status"]) not in statuses:
            yield f"/{name}/status", f"it is {answer['status']}, which is not among the statuses"
        status = answer["status"]
        if answer.get("ok") is True and (not isinstance(status, int) or not 100 <= status < 400):
            yield f"/{name}/ok", f"it is true, but the status is {status}"


def _check_rate_limits(value: Mapping[str, Any]) -> Iterator[Violation]:
    if "probed" not in value:
        return
    probed = {_name_probed(item) for item in value["probed"]}
    for index, item in enumerate(value["limited"]):
        name = _name_probed(item)
        if name and None not in probed and name not in probed:
            yield f"/limited/{index}", f"{name} was not probed"


def _name_probed(item: Any) -> str | None:
    """Name an endpoint that was probed; None for an entry of a shape that nobody knows."""
    if isinstance(item, Mapping) and isinstance(item.get("endpoint"), str):
        return str(item["endpoint"])
    if isinstance(item, str) or (isinstance(item, Mapping) and isinstance(item.get("path"), str)):
        return _format_endpoint(item)
    return None


def _check_auth(value: Mapping[str, Any]) -> Iterator[Violation]:
    public = {_format_endpoint(item) for item in value["endpoints_public"]}
    for index, item in enumerate(value["endpoints_protected"]):
        if _format_endpoint(item) in public:
            yield f"/endpoints_protected/{index}", f"{_format_endpoint(item)} is listed as protected and as public"


def _format_endpoint(item: Any) -> str:
    return item if isinstance(item, str) else f"{item.get('method', '')} {item['path']}".strip()


def _check_wordcount(value: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_distinct_files(value)
    total = sum(entry["word_count"] for entry in value["files"])
    if value["total"] != total:
        yield "/total", f"it is {value['total']}, but the files add up to {total}"
    doubtful = sum(entry.get("doubtful", 0) for entry in value["files"])
    if value.get("total_doubtful", 0) != doubtful:
        yield "/total_doubtful", f"it is {value.get('total_doubtful', 0)}, but the files add up to {doubtful}"


def _check_scan(value: Mapping[str, Any]) -> Iterator[Violation]:
    yield from _check_distinct_files(value)
    for index, entry in enumerate(value["files"]):
        if entry.get("char_count", entry.get("word_count", 0)) < entry.get("word_count", 0):
            yield f"/files/{index}", f"it has {entry['word_count']} words, but only {entry['char_count']} characters"


def _check_distinct_files(value: Mapping[str, Any]) -> Iterator[Violation]:
    paths = [entry["path"] for entry in value["files"]]
    if len(set(paths)) != len(paths):
        yield "/files", "it names the same path twice"


def _check_no_tool(value: Mapping[str, Any], place: str, count: int) -> Iterator[Violation]:
    if value.get("tool", "") is None and count > 0:
        yield f"/{place}", f"it is {count}, but no tool was found"


def _check_sums(value: Mapping[str, Any], keys: Sequence[str]) -> Iterator[Violation]:
    tools = value.get("tools") or ()
    for key in keys:
        if tools and all(key in tool for tool in tools):
            total = sum(tool[key] for tool in tools)
            if value[key] != total:
                yield f"/{key}", f"it is {value[key]}, but the tools add up to {total}"


def _check_distinct_across(value: Mapping[str, Any], keys: Sequence[str]) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for key in keys:
        for index, path in enumerate(value[key]):
            if path in seen:
                yield f"/{key}/{index}", f"{path!r} is in {seen[path]} already"
            seen.setdefault(path, key)


_TABLE: Mapping[str, Callable[[Any], Iterator[Violation]]] = {
    "verigate:diff.v1": _check_diff,
    "verigate:diff-names.v1": _check_diff_names,
    "verigate:lint.v1": _check_lint,
    "verigate:tests.v1": _check_tests,
    "verigate:coverage.v1": _check_coverage,
    "verigate:build.v1": _check_build,
    "verigate:functions.v1": _check_functions,
    "verigate:integrity.v1": _check_integrity,
    "verigate:counterfactual.v1": _check_counterfactual,
    "verigate:urlset.v1": _check_urlset,
    "verigate:api-schema.v1": _check_api_schema,
    "verigate:endpoints.v1": _check_endpoints,
    "verigate:responses.v1": _check_responses,
    "verigate:rate-limits.v1": _check_rate_limits,
    "verigate:scan.v1": _check_scan,
    "verigate:auth.v1": _check_auth,
    "verigate:wordcount.v1": _check_wordcount,
}
