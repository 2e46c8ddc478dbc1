"""A queue of jobs that are tried again when they fail."""

import threading

from backoff import delay

DONE, FAILED, WAITING = "done", "failed", "waiting"


class Queue:
    """Runs jobs one after the other in a thread of its own."""

    def __init__(self, attempts=3, sleep=None):
        self.attempts = attempts
        self.states = {}
        self.pauses = []
        self._sleep = sleep or (lambda seconds: None)
        self._threads = []

    def submit(self, name, work):
        """Start a job in the background."""
        if name in self.states:
            raise ValueError(f"there is a job {name}")
        self.states[name] = (WAITING, 0)
        thread = threading.Thread(target=self._run, args=(name, work))
        self._threads.append(thread)
        thread.start()

    def _run(self, name, work):
        for attempt in range(1, self.attempts + 1):
            try:
                work()
            except OSError:
                self.states[name] = (WAITING, attempt)
                if attempt < self.attempts:
                    self.pauses.append(delay(attempt))
                    self._sleep(self.pauses[-1])
            else:
                self.states[name] = (DONE, attempt)
                return
        self.states[name] = (FAILED, self.attempts)

    def join(self):
        """Wait for all jobs."""
        for thread in self._threads:
            thread.join()
