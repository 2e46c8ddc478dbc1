"""Modules of Go, each a package here.

Sources: https://go.dev/ref/mod#go-mod-file and https://go.dev/ref/mod#workspaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.packages.manifest_tree import ManifestTree, UnclearPackagesError, parent, resolve
from code_adapter.packages.package import FoundPackages, Package
from verigate.sdk import path_text

KIND = "go"
_WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|`[^`]*`|=>|[()]|[^\s()\"`]+")
_LOCAL = (".", "/")


def find_go_packages(tree: ManifestTree) -> FoundPackages:
    """Find all modules. What go.work replaces by a folder concerns all. Raises UnclearPackagesError."""
    wide: dict[str, str] = {}
    for path in tree.projects("go.work"):
        for words in _read_lines(tree, path):
            if words[0] == "replace" and (place := _read_replaced(parent(path), words)) is not None:
                wide[place] = f"{path} puts it in the place of another module"
    packages = tuple(_read(tree, path) for path in tree.projects("go.mod"))
    return FoundPackages(packages, {}, wide)


def _read(tree: ManifestTree, path: str) -> Package:
    folder, name = parent(path), ""
    names: set[str] = set()
    paths: set[str] = set()
    for words in _read_lines(tree, path):
        if words[0] == "module" and len(words) > 1:
            name = words[1]
        elif words[0] == "require" and len(words) > 1:
            names.add(words[1])
        elif words[0] == "replace":
            names.update(words[1:2])
            if (place := _read_replaced(folder, words)) is not None:
                paths.add(place)
            elif "=>" in words:
                names.update(words[words.index("=>") + 1 :][:1])
    if not name:
        raise UnclearPackagesError(f"{path_text(path)}: no module is named")
    return Package(KIND, folder, name, frozenset(names), frozenset(paths))


def _read_replaced(folder: str, words: list[str]) -> str | None:
    """Return the folder that a ``replace`` line names; None for a module of others."""
    after = words[words.index("=>") + 1 :] if "=>" in words else []
    return resolve(folder, after[0]) if after and after[0].startswith(_LOCAL) else None


def _read_lines(tree: ManifestTree, path: str) -> Iterator[list[str]]:
    """Yield the words of each line, those of a block with its keyword first. Raises UnclearPackagesError."""
    block = ""
    for line in tree.text(path).splitlines():
        words = [_unquote(word) for word in _WORD.findall(re.sub(r"//.*", "", line))]
        if not words:
            continue
        if block and words == [")"]:
            block = ""
        elif not block and len(words) == 2 and words[1] == "(":
            block = words[0]
        elif "(" in words or ")" in words:
            raise UnclearPackagesError(f"{path_text(path)}: {line.strip()!r} isn't a line of it")
        else:
            yield [block, *words] if block else words
    if block:
        raise UnclearPackagesError(f"{path_text(path)}: the block {block} doesn't end")


def _unquote(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in '"`' else word
