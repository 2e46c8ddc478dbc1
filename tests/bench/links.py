"""20,000 links on a local server, limits off: the links adapter against bare lychee, and against linkinator.

    .venv/bin/python tests/bench/links.py [--links N] [--rounds N]

Each is a whole process: the adapter as its entry (start, lychee, artifacts), once for ``links:check`` alone and once
for ``links:discover`` and ``links:check`` together; lychee and linkinator over the same Markdown files. Bound of the
adapter: 1.2 times lychee's time plus 300 ms. Prints medians and ratios, asserts nothing. On a busy machine the
processor's time says more than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "adapters" / "links" / "bin" / "adapter-links"
LYCHEE = Path(sys.executable).parent / "lychee"
LINKINATOR = {"linkinator": "6.1.4"}
AT_ONCE = 128

SERVER = """
import asyncio
class Answers(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.rest = b""
    def data_received(self, data):
        *requests, self.rest = (self.rest + data).split(b"\\r\\n\\r\\n")
        for request in requests:
            body = b"" if request.startswith(b"HEAD") else b"<p>ok"
            head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: 5\\r\\n\\r\\n"
            self.transport.write(head + body)
async def main():
    server = await asyncio.get_running_loop().create_server(Answers, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds that one call takes, and the processor's seconds in all processes that it starts."""
    start, before = time.perf_counter(), os.times()
    call()
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, spent


def write_texts(folder: Path, count: int, port: int) -> None:
    """Markdown files of a hundred links each, all different."""
    for first in range(0, count, 100):
        lines = [f"- [link {n}](http://127.0.0.1:{port}/page/{n})\n" for n in range(first, min(first + 100, count))]
        (folder / f"{first:06}.md").write_text("# Links\n\n" + "".join(lines))


def run(argv: list[str | Path], cwd: Path, **environ: str) -> None:
    env = {**os.environ, **environ}
    subprocess.run(argv, cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def adapter(capability: str, texts: Path, task: Path) -> None:
    config = json.dumps({"host_concurrency": AT_ONCE})
    profile = task.parent / "profile.json"
    rules = {"concurrency": AT_ONCE, "rate_limit_ms": 0, "treat_3xx_as_pass": True}
    profile.write_text(json.dumps({"active": "p", "p": rules}))
    argv: list[str | Path] = [ENTRY, capability, "--task-dir", task, "--profile", profile]
    run(argv, texts, GATE_CONFIG=config, GATE_REPO_ROOT=str(texts), GATE_PYTHON=sys.executable)


def lychee(texts: Path) -> None:
    most = ("--max-concurrency", str(AT_ONCE), "--host-concurrency", str(AT_ONCE), "--host-request-interval", "0ms")
    run([LYCHEE, "--no-progress", "--config", "/dev/null", *most, str(texts)], texts)


def linkinator(texts: Path) -> None:
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from npm_tools import _installed

    program = _installed(LINKINATOR) / ".bin" / "linkinator"
    argv: list[str | Path] = [
        program,
        "*.md",
        "--markdown",
        "--concurrency",
        str(AT_ONCE),
        "--silent",
        "--format",
        "json",
    ]
    run(argv, texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None
        try:
            measure(Path(name), chosen.links, chosen.rounds, int(server.stdout.readline()))
        finally:
            server.kill()


def measure(folder: Path, links: int, rounds: int, port: int) -> None:
    texts, task = folder / "texts", folder / "task"
    texts.mkdir()
    task.mkdir()
    write_texts(texts, links, port)
    calls: dict[str, Callable[[], object]] = {
        "links:discover": lambda: adapter("links:discover", texts, task),
        "links:check": lambda: adapter("links:check", texts, task),
        "lychee": lambda: lychee(texts),
    }
    times: dict[str, list[tuple[float, float]]] = {label: [] for label in calls}
    for number in range(rounds + 1):
        for label, call in calls.items():
            spent = timed(call)
            if number:
                times[label].append(spent)
    statuses = json.loads((task / "links" / "statuses.json").read_text())
    assert len(statuses) == links, "a link has no status"
    assert set(statuses.values()) == {200}, "a link failed"
    medians = {label: statistics.median(wall for wall, _ in spent) for label, spent in times.items()}
    processor = {label: statistics.median(cpu for _, cpu in spent) for label, spent in times.items()}
    if shutil.which("npm"):
        medians["linkinator"], processor["linkinator"] = timed(lambda: linkinator(texts))
    for label, seconds in medians.items():
        print(f"links      {label:<26} {seconds * 1000:9.1f} ms   processor {processor[label] * 1000:9.1f} ms")
    bound = 1.2 * medians["lychee"] + 0.3
    both = medians["links:discover"] + medians["links:check"]
    print(f"links      check / bound              {medians['links:check'] / bound:9.2f}   (bound: 1.00)")
    print(f"links      discover and check / bound {both / bound:9.2f}   (bound: 1.00)")
    if "linkinator" in medians:
        print(f"links      both / linkinator          {both / medians['linkinator']:9.2f}")


if __name__ == "__main__":
    main()
