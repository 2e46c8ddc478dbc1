"""Phrases about dependencies, the project's own version, and the runtimes that it supports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.commits import vocabulary as words
from verigate.statements.commits.phrase import CHANGES, Phrase, clean
from verigate.statements.commits.vocabulary import any_of, some_of

_V = r"[\"'`]?(?:[\^~]|[><=]=? ?)?v?\d[\w.+-]*[\"'`]?"
_DIGEST = r"[0-9a-f]{7,40}"
_NEW = rf"(?P<new>{_V}|{_DIGEST})"
_COMMIT_WORD = r"(?:commit |git )?(?:sha|hash|digest|commit|commit id)s?"
_NO_PACKAGE = "(?:to|from|version|versions|the|minimum|by|for|unused|unneeded|unnecessary|github-actions) "
_PACKAGE = rf"(?!{_NO_PACKAGE})`?(?:@[\w.-]+/)?[\w.-]+(?:[/:][\w.@-]+)*`?"
_NO_NAMED = r"(?:(?:all|dep|deps|dependency|dependencies|packages|versions?|release|lock\w*|and|or|of)\b)"
_PACKAGES = rf"{_PACKAGE}(?:(?:, and |, | and ){_PACKAGE})*"
_PLACE = r"(?:[\w./-]+ group|/|`?[\w./@-]+`?|all directories|\d+ director(?:y|ies))"
_WHERE = rf"(?: (?:in|under|across|to|for) (?:the )?(?!v?\d+\.){_PLACE})*"
_AT_VERSION = re.compile(rf"`?(?P<name>[^`]+)@(?P<old>{_V})`?")
"""A package with the version that it had: ``actions/checkout@v6 -> v7``."""

_DEVELOPMENT = some_of("unused unneeded unnecessary the dev development runtime")


def _pin(name: str, value: str) -> StatedFact:
    return StatedFact(CHANGES, f"pin:{clean(name)}", Relation.EQ, value)


def _pins(least: int) -> StatedFact:
    return StatedFact(CHANGES, "pins", Relation.GE, least)


def _read_version(text: str) -> str:
    """Read a version, without the operator of a range: manifests have it or not."""
    return clean(text).lstrip("^~><= ")


def _expect_from_to(m: re.Match[str]) -> Iterator[StatedFact]:
    yield _pin(m["name"], f"from {_read_version(m['old'])} to {_read_version(m['new'])}")


def _expect_to(m: re.Match[str]) -> Iterator[StatedFact]:
    named = _AT_VERSION.fullmatch(m["name"])
    if named is not None:
        yield _pin(named["name"], f"from {_read_version(named['old'])} to {_read_version(m['new'])}")
        return
    if re.search(rf"{re.escape(m['name'])} monorepo\b", m[0]):
        yield StatedFact(CHANGES, "pin:*", Relation.EQ, f"to {_read_version(m['new'])}")  # of any of its packages
        return
    yield _pin(m["name"], f"to {_read_version(m['new'])}")


def _expect_raised(m: re.Match[str]) -> Iterator[StatedFact]:
    """State a pin of one file: without it, what is raised may be a price or a limit."""
    value = f"from {_read_version(m['old'])} to {_read_version(m['new'])}"
    yield StatedFact(CHANGES, f"pin:{clean(m['name'])}", Relation.EQ, value, scope=clean(m["file"]))


def _expect_at_version(m: re.Match[str]) -> Iterator[StatedFact]:
    """State a version without a verb: what has a slash in its name is an action or a package, or a place."""
    yield _pin(m["name"], f"at {_read_version(m['new'])}")


def _expect_scope(m: re.Match[str]) -> Iterator[StatedFact]:
    yield _pin(f"{clean(m['name'])}/*", f"to {_read_version(m['new'])}")


def _expect_each(m: re.Match[str], value: str) -> Iterator[StatedFact]:
    for name in re.split(r", and |, | and ", m["names"] or m["more"]):
        yield _pin(name, value)


def _expect_changed(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _expect_each(m, "changed")


def _expect_latest(m: re.Match[str]) -> Iterator[StatedFact]:
    """State that each of these went up: which version is the latest, no change shows."""
    yield from _expect_each(m, "raised")


def _expect_added(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _expect_each(m, "added")


def _expect_removed(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _expect_each(m, "removed")


def _expect_some(_: re.Match[str]) -> Iterator[StatedFact]:
    yield _pins(1)


def _expect_count(m: re.Match[str]) -> Iterator[StatedFact]:
    yield _pins(int(m["n"]))


_REFRESH = any_of("autoupdate auto-update refresh regenerate relock sync")
_MANIFEST = (
    r"(?P<file>`?(?:[\w.-]+/)*(?:pyproject\.toml|setup\.(?:cfg|py)|Pipfile|[\w-]*(?:requirements|constraints)[\w-]*\.txt|"
    r"requirements/[\w-]+\.txt|environment\.ya?ml|package\.json|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|"
    r"libs\.versions\.toml|Gemfile|composer\.json|[\w.-]+\.csproj)`?)"
)
DEPENDENCIES: Sequence[Phrase] = (
    (
        (
            rf"raised? {some_of(words.OF_PACKAGES)}(?P<name>{_PACKAGE})(?: {words.AFTER_PACKAGES})?"
            rf" from (?P<old>{_V}) to (?P<new>{_V}) in (?:the )?{_MANIFEST}"
        ),
        _expect_raised,
    ),
    (
        (
            rf"{words.RAISE} {some_of(words.OF_PACKAGES)}(?P<name>{_PACKAGE})(?: {words.AFTER_PACKAGES})?"
            rf" from (?P<old>{_V}|{_DIGEST}) to {_NEW}{_WHERE}"
        ),
        _expect_from_to,
    ),
    (
        (
            rf"{words.RAISE} {some_of(words.OF_PACKAGES)}(?P<name>{_PACKAGE}(?:@{_V})?)(?: {words.AFTER_PACKAGES})?"
            rf" (?:to|->|=>) (?:version )?{_NEW}(?: \[security\])?{_WHERE}"
        ),
        _expect_to,
    ),
    (rf"{words.RAISE} (?P<name>@[\w.-]+) {any_of('packages monorepo scope')} to {_NEW}{_WHERE}", _expect_scope),
    (rf"{words.RAISE} (?:to )?(?P<name>{_PACKAGE}) (?P<new>{_V})", _expect_to),
    (
        rf"{words.RAISE} (?:to )?`?(?P<name>(?:@[\w.-]+/)?[\w.-]+(?:/[\w.-]+)*)@(?P<new>v?\d[\w.+-]*)`?{_WHERE}",
        _expect_to,
    ),
    (
        (
            rf"pin(?:s|ned)? (?:the )?(?P<names>{_PACKAGES}) (?:to|by|at) (?:a |its |the )?(?:full |exact )?"
            rf"{_COMMIT_WORD}{_WHERE}"
        ),
        _expect_changed,
    ),
    (rf"bump(?:s|ed)? (?:the )?[\w.-]+ group{_WHERE} with (?P<n>\d+) updates?", _expect_count),
    (
        (
            rf"(?:\[pre-commit\.ci\] )?pre-commit autoupdate|"
            rf"(?:{_REFRESH}|{words.RAISE}) {some_of(words.VAGUE)}{words.PACKAGES}{_WHERE}"
        ),
        _expect_some,
    ),
    (any_of("lock_file_maintenance lockfile_maintenance dependency_updates dependencies_updates deps"), _expect_some),
    (
        (
            rf"(?:{_REFRESH}|{words.RAISE}) {some_of(words.VAGUE)}{words.PACKAGES} (?:and|&) "
            rf"{some_of(words.VAGUE)}{words.PACKAGES}"
        ),
        _expect_some,
    ),
    (rf"{words.RAISE} (?P<names>@[\w.-]+/[\w.-]+)(?: to (?:the )?latest(?: version)?)?{_WHERE}", _expect_changed),
    (
        (
            rf"{words.RAISE} (?:to )?(?:the )?(?:latest|newest) (?:(?:version|release)s? of )?"
            rf"(?P<names>(?!{_NO_NAMED}){_PACKAGES})(?: (?:version|release))?{_WHERE}|"
            rf"{words.RAISE} {some_of(words.OF_PACKAGES)}(?P<more>(?!{_NO_NAMED}){_PACKAGES}) to (?:the |its )?"
            rf"(?:latest|newest)(?: (?:version|release))?{_WHERE}"
        ),
        _expect_latest,
    ),
    (r"(?P<name>(?:@[\w.-]+/)?[\w.-]+(?:/[\w.-]+)+)(?: to |@| )(?P<new>v?\d[\w.+-]*)", _expect_at_version),
    (rf"bump(?:s|ed)? (?:the )?(?P<names>{_PACKAGES}){_WHERE}", _expect_changed),
    (
        (
            rf"{words.ADD} {some_of('the a')}(?P<names>{_PACKAGES}) (?:as (?:a )?|to )?{_DEVELOPMENT}"
            rf"{any_of('dependency dependencies deps')}"
        ),
        _expect_added,
    ),
    (
        (
            rf"{words.REMOVE} {_DEVELOPMENT}(?:dependency (?:on )?)?(?P<names>{_PACKAGES}) {_DEVELOPMENT}"
            rf"{any_of('dependency dependencies dep deps devdependency')}(?:, (?:always )?unused)?"
        ),
        _expect_removed,
    ),
)


def _expect_own(m: re.Match[str]) -> Iterator[StatedFact]:
    package = m.groupdict().get("package")
    yield StatedFact(CHANGES, f"own:{package}" if package else "own", Relation.EQ, clean(m["new"]))


def _expect_new_version(_: re.Match[str]) -> Iterator[StatedFact]:
    yield StatedFact(CHANGES, "own", Relation.EQ, "changed")


_OWN = r"(?P<new>v?\d+\.\d+[\w.+-]*)"
_PREPARE = any_of(
    "prepare prep cut tag publish make create start set bump update increase increment change bumped updated raised"
)
_VERSION = any_of(
    "release version versions version_number package_version new_release new_version next_release crate_version"
)
_NO_NAME = rf"(?!(?:{words.ADD}|{words.REMOVE}|{words.ACTIONS}) )"
"""A verb before a version is no package's name."""

