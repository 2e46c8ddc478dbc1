from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verigate.processes import namespaces
from verigate.processes.sandbox import AS_ROOT
from verigate.processes.sandbox_view import BASE, ROOT

SCRIPT = str(Path(namespaces.__file__))


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", SCRIPT, *words], capture_output=True, text=True, check=False, cwd="/"
    )


def test_bubblewraps_options_are_understood() -> None:
    options, program = namespaces.parse_options([*BASE, *AS_ROOT, *ROOT, "--", "/bin/sh", "-c", "--bind"])
    assert [word for option in options for word in option] == [*BASE, *AS_ROOT, *ROOT]
    assert program == ["/bin/sh", "-c", "--bind"]


@pytest.mark.parametrize("words", [["--share-net", "--", "/a"], ["--bind", "/a"], ["--bind", "/a", "/b"], ["--"], []])
def test_an_option_that_is_not_understood_starts_nothing(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"option|program"):
        namespaces.parse_options(words)
    done = run(*words)
    assert done.returncode == namespaces.SETUP_FAILED
    assert done.stderr.startswith("namespaces: ")


def test_a_program_that_does_not_exist_is_not_started() -> None:
    done = run(*BASE, *ROOT, "--", "/nonexistent/program")
    assert (done.returncode, done.stderr) == (namespaces.SETUP_FAILED, "namespaces: No such file or directory\n")


def test_exit_codes_and_signals_come_through() -> None:
    as_child = [word for word in BASE if word != "--as-pid-1"]
    assert run(*as_child, *ROOT, "--", "/bin/sh", "-c", "exit 7").returncode == 7
    assert run(*as_child, *ROOT, "--", "/bin/sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_the_first_process_cannot_be_ended_from_inside() -> None:
    assert run(*BASE, *ROOT, "--", "/bin/sh", "-c", "kill -9 $$; (kill -9 1); exit 7").returncode == 7


def test_mounts_stand_on_each_other_and_links_lead_within(tmp_path: Path) -> None:
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown" / "file").write_text("seen")
    (tmp_path / "place").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "place")
    script = 'cat "$1/place/file"; cat "$1/copy/file"; echo x > "$1/place/new" || echo refused; readlink "$1/made/to"'
    done = run(
        *(*BASE, *ROOT, "--bind", str(tmp_path), str(tmp_path)),
        *("--ro-bind", str(tmp_path / "shown"), str(tmp_path / "link")),
        *("--ro-bind-try", str(tmp_path / "nothing"), str(tmp_path / "no-place")),
        *("--perms", "0700", "--tmpfs", str(tmp_path / "made"), "--symlink", "/aim", str(tmp_path / "made" / "to")),
        *("--bind", str(tmp_path / "shown"), str(tmp_path / "copy")),
        *("--", "/bin/sh", "-c", script, "sh", str(tmp_path)),
    )
    assert done.stdout == "seenseenrefused\n/aim\n"
    assert not (tmp_path / "no-place").exists()
    assert not (tmp_path / "shown" / "new").exists()
