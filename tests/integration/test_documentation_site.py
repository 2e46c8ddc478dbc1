"""The documentation as a site: built as it is published, each page fetched, and looked at in Debian's chromium.

Starts MkDocs, a server on the loopback, and chromium with axe-core (npm) in the page.
"""

from __future__ import annotations

import fcntl
import functools
import html
import http.server
import json
import re
import subprocess
import threading
import tomllib
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cmarkgfm
import markdown
import npm_tools
import pytest
from cmarkgfm.cmark import Options
from document_parts import ROOT
from document_site import build as site_build
from document_site.built_site import find_faults
from document_site.dialect import to_python_markdown
from document_site.pages import find_pages, move_links
from playwright.sync_api import Browser, Page
from selectolax.lexbor import LexborHTMLParser

from verigate.reporting.addresses import NAMES, PUBLISHED, address_reason
from verigate.reporting.reasons import REASONS

pytestmark = pytest.mark.slow

PAGES = find_pages(ROOT)
LOOKED_AT = (
    "",
    "ci/",
    "rules/",
    "extending/",
    "reasons/",
    "reasons/TEST_FAIL/",
    "schemas/profiles/",
    "decisions/",
    "404.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The site, built once for all workers of this run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "whole-site"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            done = site_build.build(folder / "staged", folder / "site")
            assert done.returncode == 0, done.stderr
            (folder / "built").touch()
    return folder / "site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of a server that shows the site."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the library
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that asks nobody but the server, and has nothing to complain about."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    opened = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []
    assert said == []


def test_every_page_is_on_the_site_and_answers(site: Path, address: str) -> None:
    wanted = {place.removesuffix("index.md").removesuffix(".md") for place in PAGES.values()}
    wanted |= {f"reasons/{code}" for code in REASONS} | {"schemas/tests", "schemas/verdict"}
    for place in sorted(wanted):
        shown = f"{address}{place.rstrip('/')}/" if place else address
        with urllib.request.urlopen(shown) as answer:  # noqa: S310 - of the server above
            assert answer.status == 200
            assert b'<article class="md-content__inner' in answer.read()
    assert len(list(site.rglob("index.html"))) > len(wanted)


def test_no_link_is_dead_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert find_faults(site) == []


def test_what_is_wrong_with_a_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text('<p id="here">There.')
    (tmp_path / "site.css").write_text("@font-face { src: url(https://fonts.example/a.woff2) }")
    (tmp_path / "index.html").write_text(
        '<a href="there/#here">1</a><a href="gone/">2</a><a href="there/#gone">3</a><a href="#up">4</a>'
        '<script src="https://cdn.example/a.js"></script><link rel="stylesheet" href="//cdn.example/a.css">'
        '<link rel="canonical" href="https://docs.example/"><a href="https://example.org/">5</a><img src="no.png">'
        '<style>@import "https://cdn.example/b.css";</style>'
    )
    assert find_faults(tmp_path) == [
        "index.html: #up leads to no such part of the page",
        "index.html: //cdn.example/a.css is loaded from elsewhere",
        "index.html: gone/ leads nowhere",
        "index.html: https://cdn.example/a.js is loaded from elsewhere",
        "index.html: https://cdn.example/b.css is loaded from elsewhere",
        "index.html: no.png leads nowhere",
        "index.html: there/#gone leads to no such part of the page",
        "site.css: https://fonts.example/a.woff2 is loaded from elsewhere",
    ]


@pytest.mark.release
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("[gone](gone.md)\n", "target is not found"),
        ("[gone](ci.md#gone)\n", "does not contain an anchor '#gone'"),
        (None, 'not included in the "nav"'),
    ],
)
def test_a_dead_link_or_a_page_outside_of_the_navigation_ends_the_build(
    tmp_path: Path, spoil: str | None, said: str
) -> None:
    path = site_build.stage(tmp_path / "staged")
    settings = path.read_text("utf-8")
    # A small site of the same settings: what is asked is what they make an error.
    keep = {"index.md", "ci.md", "concepts.md"}
    for page in (path.parent / "pages").rglob("*.md"):
        if page.relative_to(path.parent / "pages").as_posix() not in keep:
            page.unlink()
        else:
            page.write_text(f"# A page\n\n{spoil or ''}" if page.name == "concepts.md" else "# A page\n")
    listed = ["index.md", "ci.md", *(["concepts.md"] if spoil else [])]
    path.write_text(re.sub(r"^nav:\n.*", f"nav: {json.dumps(listed)}\n", settings, flags=re.MULTILINE | re.DOTALL))
    done = site_build.run_mkdocs("build", "--strict", "--config-file", str(path), "--site-dir", str(tmp_path / "out"))
    assert done.returncode == 1
    assert said in done.stderr


def shape(rendered: str) -> tuple[Counter[str], str]:
    """How many there are of each element, and the text without blanks."""
    tree = LexborHTMLParser(rendered)
    counted = Counter(str(node.tag) for node in tree.css("li,ul,ol,pre,table,tr,td,a,h1,h2,h3,h4,strong,em,blockquote"))
    return counted, re.sub(r"\s+", "", tree.body.text() if tree.body else "")


