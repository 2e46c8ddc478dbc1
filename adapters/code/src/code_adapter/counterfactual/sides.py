"""Base and subject: their versions, the sources of their test trees, and what differs between these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from code_adapter.counterfactual.affected_tests import choose_test_files, find_changed_tests
from code_adapter.counterfactual.cell_runs import CellRunner, TestName
from code_adapter.counterfactual.dependencies import differ_in_dependencies
from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.mixed_files import matters_to_tests
from code_adapter.counterfactual.mixed_sources import blank_code, may_hold_tests, read_test_parts
from code_adapter.counterfactual.selection import Selection, select_tests
from code_adapter.counterfactual.shared_effects import list_shared_effects
from code_adapter.counterfactual.test_support import find_test_support, list_naming
from code_adapter.counterfactual.test_tree import MIXED, is_settings
from code_adapter.counterfactual.versions import Version, move_to_tests, read_version
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.unread import name_unread
from code_adapter.integrity.roles import is_collected
from code_adapter.own_calls.own_lines import NAMES
from code_adapter.syntax.changes import read_blobs
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import fingerprint, parse
from verigate.sdk.pipelines import is_pipeline
from verigate.sdk.subject import Repository


@dataclass(frozen=True)
class Sides:
    """Base and subject. ``changed`` are the paths of the test tree, and settings of runners, that differ.

    ``mixed`` are sources of the code that hold tests of which some differ; they are part of ``changed``.
    """

    base: Version
    head: Version
    base_forms: Forms
    head_forms: Forms
    changed: frozenset[str]
    mixed: frozenset[str] = frozenset()
    same_inner: int = 0
    """How many tests within sources that differ are the same, and how many sources with tests don't differ."""

    @property
    def test_tree(self) -> list[str]:
        """The paths of the test tree of either version, sorted."""
        return sorted(self.base.tests | self.head.tests)

    @property
    def code(self) -> list[str]:
        """The paths of everything else, sorted."""
        return sorted({*self.base.files, *self.head.files} - self.base.tests - self.head.tests)

    @property
    def changed_dependencies(self) -> bool:
        """Whether a file differs that says which dependencies to install, or that is compiled."""
        return any(
            differ_in_dependencies(path, self.base_forms.read(path), self.head_forms.read(path))
            for path in self.code
            if self._differs(path)
        )

    def find_forms(self, base: TestName | None, head: TestName | None) -> tuple[str | None, str | None]:
        """Find the texts of a test in base and subject, with its support and data where nothing else differs."""
        was = self.base_forms.find(base) if base else None
        now = self.head_forms.find(head) if head else None
        if was != now:
            return was, now
        others = sorted(path for path in self.changed if not is_collected(path))
        return _add_objects(was, others, self.base), _add_objects(now, others, self.head)

    def choose(self, runner: CellRunner) -> list[str]:
        """Choose the test files that ``runner`` may run and whose own tree differs."""
        sources = [path for path in sorted({*self.test_tree, *self.mixed}) if _is_source(path)]
        tests = [path for path in runner.choose(sources, sorted(self.mixed)) if not is_settings(path)]
        start = f"{runner.folder}/" if runner.folder else ""
        changed = [path for path in self.changed if path.startswith(start)]
        known = frozenset(tests)
        settings = {path for version in (self.base, self.head) for path in version.files if is_settings(path)}
        support = sorted({*sources, *settings} - known)
        chosen = set(choose_test_files(changed, tests, support, self._read))
        for path in known.intersection(changed):
            if self._acts_on_others(path):
                folder = path.rpartition("/")[0]
                chosen |= {test for test in tests if not path.endswith(".go") or test.rpartition("/")[0] == folder}
        return sorted(chosen)

    def _acts_on_others(self, path: str) -> bool:
        """Whether the file differs in what it does to the tests of other files."""
        before, after = (list_shared_effects(path, forms.read(path)) for forms in (self.base_forms, self.head_forms))
        return before != after

    def list_acting(self, paths: Iterable[str]) -> set[str]:
        """List those of ``paths`` that act on the tests of other files, which have to run with them."""
        return {
            path
            for path in paths
            if any(list_shared_effects(path, forms.read(path)) for forms in (self.base_forms, self.head_forms))
        }

    def select(self, paths: Sequence[str], folder: str) -> dict[str, Selection]:
        """Choose the tests to run of ``paths``; empty for all of them, as where nothing but others changed for one.

        Test files of another language don't count: nothing here loads them.
        """
        start = f"{folder}/" if folder else ""
        languages = {language_of(path) for path in paths}
        others = (path for path in self.changed - set(paths) if path.startswith(start))
        if not self.changed >= set(paths) or not all(
            is_collected(path) and language_of(path) not in languages for path in others
        ):
            return {}
        return select_tests(paths, self.mixed, self.base_forms, self.head_forms)

    @property
    def same_code(self) -> bool:
        """Whether nothing but the test tree differs, so that a test does the same on both versions of the code."""
        alone = {path for path in self.changed - self.mixed if path.rpartition("/")[2] not in MIXED}
        return all(path in alone or not self._differs(path) for path in self.code)

    def count_same_files(self) -> int:
        """Count the test files that don't differ."""
        both = self.base.tests & self.head.tests
        return sum(is_collected(path) and not self._differs(path) for path in both)

    def count_same(self) -> int:
        """Count what of the tests is the same in both: whole test files, and tests in those that differ."""
        both = [path for path in sorted(self.base.tests & self.head.tests) if is_collected(path)]
        differing = [path for path in both if self._differs(path)]
        forms = (self.base_forms, self.head_forms)
        tests = (name for path in differing for name in forms[0].list_tests(path) if forms[1].is_written(name))
        same = sum(forms[0].find(name) == forms[1].find(name) for name in tests)
        return len(both) - len(differing) + same + self.same_inner

    def list_unread(self, chosen: frozenset[str]) -> Iterator[str]:
        """List the changed test files that no cell ran."""
        return (path for path in sorted(self.changed - chosen) if is_collected(path) or name_unread(path))

    def keeps_text(self, base: TestName | None, head: TestName | None) -> bool | None:
        """Whether a test is the same text in both, but for its name; None where syntax trees compare its forms."""
        if base is None or head is None:
            return None
        was, now = self.base_forms.find_unnamed(base), self.head_forms.find_unnamed(head)
        return None if was is None and now is None else was == now

    def _differs(self, path: str) -> bool:
        return self.base.files.get(path) != self.head.files.get(path)

    def _read(self, path: str) -> str:
        return "\n".join(forms.read(path) for forms in (self.base_forms, self.head_forms))


