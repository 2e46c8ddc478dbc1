import time
import unittest

from backoff import delay
from jobs import DONE, FAILED, Queue


def eventually(check, seconds=5.0):
    """Call a check until it passes; after some seconds it has failed."""
    end = time.monotonic() + seconds
    while True:
        try:
            check()
        except AssertionError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def failing(times):
    """Return work that fails so many times."""
    left = [times]

    def work():
        left[0] -= 1
        if left[0] >= 0:
            raise OSError("no network")

    return work


class QueueTest(unittest.TestCase):
    def test_job_is_done(self):
        queue = Queue()
        queue.submit("mail", failing(0))
        eventually(lambda: self.assertEqual(queue.states, {"mail": (DONE, 1)}))

    def test_job_is_tried_again(self):
        queue = Queue()
        queue.submit("mail", failing(2))
        eventually(lambda: self.assertEqual(queue.states, {"mail": (DONE, 3)}))
        self.assertEqual(len(queue.pauses), 2)

    def test_job_fails_in_the_end(self):
        queue = Queue(attempts=2)
        queue.submit("mail", failing(9))
        eventually(lambda: self.assertEqual(queue.states, {"mail": (FAILED, 2)}))

    def test_name_is_taken(self):
        queue = Queue()
        queue.submit("mail", failing(0))
        with self.assertRaises(ValueError):
            queue.submit("mail", failing(0))

    def test_pauses_have_a_limit(self):
        eventually(lambda: self.assertEqual([delay(n) for n in range(1, 6)], [0.5, 1.0, 2.0, 4.0, 4.0]))


if __name__ == "__main__":
    unittest.main()
