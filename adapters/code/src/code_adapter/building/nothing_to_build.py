"""Find out whether JavaScript has nothing to build: it runs as it is written, in base and subject.

A change that takes the build away doesn't make it needless, so what the base has counts as well.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.building.node_steps import is_package
from code_adapter.detection import Unexamined
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from verigate.sdk import AdapterError, path_text
from verigate.sdk.npm_scripts import uses_typescript
from verigate.sdk.subject import find_repository, resolve_base

if TYPE_CHECKING:
    from verigate.sdk import Request
    from verigate.sdk.subject import Repository

_PLAIN = (".js", ".mjs", ".cjs")
_COMPILED = frozenset(
    {".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue", ".svelte", ".astro", ".coffee", ".elm", ".res", ".scss", ".sass"}
    | {".less", ".styl", ".c", ".cc", ".cpp", ".cs", ".java", ".kt", ".scala", ".swift", ".go", ".rs", ".hs", ".ml"}
    | {".erl", ".ex", ".dart", ".zig", ".nim", ".wat"}
)
_DECLARING = (".d.ts", ".d.mts", ".d.cts")
_SETTINGS = re.compile(
    r"tsconfig(?:\..+)?\.json|(?:webpack|rollup|vite|esbuild|rspack|rsbuild|tsup|unbuild|next|nuxt|svelte|astro|vue|metro|snowpack|"
    r"farm|parcel|postcss|tailwind|rolldown|tsdown|remix|gatsby|babel|ember-cli)[-.\w]*\.config\.[cm]?[jt]s|"
    r"(?:webpack|rollup|vite|esbuild|babel|next|nuxt|vue|svelte|astro|tsup|rspack|gatsby)(?:[-.]\w+)*\.(?:config|conf)\.(?:[cm]?[jt]s|json)|"
    r"(?:gulpfile|gruntfile|jakefile)(?:\.babel)?\.[cm]?[jt]s|angular\.json|\.parcelrc|\.swcrc|\.babelrc(?:\..+)?|"
    r"esbuild\.[cm]?js|build\.[cm]?js|binding\.gyp|CMakeLists\.txt|meson\.build|configure\.ac",
    re.IGNORECASE,
)
_SCRIPTS = re.compile(
    r"(?:pre|post)?(?:build|compile|bundle|dist|transpile|tsc|webpack|rollup)(?![a-z])", re.IGNORECASE
)
_COMPILERS = re.compile(
    r"\b(?:webpack|rollup|esbuild|parcel|vite build|tsc|babel|swc|browserify|ncc|tsup|rspack|microbundle|gulp|grunt|"
    r"next build|nuxt build|unbuild|bunchee|node-gyp|bun build|deno compile|sass|lessc)\b(?![-/])"
)
_TARGETS = re.compile(r"^(?:build|compile|bundle|dist)\b[^=\n]*:(?!=)", re.MULTILINE)
_MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile"})
_WHY = "JavaScript that runs as it is written: no script that builds, no compiled sources, no bundler's configuration"
_MOST_SIGNS = 20


def find_nothing_to_build(request: Request, files: SubjectFiles) -> tuple[list[Unexamined], list[Unexamined]]:
    """Find what has nothing to build, and signs that something has to be built; the former only without the latter.

    Each entry has a name, its path and the reason. Both are empty where there is no JavaScript.
    """
    plain = [path for path in files.paths if path.endswith(_PLAIN) and not _is_material(path)]
    if not plain:
        return [], []
    signs = set(_find_signs(files.paths, files.text))
    signs |= {sign for sign in _find_base_signs(request) if all(sign.path != known.path for known in signs)}
    if signs:
        return [], sorted(signs)[:_MOST_SIGNS]
    places = [path for path in files.paths if is_package(path)] or ["."]
    return [Unexamined("javascript", path_text(path), _WHY) for path in places], []


def _find_base_signs(request: Request) -> Iterator[Unexamined]:
    repository = find_repository(request)
    if repository is None:
        return
    base = resolve_base(request, repository)
    paths = list(map(os.fsdecode, repository.entries("ls-tree", "-r", "-z", "--name-only", "--full-tree", base)))
    for sign in _find_signs(paths, lambda path: _show(repository, base, path)):
        yield Unexamined(sign.what, sign.path, f"{sign.why}, in the base")


def _show(repository: Repository, base: str, path: str) -> str:
    return repository.git("cat-file", "blob", f"{base}:{path}", check=False).stdout.decode("utf-8", "replace")


def _find_signs(paths: Iterable[str], read: Callable[[str], str]) -> Iterator[Unexamined]:
    for path in paths:
        if _is_material(path):
            continue
        name, shown = path.rpartition("/")[2], path_text(path)
        if is_package(path):
            yield from _find_script_signs(shown, _read_package(read, path))
        elif _SETTINGS.fullmatch(name):
            yield Unexamined(name, shown, "it is the configuration or program of a build")
        elif PurePosixPath(name).suffix.lower() in _COMPILED and not name.endswith(_DECLARING):
            yield Unexamined(PurePosixPath(name).suffix, shown, "it is compiled before it runs")
        elif name in _MAKEFILES and (target := _TARGETS.search(read(path))) is not None:
            yield Unexamined("make", shown, f"it has the target {target[0].partition(':')[0].strip()}")


def _find_script_signs(path: str, package: Mapping[str, Any]) -> Iterator[Unexamined]:
    scripts = package.get("scripts")
    for name, text in scripts.items() if isinstance(scripts, Mapping) else ():
        if _SCRIPTS.match(str(name)):
            yield Unexamined("npm", path, f"it has the script {name}")
        elif isinstance(text, str) and (found := _COMPILERS.search(text)) is not None:
            yield Unexamined("npm", path, f"its script {name} calls {found[0]}")
    if uses_typescript(package):
        yield Unexamined("tsc", path, "it depends on typescript")


def _read_package(read: Callable[[str], str], path: str) -> Mapping[str, Any]:
    try:
        package = json.loads(read(path))
    except (AdapterError, ValueError, RecursionError):
        return {}
    return package if isinstance(package, dict) else {}


def _is_material(path: str) -> bool:
    return bool(NOT_PROJECTS.intersection(path.split("/")[:-1]))
