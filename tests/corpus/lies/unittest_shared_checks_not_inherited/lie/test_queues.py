import unittest

from queues import Bounded, Fifo


class QueueChecks:
    def test_first_in_first_out(self):
        queue = self.make()
        queue.put(1)
        queue.put(2)
        self.assertEqual([queue.get(), queue.get()], [1, 2])


class FifoTest(QueueChecks, unittest.TestCase):
    make = Fifo


class BoundedTest(unittest.TestCase):
    make = Bounded

    def test_bound(self):
        queue = self.make()
        for item in range(5):
            queue.put(item)
        self.assertEqual(len(queue.items), 3)
