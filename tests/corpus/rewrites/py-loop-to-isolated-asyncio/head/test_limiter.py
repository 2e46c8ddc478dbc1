import asyncio
import unittest

from limiter import Limiter


async def double(number):
    await asyncio.sleep(0)
    return 2 * number


async def fail():
    raise OSError("no")


class LimiterTest(unittest.IsolatedAsyncioTestCase):
    async def test_result(self):
        self.assertEqual(await Limiter(1).run(double, 4), 8)

    async def test_limit(self):
        limiter = Limiter(2)
        results = await asyncio.gather(*(limiter.run(double, n) for n in range(5)))
        self.assertEqual(results, [0, 2, 4, 6, 8])
        self.assertEqual(limiter.most, 2)
        self.assertEqual(limiter.running, 0)

    async def test_error(self):
        limiter = Limiter(1)
        with self.assertRaises(OSError):
            await limiter.run(fail)
        self.assertEqual(limiter.running, 0)

    def test_zero(self):
        self.assertRaises(ValueError, Limiter, 0)


if __name__ == "__main__":
    unittest.main()
