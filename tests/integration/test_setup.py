"""bin/setup in a copy of its folder, with a uv that only notes what it is asked for: extras, and two at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USUAL = "api,code,content,do,links"
NOTES = f"""#!/bin/sh
echo "$*" >>"$UV_LOG"
if [ "$1" = venv ]; then mkdir -p .venv/bin && ln -s "{sys.executable}" .venv/bin/python; fi
if [ -e hang ]; then echo $$ >hanging; while [ -e hang ]; do sleep 0.1; done; fi
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    for name in ("bin", "tools", "src", "adapters"):
        (folder / name).mkdir(parents=True)
    for name in ("gate", "setup"):
        shutil.copy(ROOT / "bin" / name, folder / "bin")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tools/uv").write_text(NOTES)
    (folder / "tools/uv").chmod(0o755)
    return folder


def start(checkout: Path, *arguments: str, **more: str) -> subprocess.Popen[str]:
    environ = os.environ | {"PATH": f"{checkout}/tools:{os.environ['PATH']}", "UV_LOG": f"{checkout}.log", **more}
    argv = ("sh", "bin/setup", *arguments)
    return subprocess.Popen(argv, cwd=checkout, env=environ, stderr=subprocess.PIPE, text=True)


def setup(checkout: Path, *arguments: str, **more: str) -> tuple[int, str]:
    process = start(checkout, *arguments, **more)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


def installed(checkout: Path) -> str:
    """The extras of the last installation, as they were asked for."""
    last = Path(f"{checkout}.log").read_text().splitlines()[-1]
    return last.partition(f"--editable {checkout}[")[2].rstrip("]")


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_first_start_installs_what_the_domains_need_and_extras_that_were_asked_for_stay(checkout: Path) -> None:
    assert setup(checkout)[0] == 0
    assert installed(checkout) == USUAL
    assert setup(checkout, "--extra", "mcp", "--extra", "code", "--extra", "gemini")[0] == 0
    assert installed(checkout) == f"{USUAL},mcp,gemini"
    assert setup(checkout)[0] == 0
    assert installed(checkout) == f"{USUAL},mcp,gemini"


def test_the_interpreter_that_is_named_is_taken_and_no_other_instead(checkout: Path, tmp_path: Path) -> None:
    code, told = setup(checkout, VERIGATE_PYTHON=str(tmp_path / "none"))
    assert code == 2
    assert f"VERIGATE_PYTHON is no python >= 3.11: {tmp_path}/none" in told
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert setup(checkout, VERIGATE_PYTHON=str(old))[0] == 2
    assert not Path(f"{checkout}.log").exists()
    named = tmp_path / "named"
    named.symlink_to(sys.executable)
    assert setup(checkout, VERIGATE_PYTHON=str(named))[0] == 0
    assert f"venv --quiet --python {named}" in Path(f"{checkout}.log").read_text()


@pytest.mark.parametrize("arguments", [("--extra", "none"), ("--extra",), ("--extra", "mcp attest"), ("code",)])
def test_an_argument_that_makes_no_sense_installs_nothing(checkout: Path, arguments: tuple[str, ...]) -> None:
    code, told = setup(checkout, *arguments)
    assert code == 2
    assert "--extra" in told
    assert not Path(f"{checkout}.log").exists()


def test_a_second_setup_says_at_once_whom_it_waits_for_and_goes_on_after_it(checkout: Path) -> None:
    (checkout / "hang").touch()
    first = start(checkout)
    wait_for(checkout / "hanging")
    second = start(checkout)
    assert second.stderr is not None
    began = time.monotonic()
    assert f"waiting up to ten minutes for another setup to end: process {first.pid}\n" in second.stderr.readline()
    assert time.monotonic() - began < 10
    (checkout / "hang").unlink()
    first.communicate(timeout=30)
    second.communicate(timeout=30)
    assert (first.returncode, second.returncode) == (0, 0)


