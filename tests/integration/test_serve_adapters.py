"""Adapters that are sent to a server: installed if they conform, in the sandbox, and found by its commands.

Starts git, sh, bubblewrap, strace and the gate, which checks, lists and serves.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import served
from served_client import BASE, GATE, TOKEN, client_of

from verigate.composition.serve import make_site
from verigate.errors import EvidenceError, UsageError
from verigate.serve.installed_adapters import ForeignError, InstalledAdapters
from verigate.serve.web.access import Access

ROOT = Path(__file__).resolve().parents[2]
API = "/api/v1"
BEARER = {"authorization": f"Bearer {TOKEN}"}
TAR = {**BEARER, "content-type": "application/x-tar"}
DEBT = ROOT / "examples/adapters/debt"


def pack(files: Mapping[str, tuple[bytes, int]]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, (content, mode) in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


def read_files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def with_manifest(**changed: Any) -> dict[str, tuple[bytes, int]]:
    manifest = {**json.loads((DEBT / "manifest.json").read_bytes()), **changed}
    return {**read_files(DEBT), "manifest.json": (json.dumps(manifest).encode(), 0o644)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Server]:
    folder = tmp_path_factory.mktemp("adapters")
    (folder / "shop/.artifacts").mkdir(parents=True)
    (folder / "home").mkdir()
    arguments = ("--root", str(folder / "shop"), "--adapters", str(folder / "installed"))
    with served.start(
        folder / "shop", home=folder / "home", arguments=arguments, environ={"GATE_SERVE_TOKEN": TOKEN}
    ) as found:
        found.output.append(str(folder))
        yield found


def folder_of(server: served.Server) -> Path:
    return next(Path(line) for line in server.output if line.startswith("/"))


def list_installed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


@contextmanager
def opened(tmp_path: Path, adapters: Path, folders: Sequence[Path] = (), **environ: str) -> Iterator[InstalledAdapters]:
    """What a server of the repository ``shop``, or of those below ``folders``, installs into."""
    (tmp_path / "shop/.artifacts").mkdir(parents=True, exist_ok=True)
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], **environ}
    repository = None if folders else tmp_path / "shop"
    access = Access("127.0.0.1", 8642, TOKEN)
    site = make_site(access, environ, GATE, repository=repository, folders=folders, rebuild=False, adapters=adapters)
    assert site.installed is not None
    try:
        yield site.installed
    finally:
        site.clean()


def unpack(installed: InstalledAdapters, name: str, files: Mapping[str, tuple[bytes, int]]) -> Path:
    with installed.receive() as folder:
        (folder / "archive.tar").write_bytes(pack(files))
        return installed.unpack(name, folder / "archive.tar")


def put(server: served.Server, name: str, files: Mapping[str, tuple[bytes, int]]) -> served.Answer:
    return server.ask(f"{API}/adapters/{name}", "PUT", pack(files), TAR)  # type: ignore[arg-type] # bytes go as they are


def list_adapters(server: served.Server) -> set[tuple[str, str]]:
    found = json.loads(server.ask(f"{API}/repositories/shop/adapters/reload", "POST", headers=BEARER).body)
    return {(each["name"], each["origin"]) for each in found["adapters"]}


@pytest.mark.slow
def test_what_conforms_is_installed_and_can_be_removed(server: served.Server) -> None:
    begun = put(server, "debt", read_files(DEBT))
    assert begun.status == 202, begun
    again = put(server, "debt", read_files(DEBT))
    assert (again.status, "checked already" in again.text) == (409, True)
    assert ("debt", "path") not in list_adapters(server)
    run = server.wait_for(begun.headers["location"], "state", "ended", within_s=120)
    assert (run["exit_code"], run["problem"]) == (0, ""), run
    assert json.loads(run["output"])["conditions"]["sandbox"] in {"bubblewrap", "namespaces"}, run["output"]
    assert ("debt", "path") in list_adapters(server)
    place = folder_of(server) / "installed"
    assert read_files(place / "debt").keys() == read_files(DEBT).keys()
    assert (place / "debt/bin/adapter-debt").stat().st_mode & 0o7777 == 0o755
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []
    removed = server.ask(f"{API}/adapters/debt", "DELETE", headers=BEARER)
    assert (removed.status, json.loads(removed.body)) == (200, {"adapter": "debt"})
    assert ("debt", "path") not in list_adapters(server)
    assert server.ask(f"{API}/adapters/debt", "DELETE", headers=BEARER).status == 404


@pytest.mark.slow
def test_what_does_not_conform_is_not_installed(server: served.Server) -> None:
    files = {**read_files(DEBT), "bin/adapter-debt": (b"#!/bin/sh\necho '{}' >debt.json\nexit 7\n", 0o755)}
    begun = put(server, "debt", files)
    assert begun.status == 202, begun
    run = server.wait_for(begun.headers["location"], "state", "ended", within_s=120)
    assert run["exit_code"] == 1, run
    assert "not installed" in run["problem"]
    assert not (folder_of(server) / "installed/debt").exists()
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("debt", {"debt/manifest.json": (b"{}", 0o644)}, "no manifest.json at the top"),
        ("debt", {"manifest.json": (b"{", 0o644)}, "not a manifest"),
        ("debt", {"manifest.json": (b"{}", 0o644)}, "not a manifest"),
        ("other", read_files(DEBT), "calls itself 'debt'"),
        ("debt", with_manifest(capabilities=["code:tests"]), "a built-in adapter has code:tests already"),
        ("debt", with_manifest(capabilities=[{"name": "bandit:scan"}]), "a built-in adapter has bandit:scan"),
        # By its name an adapter is configured, and given what config/sandbox.json opens.
        ("code", with_manifest(name="code"), "a built-in adapter is called code already"),
        ("bandit", with_manifest(name="bandit"), "a built-in adapter is called bandit already"),
        # Discovery reads these as well: as definitions of capabilities, or as tools.
        (
            "debt",
            {**read_files(DEBT), "more.toml": (b'[urn.tags]\nop = "tests"\n', 0o644)},
            "'more.toml' is at the top",
        ),
        ("debt", {**read_files(DEBT), "more.TOML": (b"[", 0o644)}, "'more.TOML' is at the top"),
        ("debt", {**read_files(DEBT), "../../evil": (b"x", 0o755)}, "leads elsewhere"),
    ],
)
def test_what_can_not_be_taken_is_refused_before_anything_runs(
    server: served.Server, name: str, files: Mapping[str, tuple[bytes, int]], said: str
) -> None:
    refused = put(server, name, files)
    assert (refused.status, said in json.loads(refused.body)["detail"]) == (422, True), refused
    assert list_installed(folder_of(server) / "installed") == []
    assert list((folder_of(server) / "installed.incoming").iterdir()) == []


def test_only_a_server_that_was_asked_to_takes_adapters(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    path = f"{API}/adapters/debt"
    for read_only in (False, True):
        with client_of(tmp_path / "shop", tmp_path, read_only=read_only) as client:
            assert "installAdapter" not in client.get(f"{API}/openapi.json").text
            for method in ("PUT", "DELETE"):
                assert client.request(method, path, headers=TAR, content=b"x").status_code == 403
    with client_of(tmp_path / "shop", tmp_path) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}):
            assert client.put(path, headers=headers, content=b"x").status_code == 401
        assert client.delete(path, headers={**BEARER, "origin": f"{BASE}0"}).status_code == 403


def test_only_what_was_installed_is_removed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with opened(tmp_path, tmp_path / "installed") as installed:
        for name in ("..", ".", "", "../kept", "none", "a/b"):
            assert not installed.remove(name), name
        (tmp_path / "installed/link").symlink_to(tmp_path / "kept")
        (tmp_path / "installed/notes").mkdir()
        (tmp_path / "installed/notes/mine.txt").write_text("x")
        for name in ("link", "notes"):
            with pytest.raises(ForeignError):
                installed.remove(name)
            with pytest.raises(ForeignError):
                unpack(installed, name, with_manifest(name=name))
        installed.put("debt", unpack(installed, "debt", read_files(DEBT)))
        # Another folder of a name that was installed is somebody's own.
        (tmp_path / "installed/debt").rename(tmp_path / "installed/later")
        (tmp_path / "installed/debt").mkdir()
        shutil.rmtree(tmp_path / "installed/later")
        with pytest.raises(ForeignError):
            installed.remove("debt")
    assert (tmp_path / "kept").is_dir()
    assert (tmp_path / "installed/notes/mine.txt").exists()


def test_what_was_installed_can_be_replaced_and_removed_by_the_next_server(tmp_path: Path) -> None:
    for _ in range(2):
        with opened(tmp_path, tmp_path / "installed") as installed:
            installed.put("debt", unpack(installed, "debt", read_files(DEBT)))
    with opened(tmp_path, tmp_path / "installed") as installed:
        assert installed.remove("debt")
        assert not installed.remove("debt")
    assert list_installed(tmp_path / "installed") == []


def test_over_http_what_somebody_put_there_stays(server: served.Server) -> None:
    place = folder_of(server) / "installed/notes"
    place.mkdir()
    try:
        removed = server.ask(f"{API}/adapters/notes", "DELETE", headers=BEARER)
        replaced = put(server, "notes", with_manifest(name="notes"))
        assert (removed.status, replaced.status) == (409, 409), (removed, replaced)
        assert "was not installed by a server" in removed.text
        assert place.is_dir()
    finally:
        place.rmdir()


def test_no_other_adapters_name_or_capability_is_taken(tmp_path: Path) -> None:
    shutil.copytree(DEBT, tmp_path / "installed/by-hand")
    other = tmp_path / "elsewhere/path"
    own = tmp_path / "shop/adapters/own"
    for folder, name in ((other, "path"), (own, "own")):
        folder.mkdir(parents=True)
        manifest = {"name": name, "version": "1", "entry": "run", "capabilities": [f"{name}:look"]}
        (folder / "manifest.json").write_text(json.dumps(manifest))
    with opened(tmp_path, tmp_path / "installed", GATE_ADAPTER_PATH=str(other.parent)) as installed:
        for name, capability, said in (
            ("aaa", "debt:marks", "another adapter has debt:marks already"),
            ("aaa", "path:look", "another adapter has path:look already"),
            ("aaa", "own:look", "another adapter has own:look already"),
            ("debt", "aaa:look", "another adapter is called debt already"),
            ("path", "aaa:look", "another adapter is called path already"),
            ("own", "aaa:look", "another adapter is called own already"),
        ):
            with pytest.raises(EvidenceError, match=said):
                unpack(installed, name, with_manifest(name=name, capabilities=[capability]))
        (own / "manifest.json").write_text("{")
        with pytest.raises(EvidenceError, match="some can't be read"):
            unpack(installed, "aaa", with_manifest(name="aaa", capabilities=["aaa:look"]))


def test_of_two_adapters_with_one_capability_that_are_checked_at_once_the_first_is_installed(tmp_path: Path) -> None:
    with opened(tmp_path, tmp_path / "installed") as installed:
        first = unpack(installed, "debt", read_files(DEBT))
        second = unpack(installed, "aaa", with_manifest(name="aaa"))
        installed.put("debt", first)
        with pytest.raises(EvidenceError, match="another adapter has debt:marks already"):
            installed.put("aaa", second)
    assert list_installed(tmp_path / "installed") == ["debt"]


def test_the_folder_holds_nothing_that_is_served_and_nothing_of_others(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "shop/.artifacts").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    for adapters, folders, said in (
        (work, [work], "what is served lies in it"),
        (tmp_path, [work], "what is served lies in it"),
        (Path("/"), [work], "what is served lies in it"),
        (tmp_path / "empty", [tmp_path / "empty"], "what is served lies in it"),
        (work / "shop/adapters", [work], "a change of that repository could write there"),
    ):
        with pytest.raises(UsageError, match=said), opened(tmp_path, adapters, folders):
            pass
    (tmp_path / "mine.incoming").mkdir()
    (tmp_path / "mine.incoming/thesis.txt").write_text("x")
    with pytest.raises(UsageError, match=r"mine\.incoming next to it is needed"), opened(tmp_path, tmp_path / "mine"):
        pass
    assert (tmp_path / "mine.incoming/thesis.txt").exists()


def test_one_server_uses_the_folder_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path, tmp_path / "installed") as installed, installed.receive() as incoming:
        with pytest.raises(UsageError, match="another server uses it"), opened(tmp_path, tmp_path / "installed"):
            pass
        assert incoming.is_dir()
    with opened(tmp_path, tmp_path / "installed"):
        pass


@pytest.mark.parametrize(
    ("file", "entry"),
    [
        ("adapters.json", {}),
        ("sandbox.json", {"env": [{"name": "DEPLOY_KEY", "reason": "the debt of another adapter"}]}),
    ],
)
def test_what_a_repository_says_of_a_name_is_given_to_nobody_who_takes_it(
    tmp_path: Path, file: str, entry: Mapping[str, Any]
) -> None:
    config = tmp_path / "shop/config"
    config.mkdir(parents=True)
    (config / file).write_text(json.dumps({"debt": entry}))
    with opened(tmp_path, tmp_path / "installed") as installed:
        with pytest.raises(EvidenceError, match=rf"{file} of shop is about an adapter debt already"):
            unpack(installed, "debt", read_files(DEBT))
        (config / file).write_text("{")
        with pytest.raises(EvidenceError, match="can't be known"):
            unpack(installed, "debt", read_files(DEBT))
        (config / file).unlink()
        outer = unpack(installed, "debt", read_files(DEBT))
        # It is asked again when the check has ended: it may have come meanwhile.
        (config / file).write_text(json.dumps({"debt": entry}))
        with pytest.raises(EvidenceError, match="already"):
            installed.put("debt", outer)
        (config / file).unlink()
        installed.put("debt", outer)
        # What is configured once it is here is meant for it.
        (config / file).write_text(json.dumps({"debt": entry}))
        installed.put("debt", unpack(installed, "debt", read_files(DEBT)))
