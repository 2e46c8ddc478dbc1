import threading

import pytest

from background import Worker

LIMIT_S = 5


@pytest.fixture
def worker():
    worker = Worker()
    yield worker
    worker.stop()


def finish(worker):
    """Wait until all jobs that were submitted have run."""
    reached = threading.Event()
    worker.submit(reached.set)
    assert reached.wait(LIMIT_S), "the worker is stuck"


def test_jobs_run_in_the_background(worker):
    done = []
    worker.submit(done.append, 1)
    worker.submit(done.append, 2)
    finish(worker)
    assert done == [1, 2]
    assert worker.errors == []


def test_an_error_does_not_stop_the_worker(worker):
    done = []
    worker.submit(int, "x")
    worker.submit(done.append, 1)
    finish(worker)
    assert done == [1]
    assert [type(error) for error in worker.errors] == [ValueError]


def test_stop():
    assert Worker().stop()
