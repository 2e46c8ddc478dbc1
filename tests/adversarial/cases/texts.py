"""Texts that look longer, better built or better founded than they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from repositories import Content, Ended, Repository

from cases.pair import pair

LANGUAGE = "Markdown"

PAGE = "docs/page.md"
SOURCE = "Whoever measures must say what was measured.\n"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe"
    "0def46b80000000049454e44ae426082"
)
"""A PNG of one pixel."""


def verified(
    repo: Repository, capability: str, rules: Mapping[str, Any], page: str, more: Mapping[str, Content] | None = None
) -> Ended:
    """The verdict on a task that promised and wrote ``page``, beside an older page of 500 words."""
    repo.policy([capability], rules)
    repo.commit({"README.md": f"# Old\n\n{'old ' * 500}\n", "docs/source.txt": SOURCE})
    repo.task(type_="change", commitments={"scope": {"files": [PAGE]}})
    repo.write({PAGE: page, **(more or {})})
    repo.claim(f"file:{PAGE}", type_="change")
    return repo.verify()


def counted(repo: Repository, page: str, more: Mapping[str, Content] | None = None) -> Ended:
    return verified(repo, "content:wordcount", {"word_min": 400}, page, more)


WORDS = (1, "WORD_MIN", "content.word_min")


@pair(*WORDS)
def a_word_less_than_was_promised(repo: Repository, lie: bool) -> Ended:
    return counted(repo, f"# Title\n\n{'word ' * (398 if lie else 399)}\n")


@pair(*WORDS)
def words_of_an_older_page(repo: Repository, lie: bool) -> Ended:
    """What is on the other page was there before."""
    return counted(repo, "# Title\n\nSee the readme.\n" if lie else f"# Title\n\n{'word ' * 400}\n")


@pair(*WORDS)
def words_in_a_comment(repo: Repository, lie: bool) -> Ended:
    words = "word " * 400
    return counted(repo, f"# Title\n\n<!-- {words} -->\n" if lie else f"# Title\n\n{words}\n")


@pair(*WORDS)
def words_in_front_matter(repo: Repository, lie: bool) -> Ended:
    words = "word " * 400
    return counted(
        repo, f"---\nsummary: {words}\n---\n# Title\n" if lie else f"---\nsummary: x\n---\n# Title\n{words}\n"
    )


@pair(*WORDS)
def words_that_no_browser_shows(repo: Repository, lie: bool) -> Ended:
    """Hidden by the page's own style sheet, under a name that says nothing."""
    style = "<style>.note { display : none }</style>" if lie else "<style>.note { color: gray }</style>"
    return counted(repo, f"# Title\n\n{style}\n<div class=note>{'word ' * 400}</div>\n")


@pair(*WORDS)
def words_in_a_code_block(repo: Repository, lie: bool) -> Ended:
    fence = "```\n" if lie else ""
    return counted(repo, f"# Title\n\n{fence}{'word ' * 400}\n{fence}")


@pair(*WORDS)
def words_that_nothing_stands_between(repo: Repository, lie: bool) -> Ended:
    """A zero-width space separates nothing that a reader would see."""
    between = "\u200b" if lie else " "
    return counted(repo, f"# Title\n\n{between.join(['word'] * 400)}\n")


@pair(*WORDS)
def words_that_can_not_be_seen(repo: Repository, lie: bool) -> Ended:
    """The filler of Hangul is a letter for Unicode, and blank."""
    word = "\u3164" if lie else "word"
    return counted(repo, "# Title\n\n" + f"{word} " * 400)


def shown(repo: Repository, page: str) -> Ended:
    """As ``counted``, with a browser that shows the page."""
    return verified(repo, "content:wordcount", {"word_min": 400, "words_rendered": True}, f"# Title\n\n{page}\n")


@pair(*WORDS)
def words_under_a_cover(repo: Repository, lie: bool) -> Ended:
    """Each style is an honest one. Only a browser knows what stands above what."""
    cover = (
        f"<div style='position:relative;height:9999px;margin-top:{'-9999px' if lie else '9px'};background:#eee'></div>"
    )
    return shown(repo, f"<div style='height:9999px'>{'word ' * 400}</div>{cover}")


