"""Find the static sites of a repository by their configuration: Docusaurus, VitePress and MkDocs.

Configurations are read, not run: what isn't written literally is unknown. Sources:
https://docusaurus.io/docs/api/docusaurus-config, https://vitepress.dev/reference/site-config,
https://www.mkdocs.org/user-guide/configuration/.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from verigate.sdk.subject import UnreadableFileError, is_regular, read_file

MAX_SITES = 50
_MAX_BYTES = 1 << 20
_SCRIPT = r"\.(?:js|ts|mjs|mts|cjs|cts)"
_COMMENT = re.compile(r"""('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_DOCS = re.compile(r"\bdocs\s*:\s*\{([^{}]*)")


class Site(Struct, frozen=True):
    """A static site. Folders are relative to the repository; ``""`` is its root.

    ``content`` has the pages, which are served below ``route`` (``docs``, or ``""``), ``public`` the other files.
    ``base`` is the path of the whole site, ``/`` or ``/path/``, or None if it isn't known. ``adds_base`` is whether the
    tool puts it before absolute links. ``folder_urls`` is whether each page is served as a folder, to which its
    relative links are relative.
    """

    content: str
    route: str
    public: str | None
    base: str | None
    adds_base: bool
    folder_urls: bool


def find_sites(root: Path, paths: Iterable[str]) -> tuple[Site, ...]:
    """Find the sites whose configuration is among ``paths``, at most MAX_SITES."""
    found: list[Site] = []
    for path in paths:
        reader = next((reader for pattern, reader in _READERS if pattern.search(path)), None)
        if reader is None or len(found) == MAX_SITES or not is_regular(root, path):
            continue
        try:
            text = read_file(root, path, _MAX_BYTES).decode("utf-8", "replace")
        except UnreadableFileError:
            continue
        site = reader(posixpath.dirname(path), text)
        folders = () if site is None else (site.content, site.public or "")
        if site is not None and not any(folder.startswith(("..", "/")) for folder in folders):
            found.append(site)
    return tuple(found)


def _read_docusaurus(folder: str, text: str) -> Site:
    script = _strip_comments(text)
    docs = "".join(_DOCS.findall(script)[:1])
    return Site(
        content=_join(folder, _literal(docs, "path") or "docs"),
        route=(_literal(docs, "routeBasePath") or "docs").strip("/"),
        public=_join(folder, "static"),
        base=_base(script, "baseUrl"),
        adds_base=True,
        folder_urls=False,
    )


def _read_vitepress(folder: str, text: str) -> Site:
    script = _strip_comments(text)
    content = _join(posixpath.dirname(folder), _literal(script, "srcDir") or ".")
    return Site(content, "", _join(content, "public"), _base(script, "base"), adds_base=True, folder_urls=False)


def _read_mkdocs(folder: str, text: str) -> Site | None:
    values = _load_yaml(text)
    docs, address = values.get("docs_dir", "docs"), values.get("site_url") or ""
    if not isinstance(docs, str) or not isinstance(address, str):
        return None
    try:
        path = urlsplit(address).path.strip("/")
    except ValueError:
        return None
    base = f"/{path}/" if path else "/"
    folders = values.get("use_directory_urls", True) is not False
    return Site(_join(folder, docs), "", None, base, adds_base=False, folder_urls=folders)


_READERS: tuple[tuple[re.Pattern[str], Callable[[str, str], Site | None]], ...] = (
    (re.compile(rf"(?:^|/)docusaurus\.config{_SCRIPT}$"), _read_docusaurus),
    (re.compile(rf"(?:^|/)\.vitepress/config{_SCRIPT}$"), _read_vitepress),
    (re.compile(r"(?:^|/)mkdocs\.ya?ml$"), _read_mkdocs),
)


def _strip_comments(text: str) -> str:
    return _COMMENT.sub(lambda match: match[1] or " ", text)


def _literal(script: str, key: str) -> str | None:
    match = re.search(rf"""(?<![\w.]){key}\s*:\s*(["'`])([^"'`$\n]*)\1""", script)
    return match[2] if match else None


def _base(script: str, key: str) -> str | None:
    if not re.search(rf"(?<![\w.]){key}\s*[:,]", script):
        return "/"
    value = _literal(script, key)
    return None if value is None else f"/{inner}/" if (inner := value.strip("/")) else "/"


def _join(folder: str, name: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, name))
    return "" if path == "." else path


def _load_yaml(text: str) -> Mapping[str, Any]:
    import yaml

    # Tags such as !!python/name are common there; what they stand for doesn't matter here.
    loader = type("PlainLoader", (yaml.SafeLoader,), {})
    loader.add_multi_constructor("", lambda _loader, _suffix, _node: None)  # type: ignore[attr-defined]
    try:
        value = yaml.load(text, Loader=loader)  # noqa: S506 - it makes plain values only
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return {}
    return value if isinstance(value, dict) else {}
