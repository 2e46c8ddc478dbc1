"""Print what remote execution costs, by a real BuildGrid with PostgreSQL and one worker on loopback.

.venv/bin/python tests/bench/remote_execution.py

First the seconds of one action: of a worker that does nothing, which is what server and scheduler take; of the gate's
worker; and of the whole verification here and by a worker. Then the bytes that one verification moves, with the inputs
at the server and without.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile_executor import HostileExecutor
from remote_repository import Machines
from worker_grid import WorkerGrid

from verigate.domain.remote_server import RemoteServerAddress, parse_address
from verigate.remote.action import to_message
from verigate.remote.blobs import Digest
from verigate.remote.bot_session import BotSession, Ending
from verigate.remote.execution import RemoteExecutor
from verigate.remote.fault import RemoteFault
from verigate.remote.server import RemoteServer
from verigate.remote.stubs import reapi

TIMES = 20
VERIFICATIONS = 5
SIZES = (1_000, 100_000, 10_000_000)


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        grid = WorkerGrid(Path(folder) / "grid")
        client = RemoteServer(parse_address(grid.address, "bench"))
        try:
            rows = {"a bare action, by a worker that does nothing": measure_bare(client, grid)}
            action, blobs = learn_action(Path(folder) / "learned")
            machines = Machines(Path(folder) / "machines", grid.address)
            grid.worker(machines.keys["ci"])
            client.write(blobs)
            rows["the gate's action, by the gate's worker"] = measure(client, action, TIMES)
            rows["a verification, here"] = verify(machines, "here", GATE_REMOTE_CACHE="off")
            rows["a verification, by the worker"] = verify(machines, "there", GATE_REMOTE_EXECUTOR=grid.address)
            write_rows("| what | median, s | slowest, s |", rows)
            sys.stdout.write("\n| input, bytes | inputs at the server | requests | sent | received |\n")
            sys.stdout.write("| --- | --- | --- | --- | --- |\n")
            for size in SIZES:
                count_bytes(machines, size)
        finally:
            client.close()
            grid.close()


def write_rows(heading: str, rows: dict[str, list[float]]) -> None:
    sys.stdout.write(f"{heading}\n| --- | --- | --- |\n")
    for name, found in rows.items():
        sys.stdout.write(f"| {name} | {statistics.median(found):.3f} | {max(found):.3f} |\n")


def measure(client: RemoteServer, action: Digest, times: int) -> list[float]:
    executor = RemoteExecutor(client)
    return [take_time(lambda: executor.execute(action, 60)) for _ in range(times)]


def take_time(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure_bare(client: RemoteServer, grid: WorkerGrid) -> list[float]:
    """What server, scheduler and API take: an action without inputs, and a worker that answers at once."""
    platform = reapi.Platform(properties=[reapi.Platform.Property(name="OSFamily", value="bare")])
    command = reapi.Command(arguments=["true"], platform=platform).SerializeToString(deterministic=True)
    root = reapi.Directory().SerializeToString(deterministic=True)
    message = reapi.Action(
        command_digest=to_message(Digest.of(command)), input_root_digest=to_message(Digest.of(root)), platform=platform
    ).SerializeToString(deterministic=True)
    client.write({Digest.of(each): each for each in (command, root, message)})
    ended = threading.Event()
    worker = threading.Thread(target=answer, args=(parse_address(grid.address, "bench"), ended), daemon=True)
    worker.start()
    try:
        return measure(client, Digest.of(message), TIMES)
    finally:
        ended.set()


def answer(address: RemoteServerAddress, ended: threading.Event) -> None:
    server = RemoteServer(address)
    session = BotSession(server, "bare", [("OSFamily", "bare")])
    session.open()
    try:
        while not ended.is_set():
            if (lease := session.wait()) is not None:
                session.end(lease, Ending(0, "", reapi.ActionResult()))
    except RemoteFault:
        pass  # the server has ended
    finally:
        server.close()


def learn_action(folder: Path) -> tuple[Digest, dict[Digest, bytes]]:
    """An action of a real verification, with all its blobs."""
    server = HostileExecutor()  # type: ignore[abstract] # of the stubs alone: grpc answers what isn't defined
    try:
        machines = Machines(folder, server.address)
        machines.verify(machines.machine("teacher"), writes="ci")
        server.learn()
        machines.verify(machines.machine("sender"), GATE_REMOTE_CACHE="", GATE_REMOTE_EXECUTOR=server.address)
        (action,) = server.known
        return action, dict(server.blobs)
    finally:
        server.close()


def verify(machines: Machines, name: str, **environ: Any) -> list[float]:
    given = {"GATE_REMOTE_CACHE": "", **environ}
    made = [machines.machine(f"{name}{number}", f"{name} {number}") for number in range(VERIFICATIONS)]
    return [take_time(partial(machines.verify, machine, **given)) for machine in made]


def count_bytes(machines: Machines, size: int) -> None:
    """The same input twice; the second time a cache that has the result isn't asked for it, as the adapter differs."""
    for place, adapter in (("cold", ""), ("warm", "# another adapter\n")):
        machine = machines.machine(f"{place}{size}", "x" * size)
        if adapter:
            path = machine.root / "adapters/my/run"
            path.write_text(path.read_text() + adapter)
            machine.sample.git("commit", "-qm", "another adapter", "--", "adapters")
        run = machines.verify(machine, GATE_REMOTE_CACHE="", GATE_REMOTE_EXECUTOR=machines.address)
        used = run["remote"]["executor"]
        assert used["executed"] == ["my:check"], run["warnings"]
        counts = (used["requests"], used["sent_bytes"], used["received_bytes"])
        sys.stdout.write(f"| {size:,} | {'no' if place == 'cold' else 'yes'} | ")
        sys.stdout.write(f"{' | '.join(f'{count:,}' for count in counts)} |\n")


if __name__ == "__main__":
    main()
