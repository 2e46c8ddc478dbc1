"""Decide which changed files are documents (documentation, text, pictures). Every other file is code.

The list names the file types that are known to be harmless, not the languages: an unknown type is code.
"""

from __future__ import annotations

from verigate.domain.subject import Change

_TEXT = (".md", ".markdown", ".rst", ".txt", ".adoc")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".pdf")
_NAMES = frozenset({"authors", "changelog", "contributing", "copying", "licence", "license", "notice", "readme"})
_ACTED_UPON = ("requirements", "constraints", "cmakelists", "conanfile", "meson_options", "egg-info", "dist-info")
"""Parts of the paths of text files that pip, CMake, Conan, Meson and pytest plug-ins act upon."""

_OF_TESTS = frozenset({"test", "tests", "__tests__", "testdata", "test-data", "test_data", "fixtures", "__fixtures__"})
"""Folders in which a text may be test data or a test."""

_PROGRAMS = (
    *(".py", ".pyi", ".pyx", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"),
    *(".go", ".rs", ".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"),
    *(".cs", ".fs", ".vb", ".swift", ".m", ".mm", ".rb", ".php", ".pl", ".pm", ".lua", ".r", ".jl", ".dart"),
    *(".ex", ".exs", ".erl", ".hs", ".ml", ".nim", ".zig", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd"),
)
"""Suffixes of sources that something runs or compiles: ``docs/conf.py`` runs whenever the documentation is built."""

_EXAMPLES = frozenset({"example", "examples", "_example", "_examples", "demo", "demos", "samples"})
"""Folders of programs that are written to be read."""


def is_code(change: Change) -> bool:
    """Whether the code rules apply to a change. Links, submodules and executables are code whatever their name."""
    return not (change.plain and is_document(change.path))


def is_document(path: str) -> bool:
    """Whether a file with this name is documentation, text or a picture."""
    if not path.isprintable() or "\\" in path:
        return False
    lowered = path.lower()
    *folders, name = lowered.split("/")
    if not _OF_TESTS.isdisjoint(folders):
        return False
    if name in _NAMES:
        return True
    # pytest runs test*.txt as doctests by default.
    if name.endswith(".txt") and (name.startswith("test") or any(word in lowered for word in _ACTED_UPON)):
        return False
    return name.endswith((*_TEXT, *_PICTURES)) and not name.startswith(".")


def is_program(path: str) -> bool:
    """Whether a file with this name is a source in a programming language, other than an example to read."""
    lowered = path.lower()
    return lowered.endswith(_PROGRAMS) and _EXAMPLES.isdisjoint(lowered.split("/")[:-1])