VERSIONS: Sequence[Phrase] = (
    (
        any_of(
            "version_packages bump_version bump_versions version_bump bump_version_number release_new_version release "
            "new_release release_a_new_version new_version prepare_release prepare_for_release prepare_next_release "
            "bumped_up_the_version bump_up_the_version bumped_version bumped_the_version bump_the_version "
            "bump_version_for_release bump_version_number_for_release"
        ),
        _expect_new_version,
    ),
    (
        (
            rf"(?:\[[\w-]+\] )?(?:{_PREPARE}(?: for)?(?: the)? )?{_VERSION}"
            rf"(?: {any_of('version of to for number')})*[ :]+(?:[\w-]+-)?{_OWN}"
            rf"(?: (?:release|version))?(?: for publishing)?"
        ),
        _expect_own,
    ),
    (
        (
            rf"{any_of('bump bumped update prepare prepare_for release released publish')}(?: to| for)? {_OWN}"
            rf"(?: release)?(?: for publishing)?"
        ),
        _expect_own,
    ),
    (
        (
            rf"(?:{any_of('release released publish')} )?"
            rf"(?:{_NO_NAME}(?P<package>(?:@[\w.-]+/)?[\w.-]*?[A-Za-z][\w.-]*?)[@ -])?{_OWN}(?: release)?"
        ),
        _expect_own,
    ),
)


