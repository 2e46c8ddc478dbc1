"""``gate`` as a process of its own that is forked from one which has its modules loaded already.

Three quarters of what a short call of the gate costs is loading Python and modules; a suite calls it some thousand
times. The fork gets arguments, folder, environment and streams as a new process would and ends through the same
``main``. What is about starting itself (interrupts, kills, what is loaded when, the installed program) and the table of
promises start it anew.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

GATE = (sys.executable, "-I", "-m", "verigate")
"""``gate`` of the interpreter that runs the tests, which ignores what the caller's environment or folder would add."""

_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE")
"""What Python reads when it starts, and a fork can't change: there is a loaded process for each such environment."""

_servers: dict[tuple[str | None, ...], tuple[subprocess.Popen[bytes], socket.socket]] = {}
_lock = threading.Lock()


def gate(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"", timeout: float = 120
) -> subprocess.CompletedProcess[bytes]:
    """One call of ``gate`` to its end, like ``subprocess.run``. Raises subprocess.TimeoutExpired."""
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
            socket.send_fds(_server(env), [len(request).to_bytes(4)], handed)
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
        ["gate", *arguments], code, streams["out"].content(timeout), streams["err"].content(timeout)
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


def _server(env: Mapping[str, str]) -> socket.socket:
    """Where calls with this locale are sent to."""
    key = tuple(env.get(name) for name in _LOCALE)
    with _lock:
        if key not in _servers:
            mine, theirs = socket.socketpair()
            with theirs:
                process = subprocess.Popen(
                    (sys.executable, "-I", __file__, str(theirs.fileno())),
                    cwd="/",
                    env={name: value for name, value in zip(_LOCALE, key, strict=True) if value is not None},
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
            raise EOFError("the process with the gate's modules has ended")
        content += piece
    return content


def _load() -> None:
    """Load what calls of the gate load, but for what few of them need."""
    import importlib
    import pkgutil

    import verigate

    for module in pkgutil.walk_packages(verigate.__path__, "verigate."):
        if not any(part in module.name for part in (".mcp", "__main__", ".gemini")):
            importlib.import_module(module.name)
    for name in ("celpy", "jsonschema_rs", "orjson", "pathspec", "rfc8785", "tempfile", "tree_sitter_json", "yaml"):
        importlib.import_module(name)
    importlib.import_module("celpy").Environment()  # makes the language's parser, which takes longer than all else


def _serve(channel: socket.socket) -> None:
    """Fork for every request, and tell how each fork ended; until nobody is left to ask."""
    import gc
    import select

    _load()
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
                _become(request, handed[1:])
            for stream in handed[1:]:
                os.close(stream)
            _tell(answer, process_id)
            pidfd = os.pidfd_open(process_id)
            asked[pidfd] = process_id, answer
            poll.register(pidfd, select.POLLIN)


def _tell(answer: socket.socket, number: int) -> None:
    with suppress(OSError):  # who asked has stopped waiting
        answer.sendall(number.to_bytes(4, signed=True))


def _become(request: dict[str, object], streams: Sequence[int]) -> None:
    """Be the process that was asked for. Doesn't return."""
    code = 1
    try:
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
            os.close(descriptor)
        env = request["env"]
        assert isinstance(env, dict)
        os.environ.clear()
        os.environ.update(env)
        time.tzset()
        os.chdir(str(request["cwd"]))
        arguments = request["arguments"]
        assert isinstance(arguments, list)
        sys.argv = ["gate", *arguments]
        from verigate.cli import main

        main()
        code = 0
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
        _serve(socket.socket(fileno=int(sys.argv[1])))
