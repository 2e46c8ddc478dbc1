"""The whole gate where bubblewrap can't be found, and where user namespaces are forbidden as well."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import gated_repository
import java_projects
import pytest
from code_repo import make_repo
from gated_repository import GATE, Done, GatedRepository

BWRAP = shutil.which("bwrap") or "/usr/bin/bwrap"
WITHOUT_BUBBLEWRAP = 'mount --bind /dev/null "$0"; exec "$@"'
WITHOUT_NAMESPACES = 'mount --bind /dev/null "$0"; echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"'
ACT = """\
found=closed
/usr/bin/python3 -I -c 'import socket; socket.create_connection(("127.0.0.1", PORT), 2)' && found=reached
echo "$found" >"$TASK_DIR/net.txt"
cat HOME/.pgpass >"$TASK_DIR/secret.txt" 2>/dev/null || echo hidden >"$TASK_DIR/secret.txt"
(: >HOME/written) 2>/dev/null || :
"""


@pytest.fixture
def repository(tmp_path: Path) -> GatedRepository:
    return gated_repository.make(tmp_path, capabilities=["my:check"], rules={}, acts={"my:check": "true"})


@pytest.fixture
def home() -> Iterator[Path]:
    """A caller's home with a secret, outside of the temporary folders that are hidden anyway."""
    folder = Path(tempfile.mkdtemp(prefix=".verigate-test-home-", dir=Path.home()))
    (folder / ".pgpass").write_text("secret")
    yield folder
    shutil.rmtree(folder)


