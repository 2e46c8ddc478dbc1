"""What stopped honest commits of public histories passes now; a lie that is near to it doesn't."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_repository import change_repository
from integrity_cases import Change
from integrity_kept_forms import KEPT_FORMS
from integrity_moves import MOVED
from integrity_replays import REPLAYED
from integrity_said_otherwise import SAID_OTHERWISE
from release_tests import some_always

ALL = (*REPLAYED, *MOVED, *SAID_OTHERWISE, *KEPT_FORMS)


@pytest.mark.parametrize("change", some_always(ALL, lambda change: change.name, one_in=4))
def test_a_replayed_change_is_refuted_for_what_it_is(change: Change, tmp_path: Path) -> None:
    outcome = change_repository(tmp_path / "repo", change.before, change.after).run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    findings = outcome.json("integrity.json")["findings"]
    assert {each["kind"] for each in findings if each["weight"] != "note"} == set(change.kinds), findings


def test_changes_of_both_kinds_are_there() -> None:
    assert len({change.name for change in ALL}) == len(ALL)
    assert sum(not change.kinds for change in ALL) >= 9
