"""Name the language of a test file whose tests nothing here reads: by its suffix, and by the file's name or place.

Names and folders are those that the languages' usual runners take by default: RSpec and Minitest, JUnit and Kotest,
xUnit and NUnit, PHPUnit, ExUnit, XCTest, GoogleTest and CTest, Bats and ShellSpec, Test::More, test, busted, Pester.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from code_adapter.integrity.languages import find_language
from verigate.sdk.languages import language_of

_SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys((".c", ".h"), "C"),
        **dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), "C++"),
        **dict.fromkeys((".clj", ".cljc", ".cljs"), "Clojure"),
        **dict.fromkeys((".coffee",), "CoffeeScript"),
        **dict.fromkeys((".cr",), "Crystal"),
        **dict.fromkeys((".csx",), "C#"),
        **dict.fromkeys((".dart",), "Dart"),
        **dict.fromkeys((".erl",), "Erlang"),
        **dict.fromkeys((".ex", ".exs"), "Elixir"),
        **dict.fromkeys((".fs", ".fsx"), "F#"),
        **dict.fromkeys((".groovy",), "Groovy"),
        **dict.fromkeys((".hs",), "Haskell"),
        **dict.fromkeys((".jl",), "Julia"),
        **dict.fromkeys((".lua",), "Lua"),
        **dict.fromkeys((".m", ".mm"), "Objective-C"),
        **dict.fromkeys((".ml", ".mli"), "OCaml"),
        **dict.fromkeys((".nim",), "Nim"),
        **dict.fromkeys((".pl", ".pm"), "Perl"),
        **dict.fromkeys((".ps1", ".psm1"), "PowerShell"),
        **dict.fromkeys((".pyx",), "Cython"),
        **dict.fromkeys((".r",), "R"),
        **dict.fromkeys((".scala", ".sc"), "Scala"),
        **dict.fromkeys((".sol",), "Solidity"),
        **dict.fromkeys((".swift",), "Swift"),
        **dict.fromkeys((".vb",), "Visual Basic"),
        **dict.fromkeys((".zig",), "Zig"),
        **dict.fromkeys((".el", ".lisp", ".lsp", ".rkt", ".scm"), "Lisp"),
        **dict.fromkeys((".elm",), "Elm"),
        **dict.fromkeys((".f90", ".f95", ".f03", ".for"), "Fortran"),
        **dict.fromkeys((".gd",), "GDScript"),
        **dict.fromkeys((".pas", ".pp"), "Pascal"),
        **dict.fromkeys((".rego",), "Rego"),
        **dict.fromkeys((".tcl",), "Tcl"),
        **dict.fromkeys((".vim",), "Vim script"),
        **dict.fromkeys((".vue", ".svelte"), "components"),
        **dict.fromkeys((".cu", ".cuh"), "CUDA"),
        **dict.fromkeys((".hurl",), "Hurl"),
        **dict.fromkeys((".ipynb",), "notebooks"),
    }
)
"""Languages of programs."""

SHELL = "shell"
_SHELL: Mapping[str, str] = MappingProxyType(dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".fish"), SHELL))
_TESTS: Mapping[str, str] = MappingProxyType(
    {".bats": "Bats", ".feature": "Gherkin", ".phpt": "PHP", ".robot": "Robot Framework", ".t": "Perl"}
)
"""What is nothing but tests, wherever it stands."""

_NAMES = re.compile(
    r"(?:tests?|spec)|(?:test|spec)[_.-].+|.+[_.-](?:[Tt]ests?|[Ss]pecs?|unittests?)|"
    r"(?:.*[a-z0-9])?(?:Tests?|TestCase|TestSuite|Specs?)|Test[A-Z0-9].*|.+_SUITE|runtests"
)
_SHELL_NAMES = re.compile(r"test_.+|.+[_.](?:tests?|spec)")
"""Without hyphens: ``run-tests.sh`` starts a runner, and is read as a script that does."""

_FOLDERS = re.compile(
    r"(?:[\w.-]*[_.-])?(?:[Tt]ests?|[Ss]pecs?|e2e|[Tt]esting|[Tt]estsuite)|[\w.-]*[a-z0-9](?:Tests?|Specs?)|__tests__|cypress"
)
_DATA = re.compile(
    r"_*(?:fixtures?|test_?-?data|data|snapshots?|goldens?|expected|corpus|corpora|samples?|examples?|inputs?|"
    r"resources|assets|vendor|node_modules)_*",
    re.IGNORECASE,
)
"""Folders of what tests read: a file in one is a test by its name alone."""

_BUILD = re.compile(r"Package(?:@.*)?\.swift|mix\.exs|setup\.ps1")


def is_program(path: str) -> bool:
    """Whether a file is the source of a program by its suffix, in a language that nothing here reads."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in _SUFFIXES or suffix in _SHELL


def name_unread(path: str) -> str | None:
    """Name the language of a test file that ``LANGUAGES`` has none for; None for every other file."""
    if find_language(path) is not None:
        return None
    pure = PurePosixPath(path)
    suffix = pure.suffix.lower()
    if suffix in _TESTS:
        return _TESTS[suffix]
    name = _SUFFIXES.get(suffix) or _SHELL.get(suffix) or language_of(path)
    return name if name is not None and not _BUILD.fullmatch(pure.name) and _is_test(pure, suffix) else None


def _is_test(path: PurePosixPath, suffix: str) -> bool:
    """Whether a file of a program is a test by its name, or by its place."""
    names = _SHELL_NAMES if suffix in _SHELL else _NAMES
    folders = path.parts[:-1]
    in_tests = any(_FOLDERS.fullmatch(folder) for folder in folders)
    return names.fullmatch(path.stem) is not None or (in_tests and not any(_DATA.fullmatch(each) for each in folders))
