"""Find the file of the repository that a link leads to, as it is, or as a static site generator would."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from links_adapter import link_status as a
from links_adapter.claimed_pages import read_artifact
from links_adapter.settings import Settings
from links_adapter.site_pages import find_site_file
from links_adapter.sites import Site, find_sites
from verigate.sdk import Request
from verigate.sdk.subject import find_repository, list_paths

INDEXES = ("index.html", "index.md", "index.mdx", "README.md", "README.rst", "index.adoc", "README.adoc")
"""Pages that stand for their folder in a link with an anchor; the first that exists is used."""


class LocalFiles:
    """Finds files of the repository of one call."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self._root = request.repo_root.resolve()

    def locate(self, name: str) -> tuple[Path, a.Status]:
        """Return the path that a link names and its status: 200, FILE_NOT_FOUND or OUTSIDE_SUBJECT."""
        raw = name.partition("#")[0].partition("?")[0].removeprefix("file://")
        path = self._request.repo_root / os.fsdecode(unquote_to_bytes(raw))
        status = self._status(path)
        if status == a.FILE_NOT_FOUND and (other := self._find_other(name, path)) is not None:
            return other, 200
        return path, status

    def find_page(self, path: Path) -> Path:
        """Return the page of a folder if it has one, else ``path``."""
        if not path.is_dir():
            return path
        return next((path / name for name in INDEXES if (path / name).is_file()), path)

    def _status(self, path: Path) -> a.Status:
        try:
            real = path.resolve()
            if not real.is_relative_to(self._root):
                return a.OUTSIDE_SUBJECT
            return 200 if real.exists() else a.FILE_NOT_FOUND
        except (OSError, ValueError, RuntimeError):
            return a.FILE_NOT_FOUND

    def _is_file(self, path: str) -> bool:
        full = self._request.repo_root / path
        return self._status(full) == 200 and full.is_file()

    def _find_other(self, name: str, path: Path) -> Path | None:
        """Find the file by another suffix, or on the static site that has the texts with the link."""
        relative = os.path.relpath(path, self._request.repo_root)
        if relative.startswith(".."):
            return None
        others = [f"{relative}.{suffix}" for suffix in self._settings.fallback_extensions]
        if relative.endswith(".html"):
            others += (relative.removesuffix(".html") + suffix for suffix in (".adoc", ".asciidoc"))
        found = next(filter(self._is_file, others), None)
        if found is None and self._sites:
            found = find_site_file(self._sites, relative, self._address(relative), self._sources(name), self._is_file)
        return None if found is None else self._request.repo_root / found

    def _address(self, relative: str) -> str | None:
        folder = self._settings.root_dir.strip("/")
        if not folder:
            return relative
        return relative.removeprefix(f"{folder}/") if relative.startswith(f"{folder}/") else None

    def _sources(self, name: str) -> list[str]:
        places = self._locations.get(name)
        return [str(place.get("file")) for place in places if isinstance(place, dict)] if places else []

    @cached_property
    def _sites(self) -> tuple[Site, ...]:
        return find_sites(self._request.repo_root, list_paths(self._request, find_repository(self._request)))

    @cached_property
    def _locations(self) -> Mapping[str, Any]:
        found = read_artifact(self._request, "locations")
        return found if isinstance(found, dict) else {}
