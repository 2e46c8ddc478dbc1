import time

from background import Worker


def test_jobs_run_in_the_background():
    done = []
    worker = Worker()
    worker.submit(done.append, 1)
    worker.submit(done.append, 2)
    time.sleep(0.5)
    assert done == [1, 2]
    assert worker.errors == []


def test_an_error_does_not_stop_the_worker():
    done = []
    worker = Worker()
    worker.submit(int, "x")
    worker.submit(done.append, 1)
    time.sleep(0.5)
    assert done == [1]
    assert [type(error) for error in worker.errors] == [ValueError]


def test_stop():
    assert Worker().stop()