def _runtime(m: re.Match[str], value: str) -> Iterator[StatedFact]:
    language = m.groupdict().get("language", "*").lower()
    for version in re.findall(r"\d[\w.]*", m["version"]):
        name = words.COMMON_NAMES.get(language, language)
        yield StatedFact(CHANGES, f"runtime:{name}", Relation.EQ, f"{value} {version}")


def _expect_without(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _runtime(m, "without")


def _expect_with(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _runtime(m, "with")


def _expect_runtime_at(m: re.Match[str]) -> Iterator[StatedFact]:
    yield from _runtime(m, "at")


_LANGUAGE = rf"(?P<language>{words.LANGUAGES})"
_NO_LANGUAGE = r"v?(?P<version>\d+\.\d+(?:(?:, | and |, and |/)\d+\.\d+)*)"
"""Versions without the name of their language, as in ``Drop 3.9``: no plain numbers, which may count anything."""

_VERSIONS = r"(?:[><=^~]+ ?)?v?(?P<version>\d[\w.]*\+?(?:(?:, | and |, and |/)v?\d[\w.]*)*)"
_PLACES = any_of(
    "ci test tests tox classifiers test_matrix ci_matrix matrix github_actions the_ci the_matrix the_test_matrix "
    "the_tests"
)
_OLD = some_of("the support_for support_of support eol end-of-life old")
_TO = any_of("bump raise update increase set lower require upgrade")
_DROP = any_of("drop remove end stop dropped removed")
_SUPPORT = some_of("official support_for support_of")
_RUN = any_of(
    "run_tests run_ci run_ci_tests run_the_tests run_the_ci_tests run_test_suite run_the_test_suite test build"
)
_TRY = rf"(?:support|{_RUN} (?:on|with|against|under))"
_LEAST = some_of("the minimum minimal min required supported tested compiler version version_of to at_least")
RUNTIMES: Sequence[Phrase] = (
    (
        (rf"{_DROP} {_OLD}{_LANGUAGE} ?{_VERSIONS}(?: support)?(?: from {_PLACES})*"),
        _expect_without,
    ),
    (
        (
            rf"(?:{any_of('add enable declare advertise added')} {_SUPPORT}|{_TRY} )"
            rf"{_LANGUAGE} ?{_VERSIONS}(?: support)?(?: {any_of('to in on')} {_PLACES})*"
        ),
        _expect_with,
    ),
    (
        (
            rf"{_TO}(?: to)? {_LEAST}{_LANGUAGE}"
            rf"(?: {any_of('version requirement toolchain directive engine engine_requirement engines stable')})?"
            rf"(?: to| from \S+ to|:)? {_VERSIONS}"
        ),
        _expect_runtime_at,
    ),
    (
        (
            rf"(?:use|run|switch (?:{_PLACES} )?to|update (?:{_PLACES} )?to) {_LANGUAGE} ?{_VERSIONS} "
            rf"(?:in|on|for) (?:the )?{_PLACES}"
        ),
        _expect_with,
    ),
    (rf"run {_PLACES} (?:on|with|against|under) {_LANGUAGE} ?{_VERSIONS}", _expect_with),
    (rf"{_DROP} {_OLD}{_NO_LANGUAGE}(?: support)?(?: from {_PLACES})*", _expect_without),
    (
        (
            rf"(?:{any_of('add enable declare advertise added')} {_SUPPORT}|{_TRY} ){_NO_LANGUAGE}"
            rf"(?: support)?(?: {any_of('to in on')} {_PLACES})*"
        ),
        _expect_with,
    ),
)
