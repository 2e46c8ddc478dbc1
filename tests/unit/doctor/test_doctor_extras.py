"""The doctor names what a built-in adapter lacks, by the extra that installs it."""

from __future__ import annotations

from verigate.doctor.extras import missing, own_requirements

REQUIREMENTS = (
    "click<9,>=8.1.7",
    'no-such-thing>=1; extra == "links"',
    "another_one[x]==2 ; python_version >= '3.11' and extra == 'links'",
    'msgspec>=0.20; extra == "api"',
    'not-asked-for; extra == "gemini"',
)


def test_what_is_missing_is_told_by_extra() -> None:
    assert missing(REQUIREMENTS, ["api", "links", "code"]) == {"links": ["another_one", "no-such-thing"]}


def test_the_gates_own_metadata_is_read() -> None:
    assert any("extra ==" in requirement for requirement in own_requirements())
    assert missing(own_requirements(), ["attest"]) == {}
