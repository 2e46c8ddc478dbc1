"""200 endpoints of a local service: what the API adapter costs for each of them, and whether that stays flat.

    .venv/bin/python tests/bench/api.py [--rounds N] [--counts 50,100,200,400]

Each is a whole process: the adapter as its entry, with the start of the service, the calls and the artifacts. The cost
of an endpoint is what a call costs above one with a single endpoint, divided by the others. Beside it a bare loop of
http.client over the same requests. Prints medians of the clock and of the processor's time, which says more on a busy
machine and has the service's in it; asserts nothing.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from api_service import MINI  # noqa: E402 - its folder is on the path only now

ENTRY = ROOT / "adapters" / "api" / "bin" / "adapter-api"
CAPABILITIES = ("api:endpoints", "api:responses", "api:auth")
SAMPLES = 5


def write_service(folder: Path, count: int) -> None:
    """A service and a description with ``count`` endpoints, each with a path and a query parameter and a schema."""
    routes = "".join(
        f'\n\n@app.get("/r{n}/{{id}}")\ndef r{n}(request, key):\n    return {{"id": {n}, "name": key}}\n'
        for n in range(count)
    )
    app = f"from mini import Mini\n\napp = Mini()\n{routes}\napp.run()\n"
    item = {
        "type": "object",
        "required": ["id", "name"],
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    }
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50}},
    ]
    responses = {"200": {"description": "ok", "content": {"application/json": {"schema": item}}}}
    paths = {f"/r{n}/{{id}}": {"get": {"parameters": parameters, "responses": responses}} for n in range(count)}
    document = {"openapi": "3.1.0", "info": {"title": "bench", "version": "1"}, "paths": paths}
    (folder / "mini.py").write_text(MINI)
    (folder / "app.py").write_text(app)
    (folder / "openapi.json").write_text(json.dumps(document))


def adapter(folder: Path, capability: str) -> Callable[[], object]:
    """One call of the adapter on the service in ``folder``."""
    config: dict[str, Any] = {"service": {"command": [sys.executable, "app.py"]}}
    env = {
        "PATH": os.environ["PATH"],
        "GATE_PYTHON": sys.executable,
        "GATE_REPO_ROOT": str(folder),
        "GATE_CONFIG": json.dumps(config),
    }
    task = folder / "task"
    task.mkdir(exist_ok=True)
    return lambda: subprocess.run([ENTRY, capability, "--task-dir", task], cwd=folder, env=env, check=True)


def bare(folder: Path, count: int) -> float:
    """Seconds of a loop over as many requests as api:responses makes, one connection, nothing looked at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "PORT": str(port)}
    with subprocess.Popen([sys.executable, "app.py"], cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while True:
            try:
                connection.connect()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        start = time.perf_counter()
        for _ in range(SAMPLES):
            for number in range(count):
                connection.request("GET", f"/r{number}/x")
                connection.getresponse().read()
        spent = time.perf_counter() - start
        process.kill()
    return spent


def median_of(rounds: int, call: Callable[[], object]) -> tuple[float, float]:
    """Median seconds, and those of the processor in all processes that a call starts."""
    times = []
    for _ in range(rounds):
        start, before = time.perf_counter(), os.times()
        call()
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        times.append((time.perf_counter() - start, spent))
    return statistics.median(wall for wall, _ in times), statistics.median(spent for _, spent in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--counts", default="50,100,200,400")
    chosen = parser.parse_args()
    counts = [1, *map(int, chosen.counts.split(","))]
    least: dict[str, tuple[float, float]] = {}
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
            write_service(folder, count)
            subprocess.run(["git", "add", "app.py", "mini.py", "openapi.json"], cwd=folder, check=True)
            for capability in CAPABILITIES:
                found = median_of(chosen.rounds, adapter(folder, capability))
                first = least.setdefault(capability, found)
                each = [(now - then) / max(count - 1, 1) * 1000 for now, then in zip(found, first, strict=True)]
                told = f"{each[0]:8.2f} ms each, processor {each[1]:8.2f} ms" if count > 1 else ""
                print(f"{capability:15} {count:4} endpoints {found[0] * 1000:9.0f} ms {told}")
            spent = bare(folder, count)
            print(f"{'bare loop':15} {count:4} endpoints {spent * 1000:9.0f} ms {spent / count * 1000:8.2f} ms each")


if __name__ == "__main__":
    main()
