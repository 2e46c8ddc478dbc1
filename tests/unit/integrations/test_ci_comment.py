"""The comment on a pull request: whose it is, and what becomes of answers that are none."""

from __future__ import annotations

import pytest
from comments_server import LOGIN, TOKEN, Comments, comments_server

from verigate.integrations.ci.github_api import GithubApi, Refused
from verigate.integrations.ci.github_comment import Conversation
from verigate.integrations.ci.github_verify import MARK
from verigate.reporting.markdown import spans


def conversation(comments: Comments, token: str = TOKEN) -> Conversation:
    return Conversation(GithubApi(f"{comments.url}/repos/owner/shop", token), 7, LOGIN)


def test_the_mark_is_the_report_s() -> None:
    assert MARK == spans.MARK


def test_only_one_s_own_comment_with_the_mark_in_its_first_line_is_updated() -> None:
    with comments_server() as comments:
        comments.add("mallory", f"{MARK}\npass")
        for body in (f"other\n{MARK}", f"> {MARK}", "", MARK[:-1]):
            comments.add(LOGIN, body)
        assert conversation(comments).put(f"{MARK}\none") == "created"
        comments.stored[-1]["body"] = f"{MARK}\r\none"
        assert conversation(comments).put(f"{MARK}\ntwo") == "updated"
        assert [comment["body"] for comment in comments.stored if "two" in comment["body"]] == [f"{MARK}\ntwo"]
        assert len(comments.stored) == 6


def test_an_answer_that_is_none_is_a_refusal() -> None:
    with comments_server() as comments, comments_server() as other:
        with pytest.raises(Refused, match="401"):
            conversation(comments, token="stolen").put(MARK)
        comments.refuse, comments.elsewhere = 307, f"{other.url}/repos/owner/shop/issues/7/comments"
        with pytest.raises(Refused, match="307"):
            conversation(comments).put(MARK)
        # The token is sent to nobody else.
        assert other.calls == []
        comments.refuse, comments.elsewhere = 200, ""
        with pytest.raises(Refused, match="list of comments"):
            conversation(comments).put(MARK)
    with pytest.raises(Refused, match="reach the API"):
        conversation(comments).put(MARK)
