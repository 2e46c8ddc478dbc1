"""Editable installs that import the user's own tree instead of the subject's checkout.

With a sandbox the checkout is mounted at the repository's path and such an install imports the subject. Without one it
would import what the user has on disk, which is not what is verified.
"""

from __future__ import annotations

import ast
import glob
import os
from collections.abc import Iterable, Iterator

from verigate.subject.outside_programs import is_below

_LIMIT = 1_000_000


def find_editable_leaks(env: str, root: str) -> tuple[str, ...]:
    """Find the files of environment ``env`` (absolute path) that add code below ``root`` to its import path.

    Returns sorted paths. Reads ``.pth`` files (site, Python library reference), setuptools' ``__editable__`` finders,
    ``.egg-link`` files and ``direct_url.json`` (PEP 610). An environment below ``root`` may lead to itself.
    """
    roots = {os.path.abspath(root), os.path.realpath(root)}
    envs = {os.path.abspath(env), os.path.realpath(env)}
    found: set[str] = set()
    # lib64 is often a link to lib; report one name for each file.
    sites = {
        os.path.realpath(site): site
        for site in sorted(glob.glob(f"{glob.escape(env)}/lib*/python*/site-packages"))[::-1]
    }
    for site in sites.values():
        for path, target in _find_links(site, roots):
            real = {os.path.normpath(target), os.path.realpath(target)}
            inside = any(is_below(place, folder) for place in real for folder in roots)
            if inside and not any(is_below(place, folder) for place in real for folder in envs):
                found.add(path)
    return tuple(sorted(found))


def list_import_roots(env: str) -> tuple[str, ...]:
    """List the folders outside environment ``env`` that it imports from, such as other projects installed in place.

    Real paths, sorted; only what looks like Python's: an environment can name any folder.
    """
    found = set()
    for site in glob.glob(f"{glob.escape(env)}/lib*/python*/site-packages"):
        # Its packages themselves may be a link to those of another environment.
        for target in (site, *(target for _, target in _find_links(site, ()))):
            real = os.path.realpath(target)
            if not is_below(real, os.path.realpath(env)) and _holds_python(real):
                found.add(_find_environment(real) or real)
    return tuple(sorted(found))


def _find_environment(folder: str) -> str | None:
    """Find the virtual environment whose packages lie in ``folder``: their programs are in its ``bin``."""
    above = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    is_own = os.path.basename(folder) == "site-packages" and os.path.isfile(os.path.join(above, "pyvenv.cfg"))
    return above if is_own else None


def _holds_python(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(
                entry.name.endswith((".py", ".dist-info", ".egg-info"))
                or entry.name == "pyproject.toml"
                or os.path.exists(f"{entry.path}/__init__.py")
                for entry in entries
            )
    except OSError:
        return False


def _find_links(site: str, roots: Iterable[str]) -> Iterator[tuple[str, str]]:
    escaped = glob.escape(site)
    for path in glob.glob(f"{escaped}/*.pth") + glob.glob(f"{escaped}/*.egg-link"):
        for line in _read(path).splitlines():
            text = line.strip()
            if text.startswith(("import ", "import\t")):
                # site executes such a line; report one that names the repository.
                yield from ((path, root) for root in roots if root in text)
            elif text and not text.startswith("#"):
                yield path, os.path.join(site, text)
    for path in glob.glob(f"{escaped}/__editable__*.py"):
        for target in _read_finder_targets(_read(path)):
            yield path, target
    for path in glob.glob(f"{escaped}/*.dist-info/direct_url.json"):
        origin = _read_direct_url(_read(path))
        if origin:
            yield path, origin


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LIMIT).decode("utf-8", "surrogateescape")
    except OSError:
        return ""


def _read_finder_targets(source: str) -> Iterator[str]:
    # setuptools writes MAPPING and NAMESPACES as literals; every absolute path among them is a place to import from.
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in tree.body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None:
            for constant in ast.walk(node.value):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and constant.value[:1] == "/":
                    yield constant.value


def _read_direct_url(text: str) -> str | None:
    import json
    from urllib.parse import unquote, urlsplit

    try:
        document = json.loads(text)
        if document["dir_info"]["editable"] is not True:
            return None
        url = urlsplit(document["url"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return unquote(url.path) if url.scheme == "file" else None
