"""What needs the network, a path or a variable is executed by workers that offer just that, and never shared."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gated_repository import GatedRepository
from hostile_executor import HostileExecutor, end
from link_server import link_server
from remote_repository import Machines
from shell_adapter import shell_adapter
from worker_grid import WorkerGrid

from verigate.remote.action import from_message
from verigate.remote.stubs import reapi

SECRET = "correct-horse-battery-staple"
GRANTS = {
    "bind": [{"path": "/opt", "reason": "the socket of a service"}],
    "env": [{"name": "SHOP_TOKEN", "reason": "the tests log in"}],
}
NEEDS = ["bind:/opt:ro", "env:SHOP_TOKEN"]
WITH_SECRET = shell_adapter(
    'echo "logged in with $SHOP_TOKEN"',
    """printf '{"words": "%s %s"}' "$(cat work.txt)" "${#SHOP_TOKEN}" > "$folder/words.json\"""",
)


class Greeter:
    """A service on loopback of this machine that says the same to everybody."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.greeted = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            with peer:
                self.greeted += 1
                peer.sendall(b"hello")

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def greeter() -> Iterator[Greeter]:
    found = Greeter()
    yield found
    found.close()


def asks(greeter: Greeter) -> str:
    """An adapter that asks the service, for as long as ``work.txt`` is what it is."""
    ask = f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{greeter.port} && cat <&3'"
    return shell_adapter(f"said=$({ask})", """printf '{"words": "%s"}' "$said" > "$folder/words.json\"""")


def make(tmp_path: Path, address: str, adapter: str, *, network: bool = False, grants: Any = None) -> Machines:
    machines = Machines(tmp_path, address, adapter=adapter)
    path = machines.origin.sample.path / "adapters/my/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["sandbox"] |= {"network": network, "tools": ["cat", "bash"]}
    machines.origin.put("adapters/my/manifest.json", manifest)
    if grants is not None:
        machines.origin.put("config/sandbox.json", {"my": grants})
    machines.origin.sample.commit("what it needs")
    return machines


def install(machines: Machines, folder: Path) -> dict[str, str]:
    """Install the adapter on a worker's machine; return the worker's variables."""
    shutil.copytree(machines.origin.sample.path / "adapters/my", folder / "my")
    return {"GATE_ADAPTER_PATH": str(folder)}


def verify(machines: Machines, machine: GatedRepository, offers: str, **environ: str) -> dict[str, Any]:
    given = {"GATE_REMOTE_EXECUTOR_WAIT": "30", **environ}
    if offers:
        given["GATE_REMOTE_EXECUTOR_OFFERS"] = offers
    return machines.verify(machine, "--executor", machines.address, GATE_REMOTE_CACHE="", **given)


def list_executed(run: dict[str, Any]) -> list[str]:
    found: list[str] = run["remote"]["executor"]["executed"]
    return found


def list_notes(run: dict[str, Any]) -> list[str]:
    return [note for note in run["warnings"] if note.startswith("remote executor")]


@pytest.mark.slow
def test_a_worker_that_offers_the_network_uses_its_own_each_time(
    tmp_path: Path, started: WorkerGrid, greeter: Greeter
) -> None:
    machines = make(tmp_path, started.address, asks(greeter), network=True)
    worker = started.worker(machines.keys["ci"], "--offer", "network", **install(machines, tmp_path / "installed"))
    proxies = {"https_proxy": "http://nowhere.invalid:1"}  # as only the client has it
    for name, greeted in (("a", 1), ("b", 2)):
        machine = machines.machine(name)
        run = verify(machines, machine, "network", **proxies)
        assert (list_executed(run), list_notes(run)) == (["my:check"], []), worker.log.read_text()
        assert machine.published("words.json", "implicit") == {"words": "hello"}
        # What a network says today is for nobody else: no cache has it.
        assert (greeter.greeted, run["remote"]["taken"], run["remote"]["stored"]) == (greeted, [], [])
    assert run["invocations"][0]["sandbox"]["network"] is True


@pytest.mark.slow
def test_a_worker_that_offers_nothing_gets_nothing_to_do(tmp_path: Path, started: WorkerGrid, greeter: Greeter) -> None:
    machines = make(tmp_path, started.address, asks(greeter), network=True)
    worker = started.worker(machines.keys["ci"], **install(machines, tmp_path / "installed"))
    machine = machines.machine("a")
    run = verify(machines, machine, "network", GATE_REMOTE_EXECUTOR_WAIT="3")
    (note,) = list_notes(run)
    assert "no worker began within 3 seconds" in note
    assert machine.published("words.json", "implicit") == {"words": "hello"}
    assert "my:check" not in worker.log.read_text()


@pytest.mark.slow
def test_a_secret_is_the_workers_own_and_in_no_message(tmp_path: Path, started: WorkerGrid) -> None:
    machines = make(tmp_path, started.address, WITH_SECRET, grants=GRANTS)
    offers = [argument for need in NEEDS for argument in ("--offer", need)]
    installed = install(machines, tmp_path / "installed")
    worker = started.worker(machines.keys["ci"], *offers, SHOP_TOKEN=SECRET, **installed)
    machine = machines.machine("a")
    run = verify(machines, machine, ",".join(NEEDS))
    assert (list_executed(run), list_notes(run)) == (["my:check"], []), worker.log.read_text()
    assert machine.published("words.json", "implicit") == {"words": f"two {len(SECRET)}"}
    assert run["invocations"][0]["sandbox"]["missing"] == []
    log = (machine.root / ".artifacts/implicit/logs/my.check.out").read_text()
    assert "logged in with" in log
    stored = b"".join(path.read_bytes() for path in (started.folder / "cas").rglob("*") if path.is_file())
    assert b"logged in with" in stored
    for content in (log, stored.decode("latin-1"), worker.log.read_text()):
        assert SECRET not in content


