"""``gate`` and the code adapter as processes of their own, forked from one which has their modules loaded already.

Three quarters of what a short call of the gate costs is loading Python and modules; a suite makes some thousand. The
fork gets arguments, folder, environment and streams as a new process would, and ends through the same ``main``. What is
about starting itself (interrupts, kills, what is loaded when, launchers, the installed program) and the table of
promises start them anew, and so does the gate when it calls the adapter.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

GATE = (sys.executable, "-I", "-m", "verigate")
"""``gate`` of the interpreter that runs the tests, which ignores what the caller's environment or folder would add."""

_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE")
"""What Python reads when it starts, and a fork can't change: there is a loaded process for each such environment."""

_MODELS = "google.genai"
"""Takes as long to import as all else that a call of the gate loads: calls with a key have a process with it."""

_ADAPTER = Path(__file__).resolve().parents[2] / "adapters" / "code"

_servers: dict[tuple[str | None, ...], tuple[subprocess.Popen[bytes], socket.socket]] = {}
_lock = threading.Lock()


def gate(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"", timeout: float = 120
) -> subprocess.CompletedProcess[bytes]:
    """One call of ``gate`` to its end, like ``subprocess.run``. Raises subprocess.TimeoutExpired."""
    program = f"gate+{_MODELS}" if "GEMINI_API_KEY" in env else "gate"
    return _forked(program, arguments, cwd=cwd, env=env, stdin=stdin, timeout=timeout)


def code_adapter(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout: float = 300
) -> subprocess.CompletedProcess[bytes]:
    """One call of the code adapter to its end; by its launcher where the interpreter is to be another one."""
    if env.get("GATE_PYTHON") == sys.executable:
        return _forked("adapter", arguments, cwd=cwd, env=env, stdin=b"", timeout=timeout)
    argv = (str(_ADAPTER / "bin" / "adapter-code"), *arguments)
    return subprocess.run(argv, cwd=cwd, env=env, capture_output=True, timeout=timeout, check=False)


