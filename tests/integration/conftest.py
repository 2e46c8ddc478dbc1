"""What tests of several modules here start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from worker_grid import WorkerGrid


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerGrid]:
    """A BuildGrid with its scheduler, which forgets a silent worker after eight seconds."""
    from worker_grid import WorkerGrid

    found = WorkerGrid(tmp_path_factory.mktemp("grid"), "team", keepalive=8)
    yield found
    found.close()


@pytest.fixture
def started(grid: WorkerGrid) -> Iterator[WorkerGrid]:
    """The same, without workers that outlive the test."""
    yield grid
    for worker in grid.workers:
        worker.kill()