@pytest.mark.release
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_on_the_site_what_it_is_on_github(name: str) -> None:
    source = move_links(site_build.read_page(name), name, PAGES, "https://example.org/")
    extensions = ["tables", "attr_list", "md_in_html", "toc"]
    extensions += [f"pymdownx.{extension}" for extension in ("magiclink", "superfences", "highlight")]
    ours = markdown.markdown(to_python_markdown(source), extensions=extensions)
    theirs = cmarkgfm.github_flavored_markdown_to_html(source, Options.CMARK_OPT_UNSAFE)
    assert shape(ours) == shape(theirs)


def test_links_to_what_is_no_page_lead_to_the_source_or_stay_words() -> None:
    text = "[a `x`](../src/a.py#L3) [b](ci.md#x) ![c](../d.png) `[e](f.md)`\n\n```md\n[g](h.md)\n```\n"
    moved = "a `x` [b](ci.md#x) c `[e](f.md)`\n\n```md\n[g](h.md)\n```\n"
    assert move_links(text, "docs/rules.md", PAGES, None) == moved
    shown = move_links(text, "docs/rules.md", PAGES, "https://example.org/")
    assert "[a `x`](https://example.org/src/a.py)" in shown
    assert move_links("[a](docs/decisions/README.md#x)", "README.md", PAGES, None) == "[a](decisions/index.md#x)"
    assert move_links("[a](../../README.md)", "docs/decisions/README.md", PAGES, None) == "[a](../index.md)"


def test_the_address_of_the_site_is_one() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    assert urls.get("Documentation", "") == PUBLISHED
    if PUBLISHED:
        assert PUBLISHED.endswith("/")
        assert (urls["Changelog"], urls["Security"]) == (f"{PUBLISHED}changelog/", f"{PUBLISHED}security/")


def test_a_site_knows_the_address_at_which_it_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATE_DOCS_URL", raising=False)
    for name, url in (("without", ""), ("with", "https://docs.example/verigate")):
        monkeypatch.setenv("GATE_DOCS_URL", url)
        (tmp_path / name).mkdir()
        settings = site_build.stage(tmp_path / name).read_text("utf-8")
        assert ("site_url: https://docs.example/verigate/\n" in settings) == bool(url)


def test_no_file_names_an_address_that_is_not_known_to_be_ours() -> None:
    """Somebody else may own the domain of our name. A decision says so, with the domain."""
    found = subprocess.run(
        ("git", "grep", "--name-only", "--perl-regexp", "-e", r"//([a-z]+\.)?verigate\.(?!invalid/)[a-z]"),
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout.split()  # fmt: skip
    assert found == ["docs/decisions/0105-names-lead-nowhere-and-links-have-to-be-owned.md"]


def test_a_reason_code_s_address_is_its_page_and_a_schema_s_id_its_file(site: Path) -> None:
    for code in REASONS:
        page = site / address_reason(code, NAMES).removeprefix(NAMES) / "index.html"
        assert f'<h1 id="{code.lower()}">{code}' in page.read_text("utf-8")
    for path in (ROOT / "src" / "verigate" / "config" / "schemas").glob("*.json"):
        identity = json.loads(path.read_bytes())["$id"]
        assert (site / identity.removeprefix(NAMES)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("place", LOOKED_AT)
def test_a_page_is_readable_light_dark_and_on_a_phone(page: Page, address: str, place: str) -> None:
    answer = page.goto(address + place)
    assert answer is not None
    assert answer.status == 200
    page.evaluate((npm_tools.page_checkers() / "axe-core" / "axe.min.js").read_text("utf-8"))
    seen = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            f"document.body.dataset.mdColorScheme === '{'slate' if scheme == 'dark' else 'default'}'"
        )
        seen.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        found = page.evaluate("axe.run(document, {runOnly: ['color-contrast', 'link-in-text-block']})")
        assert [(rule["id"], [n["html"][:200] for n in rule["nodes"][:3]]) for rule in found["violations"]] == []
    assert len(seen) == 2
    for width in (320, 375, 768):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.release
@pytest.mark.parametrize(
    ("words", "place"),
    [("TEST_FAIL", "reasons/TEST_FAIL/"), ("bubblewrap", "operators/"), ("pre-commit", "git-hooks/")],
)
def test_the_search_finds(page: Page, address: str, words: str, place: str) -> None:
    page.goto(address)
    page.focus(".md-search__input")
    page.get_by_text("Type to start searching").wait_for(
        state="attached"
    )  # what is typed before the index is there is lost
    page.keyboard.type(words)
    page.wait_for_selector(".md-search-result__link")
    links = page.eval_on_selector_all(".md-search-result__link", "links => links.map(link => link.href)")
    assert any(link.startswith(address + place) for link in links), links


def test_the_command_builds_it() -> None:
    done = subprocess.run((ROOT / "bin" / "site", "nonsense"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: bin/site build" in html.unescape(done.stderr)
