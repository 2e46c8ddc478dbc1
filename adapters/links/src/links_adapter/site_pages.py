"""Find the file that a link of a static site leads to, where no file has exactly its path."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from links_adapter.sites import Site

PAGES = (".md", ".mdx", ".html")
_INDEXES = ("index", "README")

IsFile = Callable[[str], bool]
"""Whether a path of the repository is a file of it."""


def find_site_file(
    sites: Sequence[Site], path: str, address: str | None, sources: Sequence[str], is_file: IsFile
) -> str | None:
    """Return the file that ``path`` leads to on the site that has all of ``sources``, the texts with the link.

    Without sources, or on different sites, there is none. ``address`` is the path of a link that may have begun with a
    slash, without that.
    """
    for site in sites:
        if sources and all(_is_below(source, site.content) for source in sources):
            found = [_find_on_site(site, path, address, source, is_file) for source in sources]
            return found[0] if all(found) else None
    return None


def _find_on_site(site: Site, path: str, address: str | None, source: str, is_file: IsFile) -> str | None:
    candidates = (*(() if address is None else _absolute(site, address)), *_relative(site, path, source))
    return next((name for name in candidates if is_file(name)), None)


def _absolute(site: Site, path: str) -> Iterator[str]:
    """Yield the files of a link that begins with a slash."""
    inner = None
    if site.base is not None and f"/{path}/".startswith(site.base):
        inner = f"/{path}"[len(site.base) :]
    elif site.adds_base:
        inner = path
    if inner is None:
        return
    if site.public is not None:
        yield _join(site.public, inner)
    if not site.route:
        yield from _pages(site, inner)
    elif f"{inner}/".startswith(f"{site.route}/"):
        yield from _pages(site, inner[len(site.route) + 1 :])


def _relative(site: Site, path: str, source: str) -> Iterator[str]:
    """Yield the files of a link that is relative to its text, or to the page that is made of it."""
    if site.folder_urls:
        folder, name = posixpath.split(source)
        stem = name.rpartition(".")[0]
        page = folder if stem in _INDEXES else posixpath.join(folder, stem)
        # The folder of the text was put before the link, which is relative to that of the page.
        path = posixpath.normpath(posixpath.join(page, posixpath.relpath(path or ".", folder or ".")))
    if _is_below(path, site.content):
        yield from _pages(site, path[len(site.content) :].lstrip("/"))


def _pages(site: Site, inner: str) -> Iterator[str]:
    stem = inner.rstrip("/")
    yield _join(site.content, stem)
    if stem.endswith(".html"):
        yield from (_join(site.content, stem.removesuffix(".html") + suffix) for suffix in PAGES)
    if stem:
        yield from (_join(site.content, stem + suffix) for suffix in PAGES)
    yield from (_join(site.content, posixpath.join(stem, index + suffix)) for index in _INDEXES for suffix in PAGES)


def _join(folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, name.lstrip("/")))


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.rstrip("/") == folder or path.startswith(f"{folder}/")
