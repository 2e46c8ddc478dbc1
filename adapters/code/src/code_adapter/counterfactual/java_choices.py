"""Arguments by which Maven and Gradle run some test classes and no others, under the settings of the project.

Maven: Surefire is given a file of what to leave out, so that the patterns of the project still decide which of the
rest are tests; ``-Dtest`` would take their place. With ``-Dtest`` it runs single methods:
https://maven.apache.org/surefire/maven-surefire-plugin/test-mojo.html. Gradle's ``--tests`` narrows what a project
chooses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from code_adapter.counterfactual.java_classes import JavaClass
from code_adapter.subject_files import SubjectFiles
from code_adapter.toolchains.java import SOURCES, JavaProject

TESTS = "/src/test/"
_POM = "pom.xml"
_SUREFIRE = re.compile(r"maven-surefire-plugin\s*</artifactId>(?:(?!</plugin>).)*", re.DOTALL)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)", re.MULTILINE)
_SUITE = re.compile(r"@(?:Suite|SuiteClasses|SelectClasses|SelectPackages)\b|\bSuite\.class")
_NAME = re.compile(r"[\w.$]+")
_PLAIN = re.compile(r"[\w.][\w./$-]*")
"""Names of files and folders that are no pattern: Maven has signs for what to leave out, and Surefire for any text."""

_NESTED = "**/*$*"
"""What Surefire leaves out where nothing else is said."""


@dataclass(frozen=True)
class Chosen:
    """The classes to run, those of the tests that must fail among them, and the ``methods`` by class, {} for all."""

    classes: Sequence[JavaClass]
    planted: frozenset[str]
    methods: Mapping[str, Collection[str]]

    @property
    def paths(self) -> frozenset[str]:
        """The files of the classes."""
        return frozenset(each.path for each in self.classes)

    @property
    def names(self) -> list[str]:
        """The names of the classes after which files are named."""
        return [each.name for each in self.classes if "$" not in each.name]


def choose_methods(only: Mapping[str, Collection[str]], chosen: Chosen) -> dict[str, list[str]]:
    """Return the methods to run by class, all of those planted; {} if a file has to run as a whole."""
    found: dict[str, list[str]] = {}
    for each in chosen.classes:
        if each.path in chosen.planted:
            found[each.name] = list(each.tests)
        elif each.path not in only:
            return {}
        else:
            own = [name.removeprefix(each.prefix) for name in sorted(only[each.path]) if name.startswith(each.prefix)]
            if each.path.endswith(".kt") and not all(map(_NAME.fullmatch, own)):
                # Names of Kotlin may have signs that are patterns.
                return {}
            if own := [name for name in own if "." not in name and _NAME.fullmatch(name)]:
                found[each.name] = own
    return found


def choose_arguments(project: JavaProject, files: SubjectFiles, chosen: Chosen, private: Path) -> list[str]:
    """Return the arguments that choose; files of patterns are written into ``private``."""
    if project.tool.is_gradle:
        return list(_choose_for_gradle(chosen))
    modules = list(_choose_modules(files, project.folder, chosen.paths))
    if chosen.methods:
        return [*modules, *_choose_methods_of_surefire(chosen)]
    return [*modules, *_leave_out_of_surefire(files, project.folder, chosen, private)]


def names_suites(files: SubjectFiles, folder: str) -> bool:
    """Whether Surefire runs what files of TestNG's suites name, whatever patterns say."""
    return any("<suiteXmlFile" in settings for settings in _list_settings(files, folder))


def _choose_for_gradle(chosen: Chosen) -> Iterator[str]:
    names = [name for owner, own in chosen.methods.items() for name in _name_methods(owner, own)]
    for name in names or [f"{name}{more}" for name in chosen.names for more in ("", "$*")]:
        yield from ("--tests", name)


def _name_methods(owner: str, methods: Collection[str]) -> list[str]:
    """Name the methods of a class with their rows, or the class if none is named."""
    return [f"{owner}.{name}{more}" for name in methods for more in ("", "[*]", "(*")] or [owner]


def _choose_modules(files: SubjectFiles, folder: str, paths: Iterable[str]) -> Iterator[str]:
    """Choose the modules of these files, and those that they are built with, where there is more than one module."""
    known = {path.removesuffix(_POM).rstrip("/") for path in files.below(folder) if path.rpartition("/")[2] == _POM}
    if len(known) < 2:
        return
    found = set()
    for path in paths:
        module = f"/{path}".partition(TESTS)[0].lstrip("/")
        while module not in known and module != folder:
            module = module.rpartition("/")[0]
        found.add(module[len(folder) :].lstrip("/") or ".")
    if all(map(_PLAIN.fullmatch, found)):
        yield from ("-pl", ",".join(sorted(found)), "-am")


def _choose_methods_of_surefire(chosen: Chosen) -> Iterator[str]:
    # Rows of JUnit 4 have a name of their own: ``adds[0]``.
    parts = {owner: "+".join(f"{name}+{name}[*]" for name in own) for owner, own in chosen.methods.items()}
    wanted = (f"{owner.replace('.', '/')}{f'#{part}' if part else ''}" for owner, part in parts.items())
    yield from (f"-Dtest={','.join(wanted)}", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false")


def _leave_out_of_surefire(files: SubjectFiles, folder: str, chosen: Chosen, private: Path) -> Iterator[str]:
    settings = " ".join(_list_settings(files, folder))
    kept = {name.replace(".", "/") for name in chosen.names}
    others = {_name_class(path, text) for path, text in _list_others(files, folder, chosen.paths)} - kept
    others = {name for name in others if _PLAIN.fullmatch(name)}
    if others:
        # Where there is such a file, nothing is left out by default.
        nested = [] if "<exclude" in settings else [_NESTED]
        left_out = private / "excludes"
        left_out.write_text("\n".join([*nested, *(f"{name}.java" for name in sorted(others))]) + "\n")
        yield f"-Dsurefire.excludesFile={left_out}"
    if "<include" in settings:
        added = private / "includes"
        planted = (each.name.replace(".", "/") for each in chosen.classes if each.path in chosen.planted)
        added.write_text("".join(f"{name}.java\n" for name in planted))
        yield f"-Dsurefire.includesFile={added}"


def _list_others(files: SubjectFiles, folder: str, chosen: frozenset[str]) -> Iterator[tuple[str, str]]:
    """List the other test sources with their texts. Suites run: they may be what runs the chosen classes."""
    for path in files.below(folder):
        if TESTS in f"/{path}" and path.endswith(SOURCES) and path not in chosen:
            text = files.text(path)
            if not _SUITE.search(text):
                yield path, text


def _name_class(path: str, text: str) -> str:
    package = _PACKAGE.search(text)
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return f"{package[1].replace('.', '/')}/{stem}" if package else stem


def _list_settings(files: SubjectFiles, folder: str) -> Iterator[str]:
    """List what the project says about Surefire."""
    for path in files.below(folder):
        if path.rpartition("/")[2] == _POM:
            yield from _SUREFIRE.findall(files.text(path))