def verify(repository: GatedRepository, home: Path, script: str, sandbox: str) -> Done:
    """Verify on a machine that ``script`` makes of this one, with a server that the adapter tries to reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        act = ACT.replace("PORT", str(server.getsockname()[1])).replace("HOME", str(home))
        repository.put("adapters/facts/acts/my:check", act)
        repository.put("config/verification.profiles.json", {"facts_default": {"sandbox": sandbox}})
        repository.sample.commit("asks for a sandbox")
        repository.begin()
        repository.claim()
        repository.put("README.md", "changed")
        argv = ["unshare", "-Urm", "sh", "-c", script, BWRAP, *GATE, "verify", "T1", "--quiet"]
        environ = repository.environ(HOME=str(home))
        done = subprocess.run(argv, cwd=repository.root, env=environ, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def test_user_namespaces_hold_all_of_it(repository: GatedRepository, home: Path) -> None:
    done = verify(repository, home, WITHOUT_BUBBLEWRAP, "require")
    [call] = repository.published("run.json")["invocations"]
    assert call["sandbox"] == {"mechanism": "namespaces", "network": False, "read_only": False, "missing": []}, done
    assert read(repository, "net.txt") == "closed\n"
    assert read(repository, "secret.txt") == "hidden\n"
    assert "sandbox" not in done.err


def test_landlock_holds_what_it_can_and_says_what_it_cannot(repository: GatedRepository, home: Path) -> None:
    done = verify(repository, home, WITHOUT_NAMESPACES, "prefer")
    [call] = repository.published("run.json")["invocations"]
    assert call["sandbox"]["mechanism"] == "landlock", done
    assert call["sandbox"]["network"] is False
    assert read(repository, "net.txt") == "closed\n"
    assert read(repository, "secret.txt") == "hidden\n"
    assert not (home / "written").exists()
    [warned] = [line for line in done.err.splitlines() if "by Landlock alone" in line]
    lacks = warned.partition("not closed: ")[2].replace("; ", ", ").split(", ")
    assert len(lacks) == len(call["sandbox"]["missing"]), done.err
    assert warned.startswith("warning: sandboxed by Landlock alone (")
    assert "sandbox: require refuses it): " in warned


def test_landlock_is_refused_where_a_sandbox_is_required(repository: GatedRepository, home: Path) -> None:
    done = verify(repository, home, WITHOUT_NAMESPACES, "require")
    assert done.code == 3
    assert not repository.has_verdict() or repository.verdict()["status"] == "error"
    assert "the profile requires a sandbox" in done.err
    assert "Landlock alone doesn't hold" in done.err


def read(repository: GatedRepository, name: str) -> str:
    return (repository.root / ".artifacts" / "T1" / name).read_text()


@pytest.mark.release
def test_landlock_gives_maven_the_settings_without_secrets(tmp_path: Path, home: Path) -> None:
    """They are in a home that is hidden, and say where the artifacts are, which else aren't found."""
    files = {name: text for name, text in java_projects.MAVEN.items() if name != ".mvn/maven.config"}
    repo = make_repo(tmp_path, files)
    (home / ".m2").mkdir()
    servers = "<servers><server><id>x</id><password>secret</password></server></servers>"
    place = f"<localRepository>{java_projects.REPOSITORY}</localRepository>"
    (home / ".m2/settings.xml").write_text(f"<settings>{place}{servers}</settings>")
    # The account of the user has another home, in which there is nothing that Maven could need.
    tests = next(name for name in files if "src/test/" in name)
    repo.write({"src/main/java/demo/Sum.java": java_projects.SUM.replace("a + b", "b + a")})
    repo.write({tests: files[tests].replace("@Test", "@Test ", 1)})
    repo.git("add", "--all")
    argv = ["unshare", "-Urm", "sh", "-c", WITHOUT_NAMESPACES, BWRAP, *GATE, "verify", "--staged", "--json"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "VERIGATE_"))}
    done = subprocess.run(
        argv, cwd=repo.root, env=environ | {"HOME": str(home)}, capture_output=True, text=True, check=False
    )
    checks = {check["id"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["code.tests_pass"]["outcome"] == "holds", done.stdout
    # The cells start Maven with other options.
    cells = json.loads((repo.root / ".artifacts/implicit/counterfactual.json").read_text())
    assert (cells["unexamined"], cells["changed"]) == ([], [tests])
    assert cells["total"] > 0


def test_doctor_says_what_works(repository: GatedRepository) -> None:
    for script, words in (
        (WITHOUT_BUBBLEWRAP, "bubblewrap isn't installed, user namespaces work: network and file system are enforced"),
        (
            WITHOUT_NAMESPACES,
            "bubblewrap isn't installed and user namespaces don't work here, Landlock does; it doesn't give",
        ),
    ):
        argv = ["unshare", "-Urm", "sh", "-c", script, BWRAP, *GATE, "doctor"]
        done = subprocess.run(
            argv, cwd=repository.root, env=repository.environ(), capture_output=True, text=True, check=False
        )
        assert words in done.stdout, done
    assert os.access(BWRAP, os.X_OK)


@pytest.mark.parametrize(("options", "called"), [((), True), (("--require-sandbox",), False)])
def test_the_kit_ends_where_a_sandbox_is_required_and_there_is_none(
    tmp_path: Path, options: tuple[str, ...], called: bool
) -> None:
    """By the same command without the option, which does call it, under Landlock alone."""
    adapter = tmp_path / "mine"
    (adapter / "bin").mkdir(parents=True)
    (adapter / "manifest.json").write_text(
        '{"name": "mine", "version": "1.0.0", "entry": "bin/mine", "capabilities": ["my:check"]}'
    )
    (adapter / "bin/mine").write_text("#!/bin/sh\nexit 7\n")
    (adapter / "bin/mine").chmod(0o755)
    command = [*GATE, "adapter", "check", str(adapter), "--json", *options]
    argv = ["unshare", "-Urm", "sh", "-c", WITHOUT_NAMESPACES, BWRAP, *command]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "VERIGATE_"))}
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert done.returncode == report["exit_code"] == (1 if called else 3), report
    if called:
        assert (report["calls"] > 0, report["conditions"]["sandbox"]) == (True, "landlock")
    else:  # it ends before the first call, and there is no report
        assert report["schema"] == "verigate:error.v1"
        assert "requires a sandbox" in report["faults"][0]["message"]
