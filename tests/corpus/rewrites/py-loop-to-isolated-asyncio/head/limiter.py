import asyncio


class Limiter:
    """At most so many coroutines at once."""

    def __init__(self, limit):
        if limit < 1:
            raise ValueError("limit below one")
        self._semaphore = asyncio.Semaphore(limit)
        self.running = 0
        self.most = 0

    async def run(self, function, *arguments):
        async with self._semaphore:
            self.running += 1
            self.most = max(self.most, self.running)
            try:
                return await function(*arguments)
            finally:
                self.running -= 1
