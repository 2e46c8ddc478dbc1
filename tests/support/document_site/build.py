"""Stage the pages, write out the navigation, and build the site with MkDocs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

from document_site.dialect import to_python_markdown
from document_site.navigation import write_out
from document_site.pages import find_pages, find_pictures, move_links
from document_site.reason_pages import write_reason_pages
from document_site.reason_runs import read_examples
from document_site.schema_pages import write_schema_pages
from verigate.cli.documentation_site import find_documentation

ROOT = Path(__file__).resolve().parents[3]
SITE = ROOT / "dist" / "site"

_ANCHORS = "slugify: github"
_GITHUB_ANCHORS = "slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"
"""Anchors of headings as GitHub makes them, in the words of the builder's own reader of YAML."""

_RANKED_LOWER = "---\nsearch:\n  boost: 0.2\n---\n"
"""The search shows decisions after the pages that say how things are."""


def stage(folder: Path) -> Path:
    """Write the pages into ``folder`` (empty) next to a mkdocs.yml, and return the path of that."""
    staged = folder / "pages"
    staged.mkdir(parents=True)
    pages = find_pages(ROOT)
    places = pages | find_pictures(ROOT)
    for name, place in pages.items():
        target = staged / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text = to_python_markdown(move_links(read_page(name), name, places, source_address()))
        target.write_text(_RANKED_LOWER + text if place.startswith("decisions/") else text, "utf-8")
    write_reason_pages(staged, read_examples())
    write_schema_pages(ROOT / "src" / "verigate" / "config" / "schemas", staged)
    for folder_name in ("assets", "images"):
        shutil.copytree(ROOT / "docs" / folder_name, staged / folder_name)
    settings: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    entries = settings.pop("nav")
    settings |= {"docs_dir": "pages", "nav": write_out(entries, staged)}
    if address := find_documentation(os.environ):
        settings["site_url"] = f"{address.rstrip('/')}/"
    path = folder / "mkdocs.yml"
    text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    assert text.count(_ANCHORS) == 1
    path.write_text(text.replace(_ANCHORS, _GITHUB_ANCHORS), "utf-8")
    return path


def read_page(name: str) -> str:
    """Return the Markdown of a page of this repository. A skill's page has a heading in place of its front matter."""
    text = (ROOT / name).read_text("utf-8")
    if not text.startswith("---\n"):
        return text
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    return body if body.lstrip().startswith("# ") else f"# {yaml.safe_load(head)['name']}\n\n{body.lstrip()}"


def source_address() -> str | None:
    """Return the address below which the files of this repository are shown, by ``urls`` in pyproject.toml, or None."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    return f"{urls['Source'].rstrip('/')}/blob/main/" if "Source" in urls else None


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build ``site`` from pages staged in ``folder`` (empty); warnings are errors."""
    return run_mkdocs("build", "--strict", "--config-file", str(stage(folder)), "--site-dir", str(site))


def run_mkdocs(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run MkDocs, and return its end and its output."""
    argv = (sys.executable, "-m", "mkdocs", *arguments)
    return subprocess.run(argv, capture_output=True, text=True, check=False)
