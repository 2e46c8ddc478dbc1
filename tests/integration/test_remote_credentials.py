"""A BuildGrid with TLS, client certificates and tokens serves who has them, and the reason is named to who hasn't."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from remote_repository import Machines, list_notes, was_taken
from secure_grid import GridSecrets, SecureGrid, SecureWorkerGrid

from verigate.composition.remote_credentials import find_credentials
from verigate.domain.remote_server import parse_address
from verigate.errors import UsageError
from verigate.remote.blobs import Digest
from verigate.remote.fault import FaultKind, RemoteFault
from verigate.remote.server import RemoteServer

WITHOUT_CERTIFICATE = {"GATE_REMOTE_CERTIFICATE": "", "GATE_REMOTE_CERTIFICATE_KEY": ""}
SMALL, LARGE = b"small", b"x" * 9_000_000


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureGrid]:
    found = SecureGrid(tmp_path_factory.mktemp("secure"))
    yield found
    found.close()


def open_server(tmp_path: Path, address: str, environ: dict[str, str]) -> RemoteServer:
    parsed = parse_address(address, "test")
    return RemoteServer(parsed, find_credentials(tmp_path, environ, parsed))


@pytest.mark.parametrize("name", ["good", "mutual"])
def test_blobs_and_results_go_over_tls(tmp_path: Path, grid: SecureGrid, name: str) -> None:
    server = open_server(tmp_path, grid.secrets.address(name), grid.secrets.environ())
    blobs = {Digest.of(content): content for content in (SMALL, LARGE)}
    try:
        server.write(blobs)
        assert server.read(list(blobs)) == blobs
        assert server.get_result(Digest.of(b"no action")) is None
    finally:
        server.close()


def test_a_host_name_is_compared_too(tmp_path: Path, grid: SecureGrid) -> None:
    server = open_server(tmp_path, grid.secrets.address("good", "localhost"), grid.secrets.environ())
    assert server.get_result(Digest.of(b"no action")) is None
    server.close()


def test_a_token_without_tls_goes_to_this_machine_only(tmp_path: Path, grid: SecureGrid) -> None:
    proxied = {"GATE_REMOTE_TOKEN": grid.secrets.make_token()}
    server = open_server(tmp_path, grid.address, proxied)
    assert server.get_result(Digest.of(b"no action")) is None
    server.close()
    with pytest.raises(UsageError, match="is another machine without TLS"):
        open_server(tmp_path, "grpc://grid.example.org:50051", proxied)


def test_a_token_to_this_machine_goes_around_proxies(
    tmp_path: Path, grid: SecureGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("grpc_proxy", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = open_server(tmp_path, grid.address, {"GATE_REMOTE_TOKEN": grid.secrets.make_token()})
    assert server.get_result(Digest.of(b"no action")) is None
    server.close()


def _make_faults(secrets: GridSecrets) -> dict[str, tuple[str, dict[str, str], FaultKind, str]]:
    """Name -> the address, what the caller has otherwise, and what is reported."""
    strange, strange_key = secrets.strange_client
    wrong = secrets.folder / "wrong-token"
    wrong.write_text(secrets.make_token(secret="another secret, which the server doesn't have"))
    old = secrets.folder / "old-token"
    old.write_text(secrets.make_token(seconds=-60))
    untrusted, denied = FaultKind.UNTRUSTED, FaultKind.DENIED
    strangers = {"GATE_REMOTE_CERTIFICATE": str(strange), "GATE_REMOTE_CERTIFICATE_KEY": str(strange_key)}
    return {
        "another authority": (
            "good",
            {"GATE_REMOTE_CA": str(secrets.stranger.path)},
            untrusted,
            "unable to get local issuer certificate (GATE_REMOTE_CA names who may issue it)",
        ),
        "no authority": ("good", {"GATE_REMOTE_CA": ""}, untrusted, "unable to get local issuer certificate"),
        "expired": ("expired", {}, untrusted, "its certificate doesn't count: certificate has expired"),
        "another host": ("elsewhere", {}, untrusted, "certificate is not valid for '127.0.0.1'"),
        "no client certificate": ("mutual", WITHOUT_CERTIFICATE, untrusted, "it asks for a client certificate"),
        "a stranger's certificate": ("mutual", strangers, untrusted, "it doesn't accept the client certificate"),
        "no token": (
            "good",
            {"GATE_REMOTE_TOKEN_FILE": "", **WITHOUT_CERTIFICATE},
            denied,
            "(without a token: GATE_REMOTE_TOKEN_FILE names one)",
        ),
        "another token": ("good", {"GATE_REMOTE_TOKEN_FILE": str(wrong)}, denied, "No valid authorization"),
        "an expired token": ("good", {"GATE_REMOTE_TOKEN_FILE": str(old)}, denied, "No valid authorization"),
    }


FAULTS = (
    "another authority",
    "no authority",
    "expired",
    "another host",
    "no client certificate",
    "a stranger's certificate",
    "no token",
    "another token",
    "an expired token",
)


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named(tmp_path: Path, grid: SecureGrid, name: str) -> None:
    place, environ, kind, said = _make_faults(grid.secrets)[name]
    server = open_server(tmp_path, grid.secrets.address(place), grid.secrets.environ(**environ))
    for ask in (lambda: server.get_result(Digest.of(b"no action")), lambda: server.write({Digest.of(SMALL): SMALL})):
        with pytest.raises(RemoteFault) as caught:
            ask()
        assert (caught.value.kind, said in str(caught.value)) == (kind, True), caught.value
    server.close()


def test_a_server_without_tls_is_named(tmp_path: Path, grid: SecureGrid) -> None:
    server = open_server(tmp_path, grid.address.replace("grpc://", "grpcs://"), grid.secrets.environ())
    with pytest.raises(RemoteFault, match="it doesn't speak TLS"):
        server.get_result(Digest.of(b"no action"))
    server.close()


def test_a_token_in_a_file_is_read_for_each_request(tmp_path: Path, grid: SecureGrid) -> None:
    token = tmp_path / "token"
    token.write_text(grid.secrets.make_token(seconds=-60))
    server = open_server(
        tmp_path / "repository", grid.secrets.address("good"), grid.secrets.environ(GATE_REMOTE_TOKEN_FILE=str(token))
    )
    with pytest.raises(RemoteFault, match="refuses this caller"):
        server.get_result(Digest.of(b"no action"))
    token.write_text(grid.secrets.make_token())
    assert server.get_result(Digest.of(b"no action")) is None
    token.unlink()
    with pytest.raises(RemoteFault, match="can't be read"):
        server.get_result(Digest.of(b"no action"))
    server.close()


def test_a_run_shares_results_over_tls_with_a_token(tmp_path: Path, grid: SecureGrid) -> None:
    machines = Machines(tmp_path, grid.secrets.address("mutual"))
    cold = machines.verify(machines.machine("a"), writes="ci", **grid.secrets.environ())
    assert (cold["remote"]["stored"], list_notes(cold)) == (["my:check"], [])
    machine = machines.machine("b")
    warm = machines.verify(machine, **grid.secrets.environ())
    assert (was_taken(warm), list_notes(warm)) == (True, [])
    token = grid.secrets.make_token()
    published = [path.read_text() for path in (machine.root / ".artifacts").rglob("*") if path.is_file()]
    assert not [text for text in published if token.split(".")[0] in text]


@pytest.mark.parametrize(
    "name",
    [each if each in {"expired", "no token"} else pytest.param(each, marks=pytest.mark.release) for each in FAULTS],
)
def test_a_cache_that_is_not_trusted_costs_a_local_run(tmp_path: Path, grid: SecureGrid, name: str) -> None:
    place, environ, _, said = _make_faults(grid.secrets)[name]
    machines = Machines(tmp_path, grid.secrets.address(place))
    run = machines.verify(machines.machine("a"), writes="ci", **grid.secrets.environ(**environ))
    assert not was_taken(run)
    (note,) = list_notes(run)
    assert said in note
    assert note.endswith("this run goes on without it")
    assert run["remote"]["stored"] == []


@pytest.mark.parametrize(
    "name",
    [
        each if each in {"another authority", "another token"} else pytest.param(each, marks=pytest.mark.release)
        for each in FAULTS
    ],
)
def test_an_executor_that_is_not_trusted_is_an_error(tmp_path: Path, grid: SecureGrid, name: str) -> None:
    place, environ, _, said = _make_faults(grid.secrets)[name]
    machines = Machines(tmp_path, grid.secrets.address(place))
    machine = machines.machine("a")
    given = {"CI": "1", **grid.secrets.environ(**environ)}
    done = machine.gate("verify", "--policy-ref", "HEAD", "--executor", machines.address, **given)
    assert (done.code, said in " ".join(done.err.split())) == (3, True), done.output
    assert not machine.has_verdict("implicit")


def test_a_worker_that_is_not_trusted_ends(tmp_path: Path, grid: SecureGrid) -> None:
    refuse_worker(Machines(tmp_path, ""), grid.secrets, "no client certificate")


def refuse_worker(machines: Machines, secrets: GridSecrets, name: str) -> None:
    place, environ, _, said = _make_faults(secrets)[name]
    given = {"GATE_REMOTE_CACHE_KEY": str(machines.keys["ci"]), **secrets.environ(**environ)}
    done = machines.machine(name).gate("worker", "--remote", secrets.address(place), **given)
    assert (done.code, said in " ".join(done.err.split())) == (3, True), done.output


def test_a_server_that_the_judged_tree_names_hears_no_token(tmp_path: Path, grid: SecureGrid) -> None:
    machines = Machines(tmp_path, "off")
    machine = machines.machine("a")
    machine.put("config/cache.json", {"remote": grid.secrets.address("good")})
    given: dict[str, Any] = {"CI": "1", **grid.secrets.environ()}
    done = machine.gate("verify", "--quiet", **given)
    notes = list_notes(machine.published("run.json", "implicit"))
    assert "no credentials are sent to it: without a policy ref" in notes[0], done.output
    assert "No valid authorization" in notes[1]


@pytest.mark.slow
def test_a_worker_and_its_client_speak_tls_with_tokens(tmp_path: Path) -> None:
    grid = SecureWorkerGrid(tmp_path / "grid")
    try:
        address = grid.secrets.address("mutual")
        machines = Machines(tmp_path, address)
        worker = grid.worker(machines.keys["ci"], "--actions", "1", address=address, **grid.secrets.environ())
        given = {"GATE_REMOTE_CACHE": "", "GATE_REMOTE_EXECUTOR": address, "GATE_REMOTE_EXECUTOR_WAIT": "60"}
        run = machines.verify(machines.machine("a"), **given, **grid.secrets.environ())
        assert run["remote"]["executor"]["executed"] == ["my:check"], run["warnings"]
        assert worker.process.wait(timeout=60) == 0, worker.log.read_text()
        refuse_worker(machines, grid.secrets, "another token")
    finally:
        grid.close()


def test_what_is_set_wrongly_is_an_error(tmp_path: Path, grid: SecureGrid) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    inside, empty = repository / "inside.pem", tmp_path / "empty"
    inside.write_bytes(grid.secrets.authority.path.read_bytes())
    (tmp_path / "link").symlink_to(inside)
    empty.touch()
    secret = "a token with blanks"
    cases = [
        ({"GATE_REMOTE_CA": str(inside)}, "lies in the repository"),
        ({"GATE_REMOTE_CA": str(tmp_path / "link")}, "lies in the repository"),
        ({"GATE_REMOTE_CA": "authority.pem"}, "is not the absolute path"),
        ({"GATE_REMOTE_CA": str(empty)}, "is not a PEM file"),
        ({"GATE_REMOTE_CERTIFICATE_KEY": ""}, "needs its key"),
        ({"GATE_REMOTE_CERTIFICATE": ""}, "needs its key"),
        ({"GATE_REMOTE_TOKEN": "x"}, "are both set"),
        ({"GATE_REMOTE_TOKEN_FILE": "", "GATE_REMOTE_TOKEN": secret}, "has no token that a request can carry"),
        ({"GATE_REMOTE_TOKEN_FILE": str(empty)}, "has no token that a request can carry"),
        ({"GATE_REMOTE_TOKEN_FILE": str(tmp_path)}, "is not the absolute path"),
    ]
    for environ, said in cases:
        with pytest.raises(UsageError) as caught:
            open_server(repository, "grpcs://grid.example.org:443", grid.secrets.environ(**environ))
        assert said in caught.value.message
        assert secret not in str(caught.value.faults)
