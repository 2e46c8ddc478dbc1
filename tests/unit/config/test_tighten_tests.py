"""Which tests run, where the profile and the commitment both say so: the one that runs more counts."""

from __future__ import annotations

import pytest

from verigate.config.tighten import combine_thresholds


@pytest.mark.parametrize(
    ("enforced", "promised", "both"),
    [
        ("impacted", "all", "all"),
        ("affected_in_ci", "all", "all"),
        ("all", "affected", "all"),
        ("impacted_in_ci", "impacted", "impacted"),
        ("impacted", "impacted_in_ci", "impacted"),
        ("affected_in_ci", "affected", "affected"),
        ("affected", "affected", "affected"),
        # Neither runs what the other one does.
        ("impacted", "affected", "all"),
        ("affected_in_ci", "impacted_in_ci", "all"),
        # Without a word of the profile all run: a promise of less doesn't count.
        (None, "all", "all"),
        (None, "affected", None),
        (None, "impacted_in_ci", None),
    ],
)
def test_the_stricter_of_two_words_counts(enforced: str | None, promised: str, both: str | None) -> None:
    assert combine_thresholds("tests", enforced, promised) == both
