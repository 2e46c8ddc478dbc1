"""A remote cache serves other machines what a trusted key signed, and a server at fault costs a local run, no more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from build_grid import BuildGrid
from hostile_cache import HostileCache, abort, sleep
from remote_repository import ADAPTER, Machines, list_notes, was_taken

from verigate.domain.remote_call import CacheStage
from verigate.remote.blobs import Digest
from verigate.remote.stubs import grpc, reapi

FLAKY = ADAPTER.replace('"$(cat work.txt)"', '"$(head -c 9 /proc/uptime)"')
LARGE = 9 * 1_048_576


@pytest.fixture
def server() -> Iterator[HostileCache]:
    found = HostileCache()
    yield found
    found.close()


@pytest.fixture
def machines(tmp_path: Path, server: HostileCache) -> Machines:
    return Machines(tmp_path, server.address)


def test_another_machine_takes_what_a_trusted_key_signed(machines: Machines, server: HostileCache) -> None:
    first = machines.verify(machines.machine("a"), writes="ci")
    assert not was_taken(first)
    assert first["remote"]["stored"] == ["my:check"]
    second = machines.machine("elsewhere/b")
    run = machines.verify(second)
    assert was_taken(run)
    assert list_notes(run) == []
    assert second.published("words.json", "implicit") == {"words": "two"}
    assert (second.root / ".artifacts/implicit/logs/my.check.out").read_text() == "looked at work.txt\n"
    assert 0 < run["remote"]["received_bytes"] < 10_000
    assert not any(name.startswith(("Update", "Write", "BatchUpdate")) for name in server.asked[-4:])


def test_what_declares_no_inputs_stays_and_says_so(tmp_path: Path, server: HostileCache) -> None:
    machines = Machines(tmp_path, server.address)
    manifest = machines.origin.sample.path / "adapters/my/manifest.json"
    document = json.loads(manifest.read_text())
    other = {key: value for key, value in document["capabilities"][0].items() if key != "inputs"}
    document["capabilities"].append({**other, "name": "my:other"})
    manifest.write_text(json.dumps(document))
    entry = {"order": ["my:check", "my:other"], "required": ["my:check"], "optional": ["my:other"]}
    machines.origin.put("config/adapter-plan.json", {"facts": entry, "code": entry})
    machines.origin.sample.commit("one reads what it wants")
    run = machines.verify(machines.machine("a"), writes="ci")
    assert run["remote"]["local"] == {"my:other": "its manifest declares no inputs"}
    assert run["remote"]["stored"] == ["my:check"]


def test_the_verdict_is_the_same_bytes_outside_of_its_metadata(machines: Machines) -> None:
    found = []
    for name, writes in (("a", "ci"), ("b", None)):
        machine = machines.machine(name)
        machines.verify(machine, writes=writes)
        verdict = machine.verdict("implicit")
        del verdict["metadata"]
        found.append(verdict)
    assert found[0] == found[1]


@pytest.mark.release
def test_another_input_adapter_or_claimed_variable_is_another_action(machines: Machines) -> None:
    machines.verify(machines.machine("a"), writes="ci")
    assert not was_taken(machines.verify(machines.machine("b", "three")))
    other = machines.machine("c")
    other.sample.write("adapters/my/run", ADAPTER + "# more\n", executable=True)
    other.sample.commit("another adapter")
    other.put("more.md", "not an input\n")
    assert not was_taken(machines.verify(other))
    unrelated = machines.machine("d")
    unrelated.put("more.md", "not an input\n")
    assert was_taken(machines.verify(unrelated))


@pytest.mark.release
def test_no_cache_runs_it_and_voids_what_differs(tmp_path: Path, server: HostileCache) -> None:
    machines = Machines(tmp_path, server.address, adapter=FLAKY)
    machines.verify(machines.machine("a"), writes="ci")
    assert was_taken(machines.verify(machines.machine("b")))
    assert not was_taken(machines.verify(machines.machine("c"), "--no-cache", writes="ci"))
    run = machines.verify(machines.machine("d"), writes="ci")
    assert not was_taken(run)
    assert run["remote"]["stored"] == []


@pytest.mark.release
def test_what_differs_from_what_was_found_here_is_not_taken(tmp_path: Path, server: HostileCache) -> None:
    machines = Machines(tmp_path, server.address, adapter=FLAKY)
    machine = machines.machine("a")
    machines.verify(machine)
    machines.verify(machines.machine("b"), writes="ci")
    # CI doesn't use the evidence cache of its own machine.
    assert not list(machine.home.glob(".cache/verigate/evidence"))
    run = machines.verify(machine)
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "differs from what was found before" in note


def test_a_developers_key_never_serves_ci(machines: Machines) -> None:
    machines.verify(machines.machine("a"), writes="developer", stage=CacheStage.LOCAL)
    assert was_taken(machines.verify(machines.machine("b"), stage=CacheStage.LOCAL))
    assert not was_taken(machines.verify(machines.machine("c")))
    # The same key in CI, where it signs as CI: it isn't listed for that.
    machines.verify(machines.machine("d"), writes="developer")
    run = machines.verify(machines.machine("e"))
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "a result that doesn't count: signed by developer@example.org" in note


@pytest.mark.release
def test_ci_serves_developers(machines: Machines) -> None:
    machines.verify(machines.machine("a"), writes="ci")
    assert was_taken(machines.verify(machines.machine("b"), stage=CacheStage.LOCAL))


def test_only_the_policy_refs_keys_count(machines: Machines) -> None:
    machines.verify(machines.machine("a"), writes="stranger")
    machine = machines.machine("b")
    machine.put("config/allowed-signers", machines.list_signers(("ci", "developer", "stranger")))
    run = machines.verify(machine, code=1)  # the change touches policy files
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "no allowed signer has this key" in note


def test_a_key_that_the_policy_no_longer_lists_does_not_count(machines: Machines) -> None:
    machines.verify(machines.machine("a"), writes="ci")
    machine = machines.machine("b")
    machine.put("config/allowed-signers", machines.list_signers(("developer",)))
    machine.sample.git("commit", "-qm", "Remove a key", "--", "config")
    run = machines.verify(machine)
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "no allowed signer has this key" in note


def _unsigned(server: HostileCache) -> None:
    for result in server.results.values():
        kept = [each for each in result.output_files if not each.path.endswith(".sig")]
        del result.output_files[:]
        result.output_files.extend(kept)


def _bare(server: HostileCache) -> None:
    """What a client of another tool would store: artifacts without any statement."""
    for digest in server.results:
        server.results[digest] = reapi.ActionResult(exit_code=0)


def _wrong_blob(server: HostileCache) -> None:
    server.change_blob = lambda _digest, content: content.replace(b"two", b"2.0") if b"words" in content else content


def _cut_blob(server: HostileCache) -> None:
    server.change_blob = lambda _digest, content: content[:-1]


def _changed_statement(server: HostileCache) -> None:
    for result in server.results.values():
        for each in result.output_files:
            if each.path == "verigate/statement.json":
                found = server.blobs[Digest(each.digest.hash, each.digest.size_bytes)]
                forged = found.replace(b'"gate":', b'"Gate":')
                digest = Digest.of(forged)
                server.blobs[digest] = forged
                each.digest.hash, each.digest.size_bytes = digest


def _no_content(server: HostileCache) -> None:
    for digest in [digest for digest, content in server.blobs.items() if content.startswith(b'{"words"')]:
        del server.blobs[digest]


def _huge(server: HostileCache) -> None:
    for result in server.results.values():
        for each in result.output_files:
            each.digest.size_bytes = 1 << 40


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (_unsigned, "a result without a signed statement"),
        pytest.param(_bare, "a result without a signed statement", marks=pytest.mark.release),
        (_wrong_blob, "another blob came for"),
        pytest.param(_cut_blob, "another blob came for", marks=pytest.mark.release),
        pytest.param(_changed_statement, "a result that doesn't count", marks=pytest.mark.release),
        pytest.param(_no_content, None, marks=pytest.mark.release),
        pytest.param(_huge, "no digest, or is too large", marks=pytest.mark.release),
    ],
)
def test_a_lying_server_costs_a_local_run(
    machines: Machines, server: HostileCache, lie: Callable[[HostileCache], None], said: str | None
) -> None:
    machines.verify(machines.machine("a"), writes="ci")
    lie(server)
    machine = machines.machine("b")
    run = machines.verify(machine)
    assert not was_taken(run)
    assert machine.published("words.json", "implicit") == {"words": "two"}
    notes = list_notes(run)
    assert (len(notes), said is None or said in notes[0]) == (0 if said is None else 1, True), notes


def test_the_result_of_another_action_is_refused(machines: Machines, server: HostileCache) -> None:
    machines.verify(machines.machine("a"), writes="ci")
    (result,) = server.results.values()
    server.find_result = lambda _digest: result
    machine = machines.machine("b", "three")
    run = machines.verify(machine)
    assert not was_taken(run)
    assert machine.published("words.json", "implicit") == {"words": "three"}
    (note,) = list_notes(run)
    assert "of another action" in note


@pytest.mark.release
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (abort(grpc.StatusCode.UNAVAILABLE), "can't be reached"),
        pytest.param(abort(grpc.StatusCode.INTERNAL, "GetActionResult"), "refuses", marks=pytest.mark.release),
        pytest.param(abort(grpc.StatusCode.UNAUTHENTICATED), "refuses", marks=pytest.mark.release),
        (abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "BatchUpdateBlobs"), "has no room"),
        pytest.param(
            abort(grpc.StatusCode.PERMISSION_DENIED, "UpdateActionResult"), "refuses", marks=pytest.mark.release
        ),
        pytest.param(
            abort(grpc.StatusCode.UNAVAILABLE, "BatchUpdateBlobs"), "can't be reached", marks=pytest.mark.release
        ),
    ],
)
def test_a_server_at_fault_is_reported_once(
    machines: Machines, server: HostileCache, fault: Callable[[str, Any], None], said: str
) -> None:
    server.fault = fault
    run = machines.verify(machines.machine("a"), writes="ci")
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert said in note
    assert note.endswith("this run goes on without it")
    assert (server.results, run["remote"]["stored"]) == ({}, [])


@pytest.mark.parametrize("executor", [(), ("--executor", "local:2")])
def test_a_range_reports_what_is_wrong_with_a_server_once(machines: Machines, executor: tuple[str, ...]) -> None:
    machine = machines.machine("a")
    for number in range(2):
        machine.put("notes.txt", f"{number}")
        machine.sample.commit(f"Note {number}")
    given = ("--range", "HEAD~2..HEAD", "--policy-ref", "HEAD")
    done = machine.gate("verify", *given, *executor, GATE_REMOTE_CACHE="grpc://127.0.0.1:9")
    assert done.code == 4, done.output  # no rule decides anything
    (note,) = [line for line in done.output.splitlines() if "warning: remote cache" in line]
    assert "this run goes on without it" in " ".join(done.output.split()), note


def test_a_key_that_cannot_sign_is_reported_and_stores_nothing(machines: Machines, server: HostileCache) -> None:
    machines.keys["broken"] = machines.keys["ci"].with_name("broken.key")
    machines.keys["broken"].write_text("no key\n")
    run = machines.verify(machines.machine("a"), writes="broken")
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "nothing is stored: the key can't sign" in " ".join(note.split())
    assert server.results == {}


@pytest.mark.slow
def test_a_slow_server_costs_one_deadline(machines: Machines, server: HostileCache) -> None:
    server.fault = sleep(20)
    run = machines.verify(machines.machine("a"), writes="ci")
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert "is too slow" in note
    assert (run["remote"]["requests"], server.asked) == (1, ["GetActionResult"])


@pytest.mark.release
@pytest.mark.slow
def test_large_blobs_go_by_streams_and_a_cut_stream_stores_nothing(tmp_path: Path, server: HostileCache) -> None:
    machines = Machines(tmp_path, server.address)
    text = "x" * LARGE
    parts = iter(range(100))

    def cut(name: str, context: Any) -> None:
        if name == "Write" and next(parts) == 3:
            context.abort(grpc.StatusCode.UNAVAILABLE, "the server restarts")

    server.fault = cut
    run = machines.verify(machines.machine("a", text), writes="ci")
    assert (list_notes(run)[0].count("can't be reached"), server.results) == (1, {})
    server.fault = lambda _name, _context: None
    run = machines.verify(machines.machine("b", text), writes="ci")
    assert (run["remote"]["stored"], run["remote"]["sent_bytes"] > LARGE) == (["my:check"], True)
    machine = machines.machine("c", text)
    run = machines.verify(machine)
    assert was_taken(run)
    assert "Read" in server.asked
    assert machine.published("words.json", "implicit") == {"words": text}
    server.change_blob = lambda digest, content: content[:-1] + b"!" if digest.size > LARGE else content
    assert not was_taken(machines.verify(machines.machine("d", text)))


@pytest.mark.release
def test_a_configured_cache_is_the_policy_refs(machines: Machines, server: HostileCache) -> None:
    machines.origin.put("config/cache.json", {"remote": server.address})
    machines.origin.sample.commit("a remote cache")
    machines.verify(machines.machine("a"), writes="ci")
    machine = machines.machine("b")
    machine.put("config/cache.json", {"remote": "grpc://127.0.0.1:1", "mode": "read"})
    run = machines.verify(machine, code=1, GATE_REMOTE_CACHE="")  # the change touches policy files
    assert (run["remote"]["server"], was_taken(run)) == (server.address, True)
    done = machine.gate("verify", "--quiet", "--policy-ref", "HEAD", GATE_REMOTE_CACHE="off")
    assert "remote" not in machine.published("run.json", "implicit"), done.output


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"GATE_REMOTE_CACHE": "http://x"}, "is not the address of a server"),
        ({"GATE_REMOTE_CACHE": "grpc://h:1/blobs"}, "reserves a word"),
        ({"GATE_REMOTE_CACHE_MODE": "write"}, "there is no mode"),
        ({"GATE_REMOTE_CACHE_MODE": "read-write"}, "need a key"),
        ({"GATE_REMOTE_CACHE_MODE": "read-write", "GATE_REMOTE_CACHE_KEY": "work.txt"}, "absolute path of a key"),
    ],
)
def test_what_is_configured_wrongly_is_an_error(machines: Machines, environ: dict[str, str], said: str) -> None:
    given = {"GATE_REMOTE_CACHE": machines.address, **environ}
    done = machines.machine("a").gate("verify", "--policy-ref", "HEAD", **given)
    assert (done.code, said in done.err) == (2, True), done.output


@pytest.mark.slow
def test_a_real_server_whose_disk_is_full_stores_nothing(tmp_path: Path) -> None:
    grid = BuildGrid(tmp_path / "grid", "team", disk_kib=1024)
    try:
        machines = Machines(tmp_path, grid.address)
        # In a batch, and as a stream.
        for name, text in (("batch", "x" * 2_000_000), ("stream", "y" * LARGE)):
            run = machines.verify(machines.machine(name, text), writes="ci")
            (note,) = list_notes(run)
            assert "it has no room" in note, note
            assert run["remote"]["stored"] == []
            assert not was_taken(machines.verify(machines.machine(f"{name}-next", text)))
        # What fits is stored nevertheless.
        assert machines.verify(machines.machine("small"), writes="ci")["remote"]["stored"] == ["my:check"]
        assert was_taken(machines.verify(machines.machine("small-next")))
    finally:
        grid.close()


@pytest.mark.slow
def test_a_real_server_serves_restarts_and_loses_what_it_had(tmp_path: Path) -> None:
    grid = BuildGrid(tmp_path / "grid", "team")
    try:
        machines = Machines(tmp_path, grid.address)
        text = "x" * LARGE
        cold = machines.verify(machines.machine("a", text), writes="ci")
        assert (cold["remote"]["stored"], list_notes(cold)) == (["my:check"], [])
        machine = machines.machine("b", text)
        warm = machines.verify(machine)
        assert (was_taken(warm), list_notes(warm)) == (True, [])
        assert machine.published("words.json", "implicit") == {"words": text}
        assert warm["remote"]["sent_bytes"] < 2_000 < LARGE < warm["remote"]["received_bytes"]
        # A blob that rots on its disk.
        (large,) = [path for path in grid.blobs() if path.stat().st_size > LARGE]
        content = large.read_bytes()
        large.chmod(0o644)
        large.write_bytes(content[:-1] + b"!")
        run = machines.verify(machines.machine("c", text))
        assert not was_taken(run)
        assert "another blob came" in list_notes(run)[0]
        large.unlink()
        assert not was_taken(machines.verify(machines.machine("d", text)))
        grid.kill()
        run = machines.verify(machines.machine("e", text), writes="ci")
        assert not was_taken(run)
        (note,) = list_notes(run)
        assert "can't be reached" in note
        grid.start()  # its results were in memory, its blobs on disk
        run = machines.verify(machines.machine("f", text), writes="ci")
        assert (was_taken(run), run["remote"]["stored"], list_notes(run)) == (False, ["my:check"], [])
        assert was_taken(machines.verify(machines.machine("g", text)))
    finally:
        grid.close()
