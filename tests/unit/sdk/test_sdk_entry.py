from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import time
import weakref
from typing import TYPE_CHECKING

import pytest

from verigate.sdk import AdapterError, Request, ToolFailed, handlers_of, main, write_json
from verigate.sdk.entry import requiring

if TYPE_CHECKING:
    from pathlib import Path


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def facts(request: Request) -> None:
    write_json(request.task_dir, "x.json", {"seen": request.capability})


def broken(request: Request) -> None:
    raise AdapterError("no report", where="pytest", hint="run it by hand")


def test_success_writes_facts(tmp_path: Path) -> None:
    assert main({"a:b": facts}, ["a:b", "--task-dir", str(tmp_path)]) == 0
    assert (tmp_path / "x.json").read_text() == '{"seen":"a:b"}\n'


def test_an_adapter_error_is_one_and_tells_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main({"a:b": broken}, ["a:b", "--task-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "pytest: no report (run it by hand)\n"


def test_what_follows_the_first_line_of_an_error_is_indented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def wordy(request: Request) -> None:
        raise AdapterError("no report; it printed:\none\n\ntwo")

    assert main({"a:b": wordy}, ["a:b", "--task-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "no report; it printed:\n    one\n    \n    two\n"


def test_the_output_of_a_tool_is_printed_before_the_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def crashed(request: Request) -> None:
        raise ToolFailed("jest crashed: Error: x", output="$ jest\nError: x\n    at y")

    assert main({"a:b": crashed}, ["a:b", "--task-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "$ jest\nError: x\n    at y\njest crashed: Error: x\n"


def test_an_unknown_capability_is_two_and_names_the_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main({"a:b": facts}, ["a:c", "--task-dir", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "a:c" in message
    assert "a:b" in message


def test_another_exception_is_not_swallowed(tmp_path: Path) -> None:
    def wrong(request: Request) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        main({"a:b": wrong}, ["a:b", "--task-dir", str(tmp_path)])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_term_in_a_callback_where_python_ignores_exceptions_is_no_success(tmp_path: Path) -> None:
    class Lock:
        pass

    def run(request: Request) -> None:
        lock = Lock()
        kept = weakref.ref(lock, lambda _: signal.raise_signal(signal.SIGTERM))
        del lock
        assert kept() is None

    assert main({"a:b": run}, ["a:b", "--task-dir", str(tmp_path)]) == 128 + signal.SIGTERM


SLEEPER = "echo $$ > pid.new; mv pid.new pid; sleep 60"
MEANWHILE = """
class Interrupted(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        while not Path("pid").exists():
            time.sleep(0.01)
        signal.raise_signal(signal.SIGTERM)
subprocess.Popen = Interrupted
"""


@pytest.mark.parametrize("prelude", ["", MEANWHILE], ids=["while the tool runs", "while the tool is being started"])
def test_term_ends_what_the_adapter_started(tmp_path: Path, prelude: str) -> None:
    script = tmp_path / "adapter.py"
    script.write_text(
        "import signal, subprocess, sys, time\nfrom pathlib import Path\nfrom verigate.sdk import main, run_tool\n"
        f"{prelude}"
        f"def run(request):\n    run_tool(['sh', '-c', {SLEEPER!r}], cwd=request.task_dir, timeout_s=9)\n"
        "sys.exit(main({'a:b': run}))\n"
    )
    process = subprocess.Popen([sys.executable, str(script), "a:b", "--task-dir", str(tmp_path)], cwd=tmp_path)
    deadline = time.monotonic() + 20
    while not (tmp_path / "pid").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child = int((tmp_path / "pid").read_text())
    if not prelude:
        process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 128 + signal.SIGTERM
    for _ in range(200):
        if not alive(child):
            break
        time.sleep(0.02)
    assert not alive(child)


def test_a_module_is_imported_when_its_capability_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "serves.py").write_text("def run(request):\n    (request.task_dir / request.capability).touch()\n")
    monkeypatch.syspath_prepend(tmp_path)
    handlers = handlers_of({"notes:a": "serves", "notes:b": "is_not_there"})
    handlers["notes:a"](Request("notes:a", tmp_path))
    assert (tmp_path / "notes:a").exists()
    with pytest.raises(ModuleNotFoundError, match="is_not_there"):
        main(handlers, ["notes:b", "--task-dir", str(tmp_path)])


def test_nothing_looks_for_garbage_while_a_module_of_a_handler_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import gc\n\nLOADING = gc.isenabled()\n\n\ndef run(request):\n"
    source += "    (request.task_dir / f'{LOADING} {gc.isenabled()}').touch()\n"
    (tmp_path / "collects.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    handlers_of({"notes:c": "collects"})["notes:c"](Request("notes:c", tmp_path))
    gc.unfreeze()
    assert (tmp_path / "False True").exists()


def test_without_its_extra_no_capability_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "comrak", None)
    assert main(requiring("links", {"a:b": facts}), ["a:b", "--task-dir", str(tmp_path)]) == 0
    (tmp_path / "x.json").unlink()
    assert main(requiring("content", {"a:c": facts}), ["a:c", "--task-dir", str(tmp_path)]) == 1
    assert not (tmp_path / "x.json").exists()
    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"a:c: packages of the extra 'content' are missing; run: \S+/bin/setup --extra content", first)
    assert second == "    missing: comrak"


def test_a_handler_that_misses_a_library_of_an_extra_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def needs(request: Request) -> None:
        raise ModuleNotFoundError("No module named 'puremagic'", name="puremagic")

    assert main({"a:b": needs}, ["a:b", "--task-dir", str(tmp_path)]) == 1
    assert "bin/setup --extra tools\n    missing: puremagic\n" in capsys.readouterr().err