@pytest.mark.slow
def test_only_an_adapter_that_is_installed_there_gets_what_a_worker_offers(tmp_path: Path, started: WorkerGrid) -> None:
    machines = make(tmp_path, started.address, WITH_SECRET, grants=GRANTS)
    installed = install(machines, tmp_path / "installed")
    offers = [argument for need in NEEDS for argument in ("--offer", need)]
    started.worker(machines.keys["ci"], *offers, SHOP_TOKEN=SECRET, **installed)
    stolen = WITH_SECRET.replace("${#SHOP_TOKEN}", "$SHOP_TOKEN")
    assert stolen != WITH_SECRET
    machines.origin.sample.write("adapters/my/run", stolen, executable=True)
    machines.origin.sample.commit("an adapter that passes the secret on")
    machine = machines.machine("a")
    run = verify(machines, machine, ",".join(NEEDS))
    (note,) = list_notes(run)
    assert "to adapters that are installed here, not to its own" in note
    assert machine.published("words.json", "implicit") == {"words": "two "}


@pytest.mark.slow
def test_links_are_checked_by_a_worker_with_a_network(tmp_path: Path, started: WorkerGrid) -> None:
    machines = make(tmp_path, started.address, WITH_SECRET)
    wanted = ["links:discover", "links:check"]
    entry = {"order": wanted, "required": wanted, "optional": []}
    machines.origin.put("config/adapter-plan.json", {"facts": entry, "code": entry})
    with link_server() as site:
        machines.origin.put("README.md", f"[there]({site.url}/ok), [gone]({site.url}/gone), [here](work.txt)")
        machines.origin.sample.commit("links")
        worker = started.worker(machines.keys["ci"], "--offer", "network")
        machine = machines.machine("a")
        run = verify(machines, machine, "network")
        asked = sum(site.asked.values())
        there = machine.published("links/statuses.json", "implicit")
        machine.gate("verify", "--quiet", "--no-cache", CI="1")
    assert list_executed(run) == ["links:check"], (list_notes(run), worker.log.read_text())
    assert sorted(there.values()) == [200, 200, 404]
    assert asked
    assert machine.published("links/statuses.json", "implicit") == there


@pytest.fixture
def server() -> Iterator[HostileExecutor]:
    found = HostileExecutor()
    found.stages = lambda action, _: iter([end(action, reapi.ActionResult(), 9, "not here")])
    yield found
    found.close()


@pytest.mark.parametrize("offers", ["", "env:OTHER bind:/opt:rw", "env:SHOP_TOKEN"])
def test_what_no_worker_offers_stays_here(tmp_path: Path, server: HostileExecutor, offers: str) -> None:
    machines = make(tmp_path, server.address, WITH_SECRET, grants=GRANTS)
    run = verify(machines, machines.machine("a"), offers, SHOP_TOKEN=SECRET)
    (reason,) = run["remote"]["local"].values()
    assert "which no worker offers (GATE_REMOTE_EXECUTOR_OFFERS)" in reason
    assert ("env:SHOP_TOKEN" in reason) is (offers != "env:SHOP_TOKEN")
    assert "Execute" not in server.asked


def test_each_call_with_needs_is_an_action_of_its_own(tmp_path: Path, server: HostileExecutor) -> None:
    machines = make(tmp_path, server.address, WITH_SECRET, network=True, grants=GRANTS)
    for name in ("a", "b"):
        run = verify(machines, machines.machine(name), "network,env:SHOP_TOKEN,bind:/opt:rw", SHOP_TOKEN=SECRET)
        (note,) = list_notes(run)
        assert "a worker refused: not here" in note
    actions = [reapi.Action.FromString(server.blobs[digest]) for digest in server.executed]
    assert len({action.salt for action in actions}) == len(actions) == 2
    for action in actions:
        assert action.do_not_cache
        needs = [each.value for each in action.platform.properties if each.name == "verigate.needs"]
        assert needs == ["bind:/opt:ro", "env:SHOP_TOKEN", "network"]
        command = reapi.Command.FromString(server.blobs[from_message(action.command_digest)])
        assert "SHOP_TOKEN" not in {each.name for each in command.environment_variables}
    assert not any(SECRET.encode() in content for content in server.blobs.values())


def test_what_is_no_offer_is_an_error(tmp_path: Path, server: HostileExecutor) -> None:
    machines = make(tmp_path, server.address, WITH_SECRET, grants=GRANTS)
    machine = machines.machine("a")
    given = {"CI": "1", "GATE_REMOTE_EXECUTOR_OFFERS": "everything"}
    done = machine.gate("verify", "--executor", server.address, "--policy-ref", "HEAD", **given)
    assert (done.code, "'everything' is nothing that a worker can offer" in done.err) == (2, True), done.output


@pytest.mark.parametrize(
    ("offer", "said"),
    [("env:SHOP_TOKEN", "has no SHOP_TOKEN"), ("bind:/nowhere", "has no /nowhere"), ("all", "nothing that a worker")],
)
def test_a_worker_offers_what_it_has(tmp_path: Path, server: HostileExecutor, offer: str, said: str) -> None:
    machines = make(tmp_path, server.address, WITH_SECRET)
    given = {"GATE_REMOTE_CACHE_KEY": str(machines.keys["ci"])}
    done = machines.origin.gate("worker", "--remote", server.address, "--offer", offer, cwd=tmp_path, **given)
    assert (done.code, said in done.err) == (2, True), done.output