def test_what_a_killed_setup_leaves_keeps_nobody_waiting(checkout: Path) -> None:
    (checkout / "hang").touch()
    killed = start(checkout)
    wait_for(checkout / "hanging")
    killed.kill()
    os.kill(int((checkout / "hanging").read_text()), signal.SIGKILL)
    assert killed.wait(30) == -signal.SIGKILL
    killed.communicate()
    (checkout / "hang").unlink()
    code, told = setup(checkout)
    assert (code, "waiting" in told) == (0, False)


@pytest.mark.release
@pytest.mark.slow
def test_a_long_installation_reports_that_it_goes_on(checkout: Path) -> None:
    hangs = NOTES.replace("if [ -e hang ]", 'if [ "$1" = pip ] && [ -e hang ]')
    (checkout / "tools/uv").write_text(hangs)
    (checkout / "hang").touch()
    going = start(checkout)
    assert going.stderr is not None
    assert [going.stderr.readline() for _ in range(2)] == [
        "setup: preparing .venv (once): this takes a few minutes\n",
        "setup: still installing packages (10 s)\n",
    ]
    (checkout / "hang").unlink()
    _, rest = going.communicate(timeout=30)
    assert (going.returncode, rest.splitlines()[-1]) == (0, "setup: done")


def test_the_lock_of_an_earlier_version_is_not_waited_for(checkout: Path) -> None:
    (checkout / ".venv.lock").mkdir()
    code, told = setup(checkout)
    assert (code, told.splitlines()[-1]) == (0, "setup: done")


def test_a_checkout_that_cannot_be_written_ends_at_once(checkout: Path) -> None:
    # Also root, whom a mode keeps from nothing, can't write below this.
    (checkout / ".venv.lock").mkdir()
    (checkout / ".venv.lock/file").touch()
    code, told = setup(checkout)
    assert code == 3
    assert f"can't write {checkout}/.venv.lock" in told
    assert f"ENV/bin/pip install '{checkout}[{USUAL}]'" in told
    assert not Path(f"{checkout}.log").exists()


def gate(checkout: Path, *around: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PATH": f"{checkout}/tools:{os.environ['PATH']}", "UV_LOG": f"{checkout}.log"}
    argv = (*around, f"{checkout}/bin/gate", "--version")
    return subprocess.run(argv, env=environ, capture_output=True, text=True, timeout=60, check=False)


def test_gate_ci_of_a_checkout_runs_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "gate-ci").symlink_to(ROOT / "bin/gate-ci")
    done = subprocess.run((tmp_path / "gate-ci", "--help"), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Usage: gate-ci ACTION"), done.stderr
    wrong = subprocess.run((tmp_path / "gate-ci",), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr.startswith("gate-ci: name one action")) == (2, True), wrong.stderr


def test_gate_in_a_checkout_on_a_read_only_file_system_ends_at_once_with_what_to_do(checkout: Path) -> None:
    began = time.monotonic()
    memory = "/dev/shm"  # noqa: S108 - where the tests may lie
    place = ("--dev", "/dev", "--ro-bind", memory, memory, "--proc", "/proc")
    done = gate(checkout, "bwrap", "--unshare-user", "--ro-bind", "/", "/", *place)
    assert time.monotonic() - began < 30
    assert done.returncode == 3, done.stderr
    assert f"can't write {checkout}/.venv.lock: run {checkout}/bin/setup as the user whom it belongs to" in done.stderr
    assert not Path(f"{checkout}.log").exists()


def test_gate_sets_up_again_after_its_first_start_was_killed(checkout: Path) -> None:
    (checkout / "hang").touch()
    killed = start(checkout)
    wait_for(checkout / "hanging")
    killed.kill()
    os.kill(int((checkout / "hanging").read_text()), signal.SIGKILL)
    killed.communicate()
    (checkout / "hang").unlink()
    done = gate(checkout)
    assert "setup: preparing .venv (once)" in done.stderr
    assert "setup: done" in done.stderr
    assert (checkout / ".venv/.verigate-installed").exists()
    assert "waiting" not in done.stderr
    # It is set up now, and says nothing of it the next time.
    assert "setup:" not in gate(checkout).stderr
