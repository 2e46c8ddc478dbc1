"""Links that don't work, and the ways in which they are made to look as if they did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from link_server import LinkServer, link_server
from repositories import Content, Ended, Repository

from cases.adapters import python
from cases.pair import pair

LANGUAGE = "Markdown"

FAILS = (1, "LINK_FAIL", "links.failures_max")
UNCHECKED = (1, "LINKS_UNCHECKED", "links.require_full_coverage")
PAGE = "# Guide\n\nSee [the rules]({url}/ok) and [below](#more).\n\n## More\n\nThat is all.\n"


@contextmanager
def site(repo: Repository, *, config: Mapping[str, Any] | None = None) -> Iterator[LinkServer]:
    """A server, and a repository with a page about it; T1 is about the links. ``config`` is the adapter's."""
    with link_server() as server:
        own = json.dumps({"links": {"resample_wait_ms": 10, **(config or {})}})
        repo.commit({"guide.md": PAGE.format(url=server.url), "config/adapters.json": own})
        repo.task(type_="link_check")
        yield server


def ends(repo: Repository, files: Mapping[str, Content], *units: str, **claimed: Any) -> Ended:
    """Write the change, claim it, and verify."""
    repo.write(files)
    repo.claim(*units, type_="link_check", **claimed)
    return repo.verify()


def own_adapter(repo: Repository, urls: Sequence[str], statuses: Mapping[str, Any]) -> None:
    """Give the repository an adapter of its own that says this of its links."""
    body = (
        f"found = {{'links:discover': ('urlset', {list(urls)!r}), 'links:check': ('statuses', {dict(statuses)!r}),\n"
        "         'links:resample': ('resample', {})}\n"
        "name, facts = found[sys.argv[1]]\n"
        "os.makedirs(task + '/links', exist_ok=True)\n"
        "json.dump(facts, open(f'{task}/links/{name}.json', 'w'))\n"
    )
    names = [f"links:{name}" for name in ("discover", "check", "resample")]
    repo.adapter("own", "links:check", python(body), capabilities=names)


@pair(*FAILS)
def a_broken_link_in_a_reference_definition(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        target = "missing" if lie else "ok?defined"
        text = f"{PAGE.format(url=server.url)}\nThe [manual] says so.\n\n[manual]: {server.url}/{target}\n"
        return ends(repo, {"guide.md": text})


@pair(*FAILS)
def an_anchor_that_is_not_on_the_page(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        anchor = "elsewhere" if lie else "there"
        return ends(repo, {"more.md": f"<{server.url}/ok#{anchor}>\n"})


@pair(*FAILS)
def a_redirect_that_goes_round(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        target = "loop" if lie else "redirect/301/ok"
        return ends(repo, {"more.md": f"<{server.url}/{target}>\n"})


@pair(*FAILS)
def an_error_page_that_answers_200(repo: Repository, lie: bool) -> Ended:
    with site(repo, config={"bodies": True}) as server:
        target = "error-page" if lie else "ok?page"
        return ends(repo, {"more.md": f"<{server.url}/{target}>\n"})


@pair(1, "LINKS_UNCHECKED", "unit:url:manual.md")
def a_link_that_was_mended_by_deleting_it(repo: Repository, lie: bool) -> Ended:
    repo.commit({"guide.md": "# Guide\n\n[below](#guide)\n\n[manual](manual.md)\n"})
    repo.task(type_="link_check")
    gone: dict[str, Content] = {"guide.md": "# Guide\n\n[below](#guide)\n"}
    return ends(repo, gone if lie else {"manual.md": "# Manual\n"}, "url:manual.md")


@pair(1, "MISSING_UNIT", "units.total")
def twenty_links_promised_and_eighteen_there(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        links = [f"{server.url}/ok?{number}" for number in range(16 if lie else 18)]
        return ends(repo, {"more.md": "".join(f"- <{link}>\n" for link in links)}, units_total=20)


@pair(*UNCHECKED)
def eighteen_of_twenty_links_checked(repo: Repository, lie: bool) -> Ended:
    """An adapter of the repository's own that leaves out the two that would fail."""
    urls = [f"https://calc.example/{number:02}" for number in range(20)]
    own_adapter(repo, urls, dict.fromkeys(urls[:18] if lie else urls, 200))
    repo.commit({"guide.md": "# Guide\n"})
    repo.task(type_="link_check")
    return ends(repo, {"guide.md": "# Guide\n\n<https://calc.example/00>\n"})


@pair(*FAILS)
def a_failure_called_nothing_to_fetch(repo: Repository, lie: bool) -> Ended:
    url = "https://calc.example/gone" if lie else "mailto:us@calc.example"
    urls = sorted(["https://calc.example/", url])
    own_adapter(repo, urls, {"https://calc.example/": 200, url: "NOT_FETCHED"})
    repo.commit({"guide.md": "# Guide\n"})
    repo.task(type_="link_check")
    return ends(repo, {"guide.md": f"# Guide\n\n<{url}>\n"})


@pair(*UNCHECKED)
def links_of_a_network_that_is_forbidden(repo: Repository, lie: bool) -> Ended:
    """Nobody asked, and that is no pass; the honest twin's links are all in the repository."""
    with site(repo, config={"network": False}) as server:
        text = "See [below](#more).\n\n## More\n"
        return ends(repo, {"guide.md": f"{text}\n<{server.url}/ok>\n" if lie else text})


@pair(*FAILS)
def a_link_that_works_at_the_second_try(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        ended = ends(repo, {"more.md": f"<{server.url}/{'flaky/1/x' if lie else 'ok?x'}>\n"})
        if lie:
            told = json.loads(repo.artifact("links/resample.json").read_bytes())
            assert told[f"{server.url}/flaky/1/x"]["flaky"] is True
            check = ended.check("links.failures_max")
            assert check is not None
            assert "1 of them worked on retry" in check["message"]
        return ended


@pair(*FAILS)
def a_redirect_under_the_strict_profile(repo: Repository, lie: bool) -> Ended:
    with site(repo) as server:
        repo.write({"more.md": f"<{server.url}/{'redirect/301/ok' if lie else 'ok?x'}>\n"})
        repo.claim(type_="link_check")
        return repo.verify("T1", "--profile", "link_check_strict")


@pair(*FAILS)
def a_link_that_lychees_own_settings_exclude(repo: Repository, lie: bool) -> Ended:
    """What the subject says to the tool isn't said to the gate's."""
    repo.write({"lychee.toml": 'exclude = [".*"]\n', ".lycheeignore": ".*\n", ".ignore": "*.txt\n"})
    with site(repo) as server:
        return ends(repo, {"more.txt": f"{server.url}/{'missing' if lie else 'ok?x'}\n"})


@pair(*FAILS)
def a_scope_beside_the_broken_page(repo: Repository, lie: bool) -> Ended:
    """The commitment looks at one folder; the change is in another."""
    with link_server() as server:
        own = json.dumps({"links": {"resample_wait_ms": 10}})
        repo.commit({"docs/guide.md": PAGE.format(url=server.url), "config/adapters.json": own})
        repo.task(type_="link_check", commitments={"scope": {"target_directory": "docs"}})
        return ends(repo, {"other/more.md": f"<{server.url}/{'missing' if lie else 'ok?x'}>\n"})