def _is_source(path: str) -> bool:
    """Whether it is a source that may hold tests: in a language that is read, or a test file in another one."""
    return language_of(path) in LANGUAGES or name_unread(path) is not None


def _add_objects(form: str | None, paths: Iterable[str], version: Version) -> str:
    objects = (f"{path} {version.files[path].oid}" for path in paths if path in version.files)
    return "\n".join([form or "", *objects])


def read_sides(repository: Repository, base: str) -> Sides:
    """Read the base and the subject, which is the index. Raises ToolFailed, or AdapterError for too many bytes."""
    subject = repository.git("write-tree").stdout.decode().strip()
    before, after = read_version(repository, base), read_version(repository, subject)
    support = find_test_support(repository, before, after)
    before, after = move_to_tests(before, support), move_to_tests(after, support)
    differing = {path for path in {*before.files, *after.files} if before.files.get(path) != after.files.get(path)}
    doctests = _runs_doctests(repository, before, after)
    holding = frozenset(
        path
        for path in differing - before.tests - after.tests
        if may_hold_tests(path) and (doctests or not path.endswith(".py"))
    )
    before, after = replace(before, mixed=holding), replace(after, mixed=holding)
    blobs = read_blobs(
        repository,
        {
            version.files[path].oid
            for version in (before, after)
            for path in version.files
            if is_settings(path) or (path in version.tests | holding and _is_source(path))
        },
    )
    mixed = frozenset(path for path in holding if _differ_in_tests(path, before, after, blobs))
    base_forms, head_forms = (
        Forms(_list_sources(version, version.tests | mixed | set(filter(is_settings, version.files)), blobs))
        for version in (before, after)
    )
    inner = _count_same_inner(repository, before, after, blobs)
    changed = find_changed_tests(before, after)
    changed -= {path for path in changed if not _concerns_tests(path, before, after, blobs)}
    return Sides(before, after, base_forms, head_forms, changed | mixed, mixed, inner)


def _concerns_tests(path: str, base: Version, head: Version, blobs: Mapping[str, bytes | int]) -> bool:
    """Whether what differs in a file may concern tests: a manifest has other settings, too."""
    if path.rpartition("/")[2] not in MIXED or not (path in base.files and path in head.files):
        return True
    sides = [blobs.get(version.files[path].oid) for version in (base, head)]
    return not all(isinstance(side, bytes) for side in sides) or matters_to_tests(path, *map(_as_bytes, sides))


def _as_bytes(blob: bytes | int | None) -> bytes:
    return blob if isinstance(blob, bytes) else b""


def _count_same_inner(repository: Repository, base: Version, head: Version, blobs: Mapping[str, bytes | int]) -> int:
    """Count what of the tests within the code of Rust is the same: whole sources, and tests in those that differ."""
    tests = base.tests | head.tests
    sources = {path for path in base.files.keys() & head.files.keys() if path.endswith(".rs") and path not in tests}
    if not sources:
        return 0
    found = list_naming(repository, "#[test]", base.tree)
    whole = sum(path in sources and base.files[path] == head.files[path] for path in found)
    return whole + sum(
        len(_list_inner(path, blobs.get(base.files[path].oid)) & _list_inner(path, blobs.get(head.files[path].oid)))
        for path in sources
        if path in base.mixed
    )


def _list_inner(path: str, source: bytes | int | None) -> frozenset[tuple[str, str]]:
    """List the tests within a source by name and fingerprint."""
    if not isinstance(source, bytes):
        return frozenset()
    tree = parse(blank_code(path, source), grammar_of(path) or "")
    return frozenset((found.qualified, fingerprint(found.node)) for found in LANGUAGES["rust"].find_tests(tree))


def _runs_doctests(repository: Repository, *versions: Version) -> bool:
    """Whether settings or calls of a version speak of doctests, which alone makes a runner read docstrings."""
    oids = {
        version.files[path].oid
        for version in versions
        for path in version.files
        if ("/" not in path and (path in NAMES or is_settings(path))) or is_pipeline(path)
    }
    return any(isinstance(blob, bytes) and b"doctest" in blob for blob in read_blobs(repository, oids).values())


def _differ_in_tests(path: str, base: Version, head: Version, blobs: Mapping[str, bytes | int]) -> bool:
    found = (blobs.get(version.files[path].oid) if path in version.files else b"" for version in (base, head))
    before, after = (read_test_parts(path, blob) if isinstance(blob, bytes) else {} for blob in found)
    return before != after


def _list_sources(version: Version, paths: Iterable[str], blobs: Mapping[str, bytes | int]) -> dict[str, bytes]:
    found = {path: blobs.get(version.files[path].oid) for path in paths if path in version.files}
    return {path: blob for path, blob in found.items() if isinstance(blob, bytes)}
