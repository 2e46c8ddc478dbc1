"""Links that only seem to work: the server answers, and not with what is behind the link."""

from __future__ import annotations

from collections.abc import Mapping

from repositories import Content, Ended, Repository

from cases.links import FAILS, ends, site
from cases.pair import pair

KIND = "links that only seem to work"
LANGUAGE = "Markdown"
PAGE = b"<title>A page</title><h1>A page</h1><p>Words."
UNSEEN = (1, "LINKS_UNCHECKED", "links.require_full_coverage")
LOGIN = b"<title>Sign in</title><h1>Sign in</h1><form><input type=text name=user><input type=password name=word></form>"


def linked(repo: Repository, target: str, pages: Mapping[str, bytes] | None = None) -> Ended:
    """The change adds a link to ``target`` of a server with ``pages``."""
    with site(repo, config={"bodies": True}) as server:
        server.pages.update({path: body.replace(b"URL", server.url.encode()) for path, body in (pages or {}).items()})
        return ends(repo, {"more.md": f"# More\n\n<{server.url}{target}>\n"})


@pair(*FAILS)
def it_answers_head_and_fails_for_get(repo: Repository, lie: bool) -> Ended:
    return linked(repo, "/head-only/500" if lie else "/refuses-head/405")


@pair(*FAILS)
def a_refresh_leads_to_nothing(repo: Repository, lie: bool) -> Ended:
    target = b"missing" if lie else b"moved/page"
    return linked(
        repo,
        "/old",
        {
            "/old": b'<meta http-equiv=refresh content="0; url=/' + target + b'"><p>This page has moved.',
            "/moved/page": PAGE,
        },
    )


@pair(*UNSEEN)
def a_login_page_comes_instead(repo: Repository, lie: bool) -> Ended:
    return linked(repo, "/members" if lie else "/login", {"/login": LOGIN})


@pair(*UNSEEN)
def a_deep_link_leads_home(repo: Repository, lie: bool) -> Ended:
    home = {"/moved/page": PAGE, "/": b"<title>Welcome</title><h1>Welcome</h1><p>To all."}
    return linked(repo, "/redirect/301/" if lie else "/redirect/301/moved/page", home)


@pair(*FAILS)
def a_page_without_a_word(repo: Repository, lie: bool) -> Ended:
    return linked(repo, "/page", {"/page": b"" if lie else b"<title>A page</title><h1>A page</h1><p>Words."})


@pair(*FAILS)
def an_error_in_json_with_200(repo: Repository, lie: bool) -> Ended:
    return linked(repo, "/error-json" if lie else "/ok?json")


@pair(*FAILS)
def a_body_that_is_cut_off(repo: Repository, lie: bool) -> Ended:
    return linked(repo, "/cut" if lie else "/ok?whole")


def local(repo: Repository, files: Mapping[str, Content]) -> Ended:
    """The change adds pages whose links lead to files."""
    repo.commit({"guide.md": "# Guide\n\n[below](#guide)\n", "there.md": "# There\n\n## Part\n"})
    repo.task(type_="link_check")
    repo.write(files)
    repo.claim(type_="link_check")
    return repo.verify("T1", "--profile", "link_check")  # pages of HTML count as code too


@pair(*FAILS, language="AsciiDoc")
def a_dead_link_of_asciidoc(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.adoc": f"= More\n\nSee link:{'nowhere' if lie else 'there'}.md[it].\n"})


@pair(*FAILS, language="AsciiDoc")
def a_dead_reference_of_asciidoc(repo: Repository, lie: bool) -> Ended:
    return local(
        repo, {"more.adoc": f"= More\n\nSee <<{'nowhere' if lie else 'here'},it>>.\n\n[[here]]\n== Part\n\nText.\n"}
    )


@pair(*FAILS, language="AsciiDoc")
def a_dead_link_behind_an_attribute(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.adoc": f"= More\n:to: {'nowhere' if lie else 'there'}.md\n\nSee link:{{to}}[it].\n"})


@pair(*FAILS, language="reStructuredText")
def a_dead_link_of_restructuredtext(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.rst": f"More\n====\n\nSee `it <{'nowhere' if lie else 'there'}.md>`_.\n"})


@pair(*FAILS, language="HTML")
def a_dead_link_of_html(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.html": f"<h1>More</h1><a href={'nowhere' if lie else 'there'}.md>it</a>\n"})


@pair(*FAILS, language="HTML")
def an_image_of_html_that_is_not_there(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.html": f"<h1>More</h1><img src={'nowhere.png' if lie else 'there.md'} alt=it>\n"})


@pair(*FAILS)
def a_dead_anchor_of_another_page(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.md": f"# More\n\n[it](there.md#{'nowhere' if lie else 'part'})\n"})


@pair(*FAILS)
def a_link_in_another_case(repo: Repository, lie: bool) -> Ended:
    return local(repo, {"more.md": f"# More\n\n[it]({'THERE' if lie else 'there'}.md)\n"})
