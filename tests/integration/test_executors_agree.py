"""The verdict is the same bytes outside of its metadata, whoever runs what it is decided from.

Made repositories are verified here, by several processes, in shards, by a Dask cluster, by workers of a BuildGrid, and
with its action cache, cold and warm.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dask_cluster import cluster
from executed_everywhere import CONFIGURATION, ENDS, Everywhere, MadeCapability, MadeCommit, MadeRepository
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from worker_grid import WorkerGrid

SIZES = (0, 1_000, 70_000, 5_000_000)
"""Bytes of an artifact: the last goes by streams."""

_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)
_NAMES = st.sampled_from(("work.txt", "parts/first.txt", "parts/second.txt", "ünterlage.txt", "README.md"))
CAPABILITIES = st.builds(
    MadeCapability, st.sampled_from(tuple(ENDS)), st.sampled_from(SIZES), declares=st.booleans(), required=st.booleans()
)
COMMITS = st.builds(MadeCommit, st.lists(st.tuples(_NAMES, _TEXTS), min_size=1, max_size=3).map(tuple))
REPOSITORIES = st.builds(
    MadeRepository,
    st.lists(CAPABILITIES, min_size=1, max_size=3).map(tuple),
    st.lists(COMMITS, min_size=1, max_size=3).map(tuple),
)
MIXED = MadeRepository(
    (
        MadeCapability("holds", 5_000_000),
        MadeCapability("refuted"),
        MadeCapability("holds", 1_000, declares=False),
        MadeCapability("crashes", required=False),
    ),
    (MadeCommit((("work.txt", "changed\n"), ("README.md", "# not an input\n"))),),
)
BROKEN = MadeRepository(
    (
        MadeCapability("writes no JSON"),
        MadeCapability("crashes"),
        MadeCapability("writes nothing"),
        MadeCapability("holds"),
    ),
    (MadeCommit((("parts/second.txt", ""),)),),
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", name="everywhere")
def _everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everywhere]:
    grid = WorkerGrid(tmp_path_factory.mktemp("grid"), "team", configuration=CONFIGURATION)
    try:
        with cluster(tmp_path_factory.mktemp("dask"), 1) as dask:
            yield Everywhere(tmp_path_factory.mktemp("made"), grid, dask)
    finally:
        grid.close()


def check(everywhere: Everywhere, made: MadeRepository) -> None:
    found = everywhere.verify(made)
    assert len(found) == 7
    for name, facts in found.items():
        assert facts == found["plain"], name
    assert all(each["verdict_sha256"] for each in found["plain"]["commits"])


def test_every_executor_gives_the_same_verdict(everywhere: Everywhere) -> None:
    check(everywhere, MIXED)


@pytest.mark.release
@pytest.mark.timeout(3600)
@example(BROKEN)
@given(REPOSITORIES)
@settings(
    max_examples=25,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_every_executor_gives_the_same_verdict_of_any_repository(everywhere: Everywhere, made: MadeRepository) -> None:
    check(everywhere, made)
