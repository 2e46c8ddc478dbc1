"""How changed files, functions and endpoints are told of."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.reading import Fact, Relation
from verigate.statements.matching import NUM, Match, compiled

_STATES = {
    "change": "changed",
    "changes": "changed",
    "modify": "modified",
    "create": "added",
    "new": "added",
    "delete": "deleted",
    "present": "changed",
}
_LISTS = {
    "changed": "/total_changes",
    "modified": "/files_modified",
    "added": "/files_created",
    "deleted": "/files_deleted",
}
_VERB = "(?P<verb>change|modify|create|delete)"
_PATHS = "path(?: path)*"


def _state(m: Match) -> str:
    return _STATES[m.token("verb").form]


def _counted(m: Match) -> Iterator[Fact]:
    value = m.number() if "n" in m.found.groupdict() else 0
    yield Fact("diff.json", _LISTS[_state(m)], m.relation, value)


def _total(m: Match) -> Iterator[Fact]:
    yield Fact("diff.json", "/total_changes", m.relation, m.number())


def _lines(m: Match) -> Iterator[Fact]:
    yield Fact("diff.json", f"/{m.token('what').form}s", m.relation, m.number())


def _paths(m: Match) -> Iterator[Fact]:
    paths = [str(token.value) for token in m.every("path")]
    if not any(path.endswith("/") or "*" in path for path in paths):
        yield from (Fact("diff_names.json", path, Relation.EQ, _state(m)) for path in paths)


def _counted_and_named(m: Match) -> Iterator[Fact]:
    yield from _counted(m)
    yield from _paths(m)


def _untouched(m: Match) -> Iterator[Fact]:
    for token in m.every("path"):
        yield Fact("diff_names.json", str(token.value), Relation.EQ, "unchanged")


def _only(m: Match) -> Iterator[Fact]:
    yield from _paths(m)
    yield Fact("diff.json", "/total_changes", Relation.EQ, len(m.every("path")))


_SYMBOL_STATES = {"changed": "changed", "modified": "changed", "added": "added", "deleted": "removed"}


def _functions(m: Match) -> Iterator[Fact]:
    paths = m.every("path")
    place = f"{paths[0].value}::" if paths else ""
    for token in (*m.every("call"), *m.every("ident")):
        yield Fact("functions.json", f"func:{place}{token.value}", Relation.EQ, _SYMBOL_STATES[_state(m)])


def _endpoints(m: Match) -> Iterator[Fact]:
    for token in m.every("ep"):
        yield Fact("functions.json", f"endpoint:{token.value}", Relation.EQ, _SYMBOL_STATES[_state(m)])


def _endpoints_counted(m: Match) -> Iterator[Fact]:
    yield Fact("functions.json", f"/endpoints/{_SYMBOL_STATES[_state(m)]}", m.relation, m.number())
    yield from _endpoints(m)


def _functions_counted(m: Match) -> Iterator[Fact]:
    # Who adds two functions adds tests and helpers with them, and doesn't count those.
    relation = Relation.GE if m.relation is Relation.EQ else m.relation
    yield Fact("functions.json", f"/functions/{_SYMBOL_STATES[_state(m)]}", relation, m.number())


_NAMED = (
    "(?:(?:function |new |unused )*call(?: call)*(?: function)?|"
    "(?:new |unused )*(?:function (?:unused )?ident(?: ident)*|ident(?: ident)* function(?: function)*))"
)
_WHERE = "(?: (?:in|to|from) (?:file )?path)?"

CHANGES = compiled(
    "diff",
    (
        (
            (
                rf"(?:diff )?{_VERB} (?:total )?{NUM} (?:new )?(?:file|ones|new ones)(?: total)?",
                rf"{NUM} (?:new )?file {_VERB}(?: total)?",
            ),
            _counted,
        ),
        (
            (
                rf"(?:only )?{NUM} (?:new )?file {_VERB} {_PATHS}",
                rf"(?:only )?{_VERB} {NUM} (?:new )?file {_PATHS}",
            ),
            _counted_and_named,
        ),
        ((rf"only {NUM} file {_VERB}", rf"only {_VERB} {NUM} file"), _counted),
        ((rf"{NUM} {_VERB}", rf"{NUM} (?P<verb>new)", "no (?P<verb>new) file"), _counted),
        ((rf"no (?:new )?file {_VERB}", rf"(?P<verb>new) file {NUM}"), _counted),
        ((rf"file {_VERB} {NUM}", rf"{_VERB} file {NUM}", rf"(?P<verb>changes?) file {NUM}"), _counted),
        ((rf"diff {NUM} file", rf"{NUM} changes? file"), _total),
        ((rf"{NUM} (?:line )?(?P<what>insertion|deletion)",), _lines),
        (
            (
                rf"only {_PATHS} {_VERB}",
                rf"only {_VERB} {_PATHS}",
                rf"{_VERB} only {_PATHS}",
                rf"only {_VERB} file {_PATHS}",
                rf"only file {_VERB} {_PATHS}",
            ),
            _only,
        ),
        (
            (
                rf"{_VERB} (?:new )?(?:file )?{_PATHS}",
                rf"(?:new )?(?:file )?{_PATHS} {_VERB}",
                rf"(?P<verb>new) file {_PATHS}",
                rf"(?:file )?{_PATHS} (?P<verb>new)(?: file)?",
                rf"(?P<verb>change|modify|create|delete) file {_PATHS}",
                rf"file {_VERB} {_PATHS}",
            ),
            _paths,
        ),
        (
            (
                rf"not (?:change|modify|delete) {_PATHS}(?: or path)*",
                rf"{_PATHS} (?:unchanged|not (?:change|modify|delete))",
                rf"(?:create |make )?no changes? (?:in|to) {_PATHS}",
                rf"unchanged {_PATHS}",
            ),
            _untouched,
        ),
        (
            (
                rf"{_VERB} {_NAMED}{_WHERE}",
                rf"{_NAMED} {_VERB}{_WHERE}",
                rf"path {_VERB} {_NAMED}",
                rf"(?P<verb>new) {_NAMED}{_WHERE}",
                rf"(?P<verb>new) function (?:ident|call)(?: ident| call)*{_WHERE}",
            ),
            _functions,
        ),
        (
            (
                rf"{_VERB} (?:new )?(?:api )?(?:endpoint )?ep(?: ep)*(?: endpoint)?{_WHERE}",
                rf"(?:endpoint )?ep(?: ep)*(?: endpoint)? {_VERB}{_WHERE}",
                r"(?P<verb>new) (?:api )?endpoint ep(?: ep)*",
                rf"path {_VERB} (?:endpoint )?ep(?: ep)*(?: endpoint)?",
            ),
            _endpoints,
        ),
        (
            (
                rf"{_VERB} {NUM} (?:new )?(?:api )?endpoint(?: ep(?: ep)*)?",
                rf"{NUM} (?:new )?(?:api )?endpoint {_VERB}",
            ),
            _endpoints_counted,
        ),
        ((rf"{_VERB} {NUM} (?:new )?function", rf"{NUM} (?:new )?function {_VERB}"), _functions_counted),
    ),
)
