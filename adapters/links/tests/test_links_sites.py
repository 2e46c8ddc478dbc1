"""Links of static sites lead to the files that their pages are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from links_call import Called

from links_adapter.sites import Site, find_sites

DOCUSAURUS = {
    "docusaurus.config.js": "module.exports = {url: 'https://e.org', // baseUrl: '/no/'\n baseUrl: '/proj/',\n"
    "presets: [['classic', {docs: {routeBasePath: '/docs'}}]]};\n",
    "docs/guide.md": "# Guide\n\n## Setup\n",
    "docs/tutorial/index.mdx": "# T\n\n## Part\n",
    "static/img/logo.png": "x",
    "docs/new.md": "# New\n\n",
}
VITEPRESS = {
    "docs/.vitepress/config.mts": "export default { base: '/vp/', cleanUrls: true }\n",
    "docs/guide/start.md": "# Start\n",
    "docs/guide/index.md": "# Guide\n",
    "docs/public/logo.png": "x",
    "docs/new.md": "# New\n\n",
}
MKDOCS = {
    "mkdocs.yml": "site_url: https://e.org/mk/\nmarkdown_extensions:\n  - x: {y: !!python/name:a.b.c }\n",
    "docs/index.md": "# Home\n",
    "docs/about.md": "# About\n\n## Team\n",
    "docs/new.md": "# New\n\n",
}
PLAIN = {"docs/guide.md": "# Guide\n", "static/logo.png": "x", "docs/new.md": "# New\n\n"}

CASES: list[tuple[str, dict[str, str], dict[str, Any], dict[str, int | str]]] = [
    (
        "docusaurus",
        DOCUSAURUS,
        {},
        {
            "guide": 200,
            "./guide#setup": 200,
            "guide#nowhere": "FRAGMENT_NOT_FOUND",
            "/docs/guide": 200,
            "/proj/docs/guide#setup": 200,
            "tutorial/#part": 200,
            "/docs/tutorial/": 200,
            "/img/logo.png": 200,
            "/proj/img/logo.png": 200,
            "missing": "FILE_NOT_FOUND",
            "/guide": "FILE_NOT_FOUND",
            "/no/docs/guide": "FILE_NOT_FOUND",
            "/img/missing.png": "FILE_NOT_FOUND",
        },
    ),
    (
        "vitepress",
        VITEPRESS,
        {},
        {
            "/guide/start": 200,
            "/guide/start.html#start": 200,
            "./guide/start": 200,
            "/guide/": 200,
            "/logo.png": 200,
            "/vp/logo.png": 200,
            "/guide/missing": "FILE_NOT_FOUND",
            "/missing.png": "FILE_NOT_FOUND",
        },
    ),
    (
        "mkdocs",
        MKDOCS,
        {},
        {
            "../about/": 200,
            "../about/#team": 200,
            "../about/#nobody": "FRAGMENT_NOT_FOUND",
            "about.md": 200,
            "/mk/about/": 200,
            "about/": "FILE_NOT_FOUND",
            "../missing/": "FILE_NOT_FOUND",
        },
    ),
    (
        "no site",
        PLAIN,
        {},
        {"guide": "FILE_NOT_FOUND", "/logo.png": "FILE_NOT_FOUND", "/docs/#x": "FRAGMENT_NOT_FOUND"},
    ),
    ("suffixes", PLAIN, {"fallback_extensions": ["mdx", "md"]}, {"guide#guide": 200, "other": "FILE_NOT_FOUND"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_links_of_a_site_are_found(tmp_path: Path, case: tuple[str, dict[str, str], dict[str, Any], Any]) -> None:
    _, files, config, wanted = case
    called = Called(tmp_path)
    for name, text in files.items():
        path = called.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found: dict[str, Any] = {}
    for target in wanted:
        # One at a time: links are named by what they lead to.
        (called.root / "docs/new.md").write_text(f"# New\n\n[x]({target})\n")
        called.run("discover", config)
        called.run("check", config)
        (found[target],) = called.has("statuses").values()
    assert found == wanted


def test_a_link_of_a_text_outside_the_site_isnt_of_the_site(tmp_path: Path) -> None:
    called = Called(tmp_path)
    for name, text in {**DOCUSAURUS, "README.md": "[x](img/logo.png) [y](docs/guide)\n"}.items():
        path = called.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    called.run("discover")
    called.run("check")
    assert called.has("statuses") == {"img/logo.png": "FILE_NOT_FOUND", "docs/guide": "FILE_NOT_FOUND"}


@pytest.mark.parametrize(
    ("path", "text", "site"),
    [
        ("web/docusaurus.config.ts", "", Site("web/docs", "docs", "web/static", "/", True, False)),
        (
            "docusaurus.config.js",
            "const baseUrl = f(); ({baseUrl,})",
            Site("docs", "docs", "static", None, True, False),
        ),
        ("docusaurus.config.js", "({docs: {path: '../../x'}})", None),
        (
            "docusaurus.config.js",
            "({docs: {path: 'd', routeBasePath: '/'}})",
            Site("d", "", "static", "/", True, False),
        ),
        (".vitepress/config.js", "({srcDir: './src'})", Site("src", "", "src/public", "/", True, False)),
        ("mkdocs.yml", "use_directory_urls: false", Site("docs", "", None, "/", False, False)),
        ("mkdocs.yml", "docs_dir: /etc", None),
        ("mkdocs.yml", "docs_dir: [1]", None),
        ("mkdocs.yml", "a: &a [*a", Site("docs", "", None, "/", False, True)),
        ("other.yml", "", None),
    ],
)
def test_configurations_are_read_and_not_run(tmp_path: Path, path: str, text: str, site: Site | None) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(text)
    assert find_sites(tmp_path, [path]) == (() if site is None else (site,))