def _forked(
    program: str, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    sys.audit("forked_programs", program, list(arguments), str(cwd))
    out, told_out = os.pipe()
    err, told_err = os.pipe()
    given = os.memfd_create("stdin")
    os.write(given, stdin)
    os.lseek(given, 0, os.SEEK_SET)
    mine, theirs = socket.socketpair()
    request = json.dumps({"arguments": list(arguments), "cwd": str(cwd), "env": dict(env)}).encode()
    handed = [theirs.fileno(), given, told_out, told_err]
    with mine:
        try:
            socket.send_fds(_server(program, env), [len(request).to_bytes(4)], handed)
            mine.sendall(request)
        finally:
            theirs.close()
            for descriptor in handed[1:]:
                os.close(descriptor)
        streams = {name: _Reader(descriptor) for name, descriptor in (("out", out), ("err", err))}
        process_id = int.from_bytes(_exactly(mine, 4))
        mine.settimeout(timeout)
        try:
            code = int.from_bytes(_exactly(mine, 4), signed=True)
        except TimeoutError:
            os.kill(process_id, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(arguments), timeout) from None
    return subprocess.CompletedProcess(
        [program.partition("+")[0], *arguments], code, streams["out"].content(timeout), streams["err"].content(timeout)
    )


def started_anew(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"", timeout: float = 120
) -> subprocess.CompletedProcess[bytes]:
    """The same with a Python of its own, from its first instruction on."""
    return subprocess.run(
        (*GATE, *arguments), cwd=cwd, env=env, input=stdin, capture_output=True, timeout=timeout, check=False
    )


class _Reader(threading.Thread):
    """Reads a pipe to its end, which comes when nobody holds its other end any more."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self._descriptor = descriptor
        self._content = b""
        self.start()

    def run(self) -> None:
        with open(self._descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor
            self._content = stream.read()

    def content(self, timeout: float) -> bytes:
        self.join(timeout)
        assert not self.is_alive(), "the gate has ended, and somebody still holds its output"
        return self._content


def _server(program: str, env: Mapping[str, str]) -> socket.socket:
    """Where calls of ``program`` with this locale are sent to."""
    key = (program, *(env.get(name) for name in _LOCALE))
    with _lock:
        if key not in _servers:
            mine, theirs = socket.socketpair()
            with theirs:
                process = subprocess.Popen(
                    (sys.executable, "-I", __file__, program, str(theirs.fileno())),
                    cwd="/",
                    env={name: value for name, value in zip(_LOCALE, key[1:], strict=True) if value is not None},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                )
            _servers[key] = process, mine
            atexit.register(_end, process, mine)
        return _servers[key][1]


def _end(process: subprocess.Popen[bytes], channel: socket.socket) -> None:
    channel.close()
    process.wait()


def _exactly(channel: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        piece = channel.recv(size - len(content))
        if not piece:
            raise EOFError("the process with the loaded modules has ended")
        content += piece
    return content


def _load_gate() -> None:
    """Load what calls of the gate load, but for what few of them need."""
    import verigate

    importlib.import_module("verigate.usecases.verify")  # in the order in which a call loads it, then what is left
    _load_below(verigate.__path__, "verigate.", but=(".mcp", "__main__", ".gemini"))
    for name in ("celpy", "jsonschema_rs", "orjson", "pathspec", "rfc8785", "tempfile", "tree_sitter_json", "yaml"):
        importlib.import_module(name)
    importlib.import_module("celpy").Environment()  # makes the language's parser, which takes longer than all else
    schemas = importlib.import_module("verigate.config.schemas")
    for name in schemas.list_schemas():
        schemas.compile_schema(name).check()  # compiles it


def _load_adapter() -> None:
    """Load the adapter and what it runs in this Python."""
    sys.path.insert(0, str(_ADAPTER / "src"))
    for path, but in (("code_adapter", ("__main__", ".compile_check", "_runner", "_export")), ("checkwash.cli", ())):
        package = importlib.import_module(path)
        if hasattr(package, "__path__"):
            _load_below(package.__path__, f"{path}.", but)
    importlib.import_module("code_adapter.__main__")
    importlib.import_module("code_adapter.integrity.tools.checkwash_run").__dict__["run_tool"] = _run_tool


def _load_below(path: Iterable[str], prefix: str, but: Sequence[str]) -> None:
    for module in pkgutil.walk_packages(path, prefix):
        if not any(part in module.name for part in but):
            importlib.import_module(module.name)


def _run_tool(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], timeout_s: float) -> object:
    """checkwash, whose modules take most of its time, as another fork: what ``verigate.sdk.run_tool`` would return."""
    from verigate.sdk import ToolRun

    assert argv[2].endswith("/checkwash_start.py"), argv
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process_id = os.fork()
        if process_id == 0:
            signal.alarm(int(timeout_s))
            request = {"arguments": list(argv[3:]), "cwd": str(cwd), "env": dict(env)}
            nothing = os.open(os.devnull, os.O_RDONLY)
            _become("checkwash", request, (nothing, out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(process_id, 0)[1])
        streams = []
        for stream in (out, err):
            stream.seek(0)
            streams.append(stream.read())
    exit_code, ended_by = (code, None) if code >= 0 else (None, -code)
    timed_out = ended_by == signal.SIGALRM
    return ToolRun(tuple(argv), exit_code, ended_by, timed_out=timed_out, stdout=streams[0], stderr=streams[1])


def _main(program: str) -> int:
    """Run ``program`` with this process's arguments."""
    if program == "gate":
        from verigate.cli import main

        main()
        return 0
    if program == "adapter":
        return int(importlib.import_module("code_adapter.__main__").run())
    return int(importlib.import_module("code_adapter.integrity.tools.checkwash_start").main())


def _serve(program: str, channel: socket.socket) -> None:
    """Fork for every request, and tell how each fork ended; until nobody is left to ask. ``PROGRAM+MODULE`` has that
    module loaded too.
    """
    program, _, more = program.partition("+")
    _load_gate() if program == "gate" else _load_adapter()
    if more:
        importlib.import_module(more)
    gc.freeze()
    asked: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor in asked:
                poll.unregister(descriptor)
                process_id, answer = asked.pop(descriptor)
                _, status = os.waitpid(process_id, 0)
                os.close(descriptor)
                with answer:
                    _tell(answer, os.waitstatus_to_exitcode(status))
                continue
            size, handed, _, _ = socket.recv_fds(channel, 4, 4)
            if not size:
                return
            answer = socket.socket(fileno=handed[0])
            request = json.loads(_exactly(answer, int.from_bytes(size)))
            process_id = os.fork()
            if process_id == 0:
                channel.close()
                for other, (_, waiting) in asked.items():
                    os.close(other)
                    waiting.close()
                answer.close()
                _become(program, request, handed[1:])
            for stream in handed[1:]:
                os.close(stream)
            _tell(answer, process_id)
            pidfd = os.pidfd_open(process_id)
            asked[pidfd] = process_id, answer
            poll.register(pidfd, select.POLLIN)


def _tell(answer: socket.socket, number: int) -> None:
    with suppress(OSError):  # who asked has stopped waiting
        answer.sendall(number.to_bytes(4, signed=True))


def _become(program: str, request: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """Be the process that was asked for."""
    code = 1
    try:
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.environ.clear()
        os.environ.update(request["env"])
        time.tzset()
        os.chdir(request["cwd"])
        sys.argv = [program, *request["arguments"]]
        code = _main(program)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - what Python does with an exception that nobody catches
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
