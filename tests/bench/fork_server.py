"""Print what a server that has everything loaded, and forks for each call, would save of `gate verify`.

    .venv/bin/python tests/bench/fork_server.py [--rounds N] [--folder DIR]

The server and its client are written here and nowhere else: the server loads each module that a verify uses, waits at a
socket, and forks; the client is a start of the standard library that hands its streams, folder, arguments and variables
over. Nothing is checked, so this is the least that a daemon would cost. The repository is that of ``run.py five``.

five       a file changes before each round, and five adapters that do nothing run
unchanged  nothing changed, and the evidence is used again
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from run import ROOT, command, installed, make_repository, measured, stage_change

CALL = ("verify", "B", "--staged", "--quiet")

LIST_MODULES = """
import os, sys
real = os._exit
def end(code):
    with open(sys.argv[-1], "w") as file:
        file.write(" ".join(name for name in sys.modules if not name.startswith("__")))
    real(code)
os._exit = end
from verigate.cli import main
main(sys.argv[1:-1])
"""

SERVER = """
import gc, importlib, json, os, socket, sys
gc.disable()
modules, address = sys.argv[1:]
from verigate.cli import main
for name in open(modules).read().split():
    importlib.import_module(name)
gc.freeze()
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.bind(address)
server.listen(8)
while True:
    client, _ = server.accept()
    data, given, _, _ = socket.recv_fds(client, 1 << 20, 4)
    if (waiting := os.fork()) == 0:
        if (working := os.fork()) == 0:
            arguments, variables = json.loads(data)
            for number, descriptor in enumerate(given[:3]):
                os.dup2(descriptor, number)
            os.fchdir(given[3])
            client.close()
            server.close()
            os.environ.clear()
            os.environ.update(variables)
            main(arguments)
        for descriptor in given:
            os.close(descriptor)
        client.send(bytes([os.waitstatus_to_exitcode(os.waitpid(working, 0)[1])]))
        os._exit(0)
    client.close()
    for descriptor in given:
        os.close(descriptor)
"""

CLIENT = """
import json, os, socket, sys
address, *arguments = sys.argv[1:]
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect(address)
folder = os.open(".", os.O_PATH)
socket.send_fds(server, [json.dumps([arguments, dict(os.environ)]).encode()], [0, 1, 2, folder])
os._exit(server.recv(1)[0])
"""


def main() -> None:
    """Measure both ways in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="by default %(default)s")
    asked = parser.parse_args()
    os.environ["TMPDIR"] = tempfile.tempdir = asked.folder
    with tempfile.TemporaryDirectory() as name:
        folder, modules, address = Path(name, "repository"), Path(name, "modules"), Path(name, "socket")
        gate = installed(Path(name, "gate"), str(ROOT)) / "gate"
        python = gate.with_name("python")
        make_repository(folder)
        command(folder, gate, *CALL)()
        stage_change(folder)
        command(folder, python, "-I", "-c", LIST_MODULES, *CALL, modules)()
        server = subprocess.Popen((python, "-I", "-c", SERVER, modules, address))
        try:
            while not address.exists():
                time.sleep(0.05)
            calls = {
                "gate": command(folder, gate, *CALL),
                "by a fork server": command(folder, python, "-I", "-S", "-c", CLIENT, address, *CALL),
            }
            measure("five", calls, asked.rounds, folder)
            measure("unchanged", calls, asked.rounds, None)
        finally:
            server.kill()


def measure(name: str, calls: dict[str, Callable[[], object]], rounds: int, changing: Path | None) -> None:
    """Print the medians of both ways, which take turns; a file of the folder ``changing`` changes before each call."""
    times: dict[str, list[float]] = {way: [] for way in calls}
    for _ in range(rounds + 1):
        for way, call in calls.items():
            if changing is not None:
                stage_change(changing)
            times[way].append(measured(call))
    found = {way: statistics.median(seconds[1:]) for way, seconds in times.items()}
    for way, seconds in found.items():
        print(f"{name:<10} {way:<22} {seconds * 1000:8.1f} ms")
    print(f"{name:<10} {'ratio':<22} {found['gate'] / found['by a fork server']:8.2f}")


if __name__ == "__main__":
    main()
