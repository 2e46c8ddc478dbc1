"""The page in front of a browser: Debian's chromium, driven by playwright.

Starts git, the gate, chromium with axe-core in the page, and html-validate (npm).
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import npm_tools
import pytest
import report_samples as samples
from playwright.sync_api import Browser, Page

from verigate.domain.verdict import Status
from verigate.reporting.formats import TextStyle, render

PAYLOAD = (
    '<script>document.title="owned"</script><img src="https://evil.example/i" onerror="document.title=\'owned\'">'
    "</pre></code></details><style>*{display:none}</style><base href=//evil.example><meta http-equiv=refresh content=0>"
)
LONG = "x" * 3000


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a real run over a change whose every text is an attack on the page or too long for it."""
    name = f"{PAYLOAD[:60].replace('/', '_')}.py"
    patch = f"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,3 @@\n one\n+{PAYLOAD}\n+{LONG}\n"
    issues = [samples.issue("a.py", line, f"{PAYLOAD} {LONG}", rule=LONG) for line in (2, 3)]
    artifacts = {
        "lint.json": samples.lint(*issues, samples.issue(name, 1, PAYLOAD)),
        "diff_names.json": {"added": [], "modified": ["a.py", name], "deleted": []},
        "diff.json": {"files_modified": ["a.py", name], "files_created": [], "files_deleted": [], "total_changes": 2},
        "diffs.patch": patch,
        "my/notes.json": {PAYLOAD: [PAYLOAD, LONG]},
    }
    rules = {"lint_errors_max": 0, "rules": [{"id": "r", "expr": "false", "message": PAYLOAD}]}
    acts = {"code:lint": f"cat <<'END'\n{PAYLOAD}\nEND\n"}
    folder = tmp_path_factory.mktemp("browser")
    repository = gr.make(folder, artifacts, rules, acts=acts, files={"a.py": "one\n", name: "one\n"})
    repository.put("a.py", f"one\n{PAYLOAD}\n{LONG}\n")
    repository.put(name, "two\n")
    repository.begin()
    repository.claim(f"file:{name}", "file:a.py", f"func:{LONG}", "func:\u202egone")
    target = folder / "report.html"
    done = repository.verify("T1", "--format", f"html={target}")
    assert done.code == 1, done.output
    return target


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """The page in a phone's window; it may ask for itself and nothing else, and have nothing to complain about."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="light")
    opened = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    opened.goto(report.as_uri())
    yield opened
    assert asked == [report.as_uri()]
    assert said == []
    context.close()


def colour(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def unfold(page: Page) -> None:
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")


def test_the_page_is_valid_html(report: Path, tmp_path: Path) -> None:
    pages = [report]
    for key, text in (("fail", None), ("payload", PAYLOAD), ("empty", "")):
        sample = samples.of_status(Status.FAIL) if text is None else samples.of_text(text)
        pages.append(tmp_path / f"{key}.html")
        pages[-1].write_text(render("html", sample, TextStyle()), "utf-8")
    program = npm_tools.page_checkers() / "html-validate" / "bin" / "html-validate.mjs"
    done = subprocess.run(
        ("node", program, "--preset", "standard,a11y", *pages),
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.release
def test_the_page_shows_everything_and_runs_nothing(page: Page) -> None:
    assert page.title() == "FAIL T1 · gate"
    assert page.inner_text("h1") == "✗ FAIL T1"
    assert page.evaluate("document.scripts.length + document.images.length + document.styleSheets.length") == 1
    assert page.evaluate("document.querySelectorAll('base, iframe, object, embed, form, link').length") == 0
    # Its own style is let through by its policy.
    assert colour(page) == "rgb(255, 255, 255)"
    unfold(page)
    for section in ("problems", "diff", "artifacts"):
        assert PAYLOAD in page.inner_text(f"#{section}"), section
    assert "func:\\u202egone" in page.inner_text("#units")
    beside = page.locator("table.diff tr.finding")
    assert beside.count() == 2
    assert beside.first.locator("xpath=preceding-sibling::tr[1]").inner_text().strip().startswith("2")


def test_nothing_is_wider_than_a_phone(page: Page) -> None:
    unfold(page)
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = (
            "[...document.querySelectorAll('main *')].filter(p => p.scrollWidth > p.clientWidth + 1 && p.clientWidth)"
        )
        assert page.evaluate(f"{wide}.map(p => p.outerHTML.slice(0, 200))") == []


@pytest.mark.release
def test_light_and_dark_keep_to_the_rules_of_accessibility(page: Page) -> None:
    unfold(page)
    page.evaluate((npm_tools.page_checkers() / "axe-core" / "axe.min.js").read_text("utf-8"))
    seen = []
    # Of the rules only that of contrast sees a colour.
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        seen.append(colour(page))
        found = page.evaluate("options => axe.run(document, options)", rules)
        assert [(rule["id"], [n["html"][:200] for n in rule["nodes"][:3]]) for rule in found["violations"]] == []
        assert "color-contrast" in [rule["id"] for rule in found["passes"]]
    assert seen[0] != seen[1]


def test_the_keyboard_reaches_everything_in_order(page: Page) -> None:
    focused = "document.activeElement.textContent"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Skip to the content"
    assert page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index] # it is visible while it has the focus
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == page.locator("nav a").first.text_content()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    summary = page.locator("#artifacts summary").first
    summary.focus()
    assert not page.locator("#artifacts details").first.evaluate("part => part.open")
    page.keyboard.press("Enter")
    assert page.locator("#artifacts details").first.evaluate("part => part.open")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_citation_unfolds_what_it_cites(page: Page) -> None:
    cited = page.locator("#problems a", has_text="lint.json /errors")
    place = cited.get_attribute("href")
    assert not page.locator(f"mark{place}").is_visible()
    cited.click()
    assert page.locator(f"mark{place}").inner_text().strip() == '"errors": 3,'
    assert page.locator(f"mark{place}").is_visible()


def test_on_paper_checks_are_unfolded_and_artifacts_are_not(page: Page) -> None:
    holds = page.locator("#holds details dl").first
    artifact = page.locator("#artifacts pre").first
    assert not holds.is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert holds.is_visible()
    assert not artifact.is_visible()
    assert not page.locator("nav").is_visible()
    assert colour(page) == "rgb(255, 255, 255)"
    assert page.pdf()[:5] == b"%PDF-"


@pytest.mark.release
def test_the_four_cells_fit_every_width_and_keep_to_the_rules_of_accessibility(
    browser: Browser, tmp_path: Path
) -> None:
    cells = (
        lf.cell(PAYLOAD, "loosened", "PFPP", weakens="yes", path=f"{LONG}.py", why=PAYLOAD),
        *(lf.cell(f"test_{number}_{LONG[:90]}") for number in range(51)),
    )
    documents = {"counterfactual.json": lf.counterfactual(*cells)}
    report = samples.report(lf.facts({"integrity": True}, documents, implicit=True))
    target = tmp_path / "cells.html"
    target.write_text(render("html", report, TextStyle()), "utf-8")
    page = browser.new_page(viewport={"width": 320, "height": 740}, color_scheme="dark")
    page.goto(target.as_uri())
    assert page.locator("#cells > table tbody tr").count() == 1
    assert not page.locator("#cells details tbody tr").first.is_visible()
    unfold(page)
    assert page.locator("#cells details tbody tr").first.is_visible()
    assert PAYLOAD in page.inner_text("#cells")
    assert page.evaluate("document.scripts.length") == 0
    for width in (320, 768):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cut = (
            "[...document.querySelectorAll('#cells *')].filter(p => p.scrollWidth > p.clientWidth + 1 && p.clientWidth)"
        )
        assert page.evaluate(f"{cut}.map(p => p.outerHTML.slice(0, 200))") == []
    page.evaluate((npm_tools.page_checkers() / "axe-core" / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document.querySelector('#cells'), {})")
    assert [(rule["id"], [n["html"][:200] for n in rule["nodes"][:3]]) for rule in found["violations"]] == []
    page.close()
