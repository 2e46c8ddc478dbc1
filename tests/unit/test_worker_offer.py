"""What a call needs of its machine, and what a worker offers, are the same texts."""

from __future__ import annotations

import pytest

from verigate.domain.grants import Grant, GrantKind
from verigate.domain.worker_offer import MOST_OFFERS, list_needs, make_grants, parse_offers
from verigate.errors import UsageError

BINDS = (Grant(GrantKind.BIND, "/run/db", "why", "rw"), Grant(GrantKind.BIND, "~/models", "why", "ro"))


def test_needs_are_the_network_paths_and_variables() -> None:
    grants = (*BINDS, Grant(GrantKind.ENV, "TOKEN", "why"), Grant(GrantKind.TIME, "9", "why"))
    needs = ("bind:/run/db:rw", "bind:~/models:ro", "env:OTHER", "env:TOKEN", "network")
    assert list_needs(grants, ["OTHER"], network=True) == needs
    assert list_needs((Grant(GrantKind.NETWORK, "loopback", "why"),), (), network=False) == ()


def test_a_path_inside_the_repository_is_of_no_other_machine() -> None:
    with pytest.raises(ValueError, match="no other machine has fixtures/large"):
        list_needs((Grant(GrantKind.BIND, "fixtures/large", "why", "ro"),), (), network=False)


def test_grants_of_a_call_are_just_its_needs() -> None:
    grants = {grant.scope for grant in make_grants(("bind:/run/db:rw", "env:TOKEN", "network"))}
    assert grants == {("bind", "/run/db", "rw"), ("env", "TOKEN", ""), ("network", "hosts", "")}


def test_without_the_need_of_a_network_it_is_closed() -> None:
    assert [grant.scope for grant in make_grants(())] == [("network", "loopback", "")]


@pytest.mark.parametrize("need", ["", "networks", "bind:run/db:ro", "env:A B", "bind:/a:rx", "env:", "bind:/a\n:ro"])
def test_what_is_no_need_makes_no_grants(need: str) -> None:
    with pytest.raises(ValueError, match="nothing that a worker can offer"):
        list(make_grants((need,)))


def test_who_may_write_a_path_may_read_it() -> None:
    offers = parse_offers(("bind:/run/db:rw", "bind:/data", "env:TOKEN"), "--offer")
    assert offers == {"bind:/run/db:rw", "bind:/run/db:ro", "bind:/data:ro", "env:TOKEN"}


@pytest.mark.parametrize("offer", ["secrets", "env:1A", "bind:data", "bind:/a,b"])
def test_a_wrong_offer_is_an_error_that_says_what_is_right(offer: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_offers((offer,), "--offer")
    assert (caught.value.where, "env:NAME" in (caught.value.hint or "")) == ("--offer", True)


def test_a_server_can_not_match_any_number_of_offers() -> None:
    assert parse_offers((f"env:A{n}" for n in range(MOST_OFFERS)), "--offer")
    with pytest.raises(UsageError, match="more than a server can match"):
        parse_offers((f"env:A{n}" for n in range(MOST_OFFERS + 1)), "--offer")
