"""Grammar of statements about changed files, functions and endpoints."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.grammar import NUM, Match, compile_grammar

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


def _read_state(m: Match) -> str:
    return _STATES[m.token("verb").form]


def _expect_count(m: Match) -> Iterator[StatedFact]:
    value = m.number() if "n" in m.found.groupdict() else 0
    yield StatedFact("diff.json", _LISTS[_read_state(m)], m.relation, value)


def _expect_total(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("diff.json", "/total_changes", m.relation, m.number())


def _expect_line_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("diff.json", f"/{m.token('what').form}s", m.relation, m.number())


def _expect_paths(m: Match) -> Iterator[StatedFact]:
    paths = [str(token.value) for token in m.every("path")]
    if not any(path.endswith("/") or "*" in path for path in paths):
        yield from (StatedFact("diff_names.json", path, Relation.EQ, _read_state(m)) for path in paths)


def _expect_count_and_paths(m: Match) -> Iterator[StatedFact]:
    yield from _expect_count(m)
    yield from _expect_paths(m)


def _expect_unchanged(m: Match) -> Iterator[StatedFact]:
    for token in m.every("path"):
        yield StatedFact("diff_names.json", str(token.value), Relation.EQ, "unchanged")


def _expect_only_paths(m: Match) -> Iterator[StatedFact]:
    yield from _expect_paths(m)
    yield StatedFact("diff.json", "/total_changes", Relation.EQ, len(m.every("path")))


_SYMBOL_STATES = {"changed": "changed", "modified": "changed", "added": "added", "deleted": "removed"}


def _expect_functions(m: Match) -> Iterator[StatedFact]:
    paths = m.every("path")
    place = f"{paths[0].value}::" if paths else ""
    for token in (*m.every("call"), *m.every("ident")):
        yield StatedFact("functions.json", f"func:{place}{token.value}", Relation.EQ, _SYMBOL_STATES[_read_state(m)])


def _expect_endpoints(m: Match) -> Iterator[StatedFact]:
    for token in m.every("ep"):
        yield StatedFact("functions.json", f"endpoint:{token.value}", Relation.EQ, _SYMBOL_STATES[_read_state(m)])


def _expect_endpoint_count(m: Match) -> Iterator[StatedFact]:
    yield StatedFact("functions.json", f"/endpoints/{_SYMBOL_STATES[_read_state(m)]}", m.relation, m.number())
    yield from _expect_endpoints(m)


def _expect_function_count(m: Match) -> Iterator[StatedFact]:
    # "Added two functions" leaves out the tests and the private functions that came with them.
    relation = Relation.GE if m.relation is Relation.EQ else m.relation
    yield StatedFact("functions.json", f"/functions/{_SYMBOL_STATES[_read_state(m)]}", relation, m.number())


_NAMED = (
    "(?:(?:function |new |unused )*call(?: call)*(?: function)?|"
    "(?:new |unused )*(?:function (?:unused )?ident(?: ident)*|ident(?: ident)* function(?: function)*))"
)
_WHERE = "(?: (?:in|to|from) (?:file )?path)?"

CHANGES = compile_grammar(
    "diff",
    (
        (
            (
                rf"(?:diff )?{_VERB} (?:total )?{NUM} (?:new )?(?:file|ones|new ones)(?: total)?",
                rf"{NUM} (?:new )?file {_VERB}(?: total)?",
            ),
            _expect_count,
        ),
        (
            (
                rf"(?:only )?{NUM} (?:new )?file {_VERB} {_PATHS}",
                rf"(?:only )?{_VERB} {NUM} (?:new )?file {_PATHS}",
            ),
            _expect_count_and_paths,
        ),
        ((rf"only {NUM} file {_VERB}", rf"only {_VERB} {NUM} file"), _expect_count),
        ((rf"{NUM} {_VERB}", rf"{NUM} (?P<verb>new)", "no (?P<verb>new) file"), _expect_count),
        ((rf"no (?:new )?file {_VERB}", rf"(?P<verb>new) file {NUM}"), _expect_count),
        ((rf"file {_VERB} {NUM}", rf"{_VERB} file {NUM}", rf"(?P<verb>changes?) file {NUM}"), _expect_count),
        ((rf"diff {NUM} file", rf"{NUM} changes? file"), _expect_total),
        ((rf"{NUM} (?:line )?(?P<what>insertion|deletion)",), _expect_line_count),
        (
            (
                rf"only {_PATHS} {_VERB}",
                rf"only {_VERB} {_PATHS}",
                rf"{_VERB} only {_PATHS}",
                rf"only {_VERB} file {_PATHS}",
                rf"only file {_VERB} {_PATHS}",
            ),
            _expect_only_paths,
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
            _expect_paths,
        ),
        (
            (
                rf"not (?:change|modify|delete) {_PATHS}(?: or path)*",
                rf"{_PATHS} (?:unchanged|not (?:change|modify|delete))",
                rf"(?:create |make )?no changes? (?:in|to) {_PATHS}",
                rf"unchanged {_PATHS}",
            ),
            _expect_unchanged,
        ),
        (
            (
                rf"{_VERB} {_NAMED}{_WHERE}",
                rf"{_NAMED} {_VERB}{_WHERE}",
                rf"path {_VERB} {_NAMED}",
                rf"(?P<verb>new) {_NAMED}{_WHERE}",
                rf"(?P<verb>new) function (?:ident|call)(?: ident| call)*{_WHERE}",
            ),
            _expect_functions,
        ),
        (
            (
                rf"{_VERB} (?:new )?(?:api )?(?:endpoint )?ep(?: ep)*(?: endpoint)?{_WHERE}",
                rf"(?:endpoint )?ep(?: ep)*(?: endpoint)? {_VERB}{_WHERE}",
                r"(?P<verb>new) (?:api )?endpoint ep(?: ep)*",
                rf"path {_VERB} (?:endpoint )?ep(?: ep)*(?: endpoint)?",
            ),
            _expect_endpoints,
        ),
        (
            (
                rf"{_VERB} {NUM} (?:new )?(?:api )?endpoint(?: ep(?: ep)*)?",
                rf"{NUM} (?:new )?(?:api )?endpoint {_VERB}",
            ),
            _expect_endpoint_count,
        ),
        ((rf"{_VERB} {NUM} (?:new )?function", rf"{NUM} (?:new )?function {_VERB}"), _expect_function_count),
    ),
)
