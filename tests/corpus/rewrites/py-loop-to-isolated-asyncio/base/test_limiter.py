import asyncio
import unittest

from limiter import Limiter


async def double(number):
    await asyncio.sleep(0)
    return 2 * number


async def fail():
    raise OSError("no")


class LimiterTest(unittest.TestCase):
    def setUp(self):
        self.loop = asyncio.new_event_loop()

    def tearDown(self):
        self.loop.close()

    def test_result(self):
        async def go():
            return await Limiter(1).run(double, 4)

        self.assertEqual(self.loop.run_until_complete(go()), 8)

    def test_limit(self):
        async def go():
            limiter = Limiter(2)
            results = await asyncio.gather(*(limiter.run(double, n) for n in range(5)))
            return limiter, results

        limiter, results = self.loop.run_until_complete(go())
        self.assertEqual(results, [0, 2, 4, 6, 8])
        self.assertEqual(limiter.most, 2)
        self.assertEqual(limiter.running, 0)

    def test_error(self):
        async def go():
            limiter = Limiter(1)
            with self.assertRaises(OSError):
                await limiter.run(fail)
            return limiter

        self.assertEqual(self.loop.run_until_complete(go()).running, 0)

    def test_zero(self):
        self.assertRaises(ValueError, Limiter, 0)


if __name__ == "__main__":
    unittest.main()