@pair(*WORDS)
def words_in_almost_the_colour_of_their_background(repo: Repository, lie: bool) -> Ended:
    sheet = f"<style>:root {{ --c: {'96%' if lie else '20%'} }} p {{ color: hsl(0 0% var(--c)) }}</style>"
    return shown(repo, f"{sheet}\n<p>{'word ' * 400}</p>")


@pair(*WORDS)
def words_that_a_calculation_moves_away(repo: Repository, lie: bool) -> Ended:
    style = f"position:absolute;left:calc(1em * {-999 if lie else 1})"
    return shown(repo, f"<p style='{style}'>{'word ' * 400}</p>")


HEADINGS = (1, "HEADING_MISSING", "content.headings_required")


def built(repo: Repository, page: str) -> Ended:
    return verified(repo, "content:headings", {"headings_required": ["h1", "Setup"]}, page)


@pair(*HEADINGS)
def a_heading_in_a_code_fence(repo: Repository, lie: bool) -> Ended:
    section = "## Setup\n\nRun it.\n"
    return built(repo, f"# Title\n\n```\n{section}```\n" if lie else f"# Title\n\n{section}")


@pair(*HEADINGS)
def a_title_without_a_visible_letter(repo: Repository, lie: bool) -> Ended:
    return built(repo, f"# {'&#8203;' if lie else 'Title'}\n\n## Setup\n\nRun it.\n")


@pair(*HEADINGS)
def a_heading_that_is_hidden(repo: Repository, lie: bool) -> Ended:
    return built(repo, f"# Title\n\n<h2{' hidden' if lie else ''}>Setup</h2>\n\nRun it.\n")


IMAGES = "content:images"


@pair(1, "IMAGE_MISSING", "content.images_found")
def an_image_without_a_file(repo: Repository, lie: bool) -> Ended:
    files: dict[str, Content] = {} if lie else {"docs/plan.png": PIXEL}
    return verified(repo, IMAGES, {"images_found": True}, "# Title\n\n![The plan](plan.png)\n", files)


@pair(1, "IMAGE_MISSING", "content.images_min")
def an_image_that_is_none(repo: Repository, lie: bool) -> Ended:
    """A file of that name is there, and holds words."""
    plan = b"the plan" if lie else PIXEL
    return verified(repo, IMAGES, {"images_min": 1}, "# Title\n\n![The plan](plan.png)\n", {"docs/plan.png": plan})


@pair(1, "IMAGE_MISSING", "content.images_alt_required")
def an_alternative_text_without_a_visible_letter(repo: Repository, lie: bool) -> Ended:
    page = f"# Title\n\n![{chr(0x200B) if lie else 'The plan'}](plan.png)\n"
    return verified(repo, IMAGES, {"images_alt_required": True}, page, {"docs/plan.png": PIXEL})


QUOTES = (1, "QUOTE_UNATTRIBUTED", "content.quotes_attributed")


def quoted(repo: Repository, page: str) -> Ended:
    return verified(repo, "content:quotes", {"quotes_attributed": True}, page)


@pair(*QUOTES)
def a_quote_with_an_invented_source(repo: Repository, lie: bool) -> Ended:
    """The file is there; it doesn't say that."""
    said = "Whoever measures may say anything." if lie else "Whoever measures must say what was measured."
    return quoted(repo, f"# Title\n\n> {said}\n>\n> — [the source](source.txt)\n")


@pair(*QUOTES)
def a_quote_from_a_file_that_is_not_there(repo: Repository, lie: bool) -> Ended:
    name = "sources.txt" if lie else "source.txt"
    return quoted(repo, f"# Title\n\n> Whoever measures must say what was measured.\n>\n> — [the source]({name})\n")


@pair(*QUOTES)
def a_quote_of_nobody(repo: Repository, lie: bool) -> Ended:
    return quoted(repo, "# Title\n\n> To be, or not to be.\n" + ("" if lie else "> — William Shakespeare\n"))
