"""The pages of ``gate serve`` in front of a browser: Debian's chromium, driven by playwright.

Starts git, sh, the gate, which serves and verifies, chromium with axe-core in the pages, and html-validate (npm).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import gated_repository as gr
import literal_facts as literal
import npm_tools
import published_tasks as published
import pytest
import served
import served_sample as sample
from playwright.sync_api import Browser, BrowserContext, Page, expect
from release_tests import some_always

PATHS = (
    "/tasks",
    "/tasks?status=fail&q=tests",
    "/t/repository/refuted",
    "/t/repository/hostile",
    "/t/repository/broken",
    "/t/repository/open",
    "/t/repository/T1",
    "/t/repository/refuted/artifact/tests.json",
    "/t/repository/refuted/artifact/coverage.json",
    "/t/repository/refuted/artifact/diffs.patch",
    "/t/repository/refuted/artifact/my/shot.png",
    "/t/repository/refuted/artifact/my/report.xml",
    "/t/repository/hostile/artifact/diffs.patch",
    "/t/repository/hostile/artifact/my/evil.svg",
    "/history",
    "/adapters/repository",
    "/doctor/repository",
    "/nope",
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    return sample.make_sample(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def server(repository: gr.GatedRepository) -> Iterator[served.Server]:
    with served.start(repository.root, home=repository.home, environ=repository.environ()) as found:
        found.wait_for("/tasks.json", "notice", "")
        report_false_blocks(found)
        yield found


def report_false_blocks(server: served.Server) -> None:
    """Report the tasks that fail, one with hostile texts, so that every page that lists reports has some."""
    bearer = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
    for task, reason in (("refuted", "The clock was wrong."), ("hostile", sample.PAYLOAD)):
        body = json.dumps({"reason": reason, "by": sample.PAYLOAD[:100]})
        path = f"/api/v1/repositories/repository/tasks/{task}/false-blocks"
        assert server.ask(path, "POST", body, bearer).status == 201


class Watched:
    """A page that may ask for this server and nothing else, and has nothing to complain about."""

    def __init__(self, context: BrowserContext, server: served.Server) -> None:
        self.page: Page = context.new_page()
        self.said: list[str] = []
        self.elsewhere: list[str] = []
        self._server = server
        self.page.on("request", self._note)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog: {dialog.message}"))

    def _note(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith(f"{self._server.base}/"):
            self.elsewhere.append(url)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self._server.base}{path}")
        return self.page

    def check(self) -> None:
        allowed = "Failed to load resource: the server responded with a status of 404"
        assert [line for line in self.said if not line.startswith(allowed)] == []
        assert self.elsewhere == []


@pytest.fixture
def watched(browser: Browser, server: served.Server) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1100, "height": 800}, color_scheme="light")
    found = Watched(context, server)
    yield found
    found.check()
    context.close()


def log_in(watched: Watched, server: served.Server) -> Page:
    page = watched.open(f"/login?token={server.token}")
    assert page.url == f"{server.base}/tasks"
    return page


def unfold(page: Page) -> None:
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")


@pytest.fixture(scope="module")
def a_run(server: served.Server) -> str:
    """The page of a run that has ended."""
    server.log_in()
    run = server.post("/doctor/repository", "/doctor/repository").headers["location"]
    server.wait_for(f"{run}.json", "state", "ended", within_s=120)
    return run


OF_A_RUN = "/runs/"
READ_MOST = {"/tasks", "/t/repository/refuted", "/t/repository/hostile", "/history"}


@pytest.mark.parametrize("path", some_always((*PATHS, OF_A_RUN), str, READ_MOST.__contains__, one_in=1000))
def test_every_page_keeps_to_the_rules_of_accessibility(
    watched: Watched, server: served.Server, path: str, request: pytest.FixtureRequest
) -> None:
    log_in(watched, server)
    axe = (npm_tools.page_checkers() / "axe-core" / "axe.min.js").read_text("utf-8")
    page = watched.open(request.getfixturevalue("a_run") if path == OF_A_RUN else path)
    unfold(page)
    page.evaluate(axe)
    # Of the rules only that of contrast sees a colour, and only some a width.
    for scheme, width, rules in (
        ("light", 1100, {}),
        ("dark", 360, {"runOnly": ["color-contrast", "target-size"]}),
    ):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        found = page.evaluate("options => axe.run(document, options)", rules)
        shown = [(rule["id"], [node["html"][:200] for node in rule["nodes"][:3]]) for rule in found["violations"]]
        assert shown == [], (path, scheme)
    page.emulate_media(color_scheme="light")


@pytest.mark.release
def test_nothing_is_wider_than_a_phone(watched: Watched) -> None:
    for path in PATHS:
        page = watched.open(path)
        unfold(page)
        for width in (320, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


@pytest.mark.release
def test_every_page_is_valid_html(server: served.Server, tmp_path: Path) -> None:
    files = []
    for number, path in enumerate(PATHS):
        files.append(tmp_path / f"{number}.html")
        files[-1].write_bytes(server.ask(path).body)
    rules = tmp_path / ".htmlvalidate.json"
    rules.write_text('{"extends": ["html-validate:standard", "html-validate:a11y"], "rules": {"long-title": "off"}}')
    program = npm_tools.page_checkers() / "html-validate" / "bin" / "html-validate.mjs"
    done = subprocess.run(
        ("node", program, "--config", rules, *files),
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_hostile_texts_do_nothing_in_a_browser(watched: Watched, server: served.Server) -> None:
    listed = server.json("/t/repository/hostile.json")["artifacts"]
    for path in ("/tasks", "/history", "/t/repository/hostile", *(each["href"] for each in listed)):
        page = watched.open(path)
        unfold(page)
        assert page.title() != "owned"
        assert page.evaluate("document.scripts.length") == 2, path
        assert page.evaluate("document.querySelectorAll('main script, main style, main svg, base, iframe').length") == 0
        assert page.evaluate("window.htmx !== undefined")
    assert sample.PAYLOAD in watched.open("/t/repository/hostile").inner_text("#statements")
    for path in ("/t/repository/hostile", "/history"):
        assert sample.PAYLOAD in watched.open(path).inner_text("#false-blocks")


def test_a_raw_artifact_that_is_opened_runs_nothing(browser: Browser, server: served.Server) -> None:
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{server.base}/tasks")
    for path in ("my/evil.svg", "my/evil.png", "my/notes.json"):
        with page.expect_download() as waited:
            page.evaluate("address => { location.href = address }", f"/t/repository/hostile/raw/{path}")
        assert waited.value.suggested_filename == path.rpartition("/")[2]
    # Nor does it in a frame, as a script or as a style of a page that somebody makes.
    for markup in ("<iframe src='{0}'></iframe>", "<script src='{0}'></script>", "<link rel=stylesheet href='{0}'>"):
        page.set_content(markup.format(f"{server.base}/t/repository/hostile/raw/my/evil.svg"))
    assert [line for line in said if "owned" in line or line == "1"] == []
    context.close()


def test_the_keyboard_reaches_the_queue_its_facets_and_a_check(watched: Watched) -> None:
    page = watched.open("/tasks")
    focused = "document.activeElement.textContent.trim()"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "words"
    page.keyboard.type("tests")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tasks?q=tests")
    link = page.locator(".facets a", has_text="fail").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**status=fail**")
    expect(page.locator(".facets a[aria-current=true]")).to_contain_text("chosen")
    # It was read without leaving the page, and its address is one that others can open.
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1
    page.go_back()
    page.wait_for_url("**/tasks?q=tests")
    page = watched.open("/t/repository/refuted")
    summary = page.locator("#check-code\\.tests_pass summary")
    summary.focus()
    before = page.locator("#check-code\\.tests_pass").get_attribute("open")
    page.keyboard.press("Enter")
    assert page.locator("#check-code\\.tests_pass").get_attribute("open") != before
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_deep_link_opens_what_it_names(watched: Watched) -> None:
    page = watched.open("/t/repository/refuted#check-code.tests_min")
    assert page.locator("#check-code\\.tests_min").evaluate("part => part.getBoundingClientRect().top") < 800
    page.locator("#check-code\\.tests_min a").first.click()
    page.wait_for_url("**/artifact/tests.json#at-/**")
    assert page.locator("span:target").inner_text().strip().startswith('"')


def test_everything_can_be_read_without_script(browser: Browser, server: served.Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.base}/tasks")
    page.get_by_role("link", name="fail", exact=False).first.click()
    page.wait_for_url("**status=fail**")
    page.get_by_role("link", name="refuted").first.click()
    assert page.inner_text("h1") == "✗ FAIL refuted"
    assert page.get_by_text("All tests pass.").first.is_visible()
    page.get_by_role("link", name="history").click()
    assert page.inner_text("h2 >> nth=0") == "Verdicts by week"
    assert "The clock was wrong." in page.inner_text("#false-blocks")
    context.close()


def test_a_false_block_is_reported_without_script(browser: Browser, server: served.Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.base}/t/repository/refuted")
    assert page.get_by_role("button", name="Report it").count() == 0
    page.goto(f"{server.base}/login?token={server.token}")
    page.goto(f"{server.base}/t/repository/refuted")
    page.get_by_text("Report that this verdict should have passed").click()
    page.get_by_label("Why it should have passed").fill("The network was down.")
    page.get_by_label("Your name, if it is to be listed").fill("carol")
    page.get_by_label("code.tests_pass").check()
    page.get_by_role("button", name="Report it").click()
    page.wait_for_url("**/t/repository/refuted#false-blocks")
    assert page.inner_text("h1") == "✗ FAIL refuted"
    assert "carol: The network was down." in page.inner_text("#false-blocks")
    context.close()


def test_an_open_page_shows_what_happens(
    watched: Watched, server: served.Server, repository: gr.GatedRepository
) -> None:
    page = log_in(watched, server)
    page.locator("#words").focus()
    page.keyboard.type("half a wo")
    published.publish_task(repository.root, "fresh", {"tests.json": literal.BAD["tests.json"]}, {"tests_pass": True})
    expect(page.locator("#queue")).to_contain_text("fresh", timeout=30_000)
    expect(page.locator("#news")).to_contain_text("changed")
    # Who was writing meanwhile keeps what was written, and the place.
    assert page.input_value("#words") == "half a wo"
    assert page.evaluate("document.activeElement.id") == "words"
    other = watched.page.context.new_page()
    other.goto(f"{server.base}/t/repository/fresh")
    expect(other.locator("h1")).to_have_text("✗ FAIL fresh")
    published.publish_task(repository.root, "fresh", {"tests.json": literal.GOOD["tests.json"]}, {"tests_pass": True})
    expect(other.locator("h1")).to_have_text("✓ PASS fresh", timeout=30_000)
    other.close()


@pytest.mark.release
def test_verifying_again_is_shown_line_by_line(
    watched: Watched, server: served.Server, repository: gr.GatedRepository
) -> None:
    log_in(watched, server)
    page = watched.open("/t/repository/T1")
    repository.put("a.py", "answer = 44\n")
    page.get_by_role("button", name="Verify again").click()
    page.wait_for_url("**/runs/*")
    expect(page.locator("#run-state")).to_contain_text("It ended with exit code 0", timeout=60_000)
    assert "code:tests" in page.inner_text("#run-lines")
    assert "PASS" in page.inner_text("#run-output")
    page.get_by_role("link", name="Back to the task").click()
    expect(page.locator("h1")).to_have_text("✓ PASS T1")


def test_a_page_of_another_site_changes_nothing(browser: Browser, server: served.Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.base}/login?token={server.token}")
    before = server.json("/t/repository/T1.json")["past"]
    foreign = context.new_page()
    foreign.goto("data:text/html,<p>another site</p>")
    how = "{method: 'POST', credentials: 'include', mode: 'no-cors'}"
    for script in (
        f"fetch('{server.base}/t/repository/T1/verify', {how}).catch(() => 0)",
        f"fetch('{server.base}/tasks.json', {{credentials: 'include'}}).then(() => 'read').catch(() => 'refused')",
    ):
        assert foreign.evaluate(script) != "read"
    foreign.set_content(f"<form method=post action='{server.base}/t/repository/T1/verify'><button>go</button></form>")
    foreign.click("button")
    foreign.wait_for_load_state()
    assert "Refused" in foreign.content()
    assert server.json("/t/repository/T1.json")["past"] == before
    context.close()
