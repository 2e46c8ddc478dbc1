import queue
import threading


class Worker:
    """Runs jobs in a thread of its own, one after the other."""

    def __init__(self):
        self.errors = []
        self._jobs = queue.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, job, *arguments):
        self._jobs.put((job, arguments))

    def stop(self):
        self._jobs.put(None)
        self._thread.join(5)
        return not self._thread.is_alive()

    def _run(self):
        while (item := self._jobs.get()) is not None:
            job, arguments = item
            try:
                job(*arguments)
            except Exception as error:
                self.errors.append(error)
