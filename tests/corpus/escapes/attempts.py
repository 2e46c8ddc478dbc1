"""Attempts to leave a sandbox, in Python. Ends with 10 if one is out, 20 if it is held; anything else is broken.

It runs by itself, with the standard library alone: ``attempts.py NAME``, with the targets in variables ``T_...``.
"""

import os
import resource
import signal
import socket
import struct
import subprocess
import sys

OUT, HELD = 10, 20
HOME = os.environ.get("T_HOME", "")


def read(path):
    with open(path, "rb") as stream:
        return bool(stream.read(64))


def write(path):
    with open(path, "wb") as stream:
        stream.write(b"escaped")
    return True


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as line:
        line.settimeout(2)
        line.connect(address)
        return True


def echo(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as line:
        line.settimeout(0.3)
        line.sendto(b"ping", address)
        return line.recv(16) == b"ping"


def ask_dns():
    with open("/etc/resolv.conf", encoding="utf-8") as stream:
        servers = [words.split()[1] for words in stream if words.startswith("nameserver")]
    query = struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + b"\x07example\x03com\x00" + struct.pack(">HH", 1, 1)
    for server in servers:
        family = socket.AF_INET6 if ":" in server else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as line:
            line.settimeout(0.3)
            line.sendto(query, (server, 53))
            if line.recv(512):
                return True
    return False


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.closerange(0, 64)
            os.execv("/bin/sleep", [os.environ["T_MARK_PY"], "60"])
        os._exit(0)
    return False


def link_in_checkout():
    os.symlink(f"{HOME}/.ssh/id", "link")
    return read("link")


def hard_link(source):
    os.link(source, os.path.basename(source) + "-hard")
    return True


def dangle_folder():
    # A folder that is opened before its parent moves: ".." leads elsewhere then.
    os.makedirs("a/b/c", exist_ok=True)
    inner = os.open("a/b/c", os.O_RDONLY)
    os.rename("a/b/c", "moved")
    return read(f"/proc/self/fd/{inner}/" + "../" * 12 + f"{HOME.lstrip('/')}/.ssh/id")


def view_processes():
    return any(name == os.environ["T_PID"] and b"sleep" in open(f"/proc/{name}/cmdline", "rb").read() for name in os.listdir("/proc"))


def inherited():
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append((int(name), os.readlink(f"/proc/self/fd/{name}")))
        except OSError:
            continue  # the listing's own
    left = [(number, path) for number, path in found if number > 2]
    sys.stderr.write(f"{left}\n")
    return bool(left)


def limits_of_victim():
    resource.prlimit(int(os.environ["T_PID"]), resource.RLIMIT_NOFILE)
    return True


def status_word(name, wanted):
    with open("/proc/self/status", encoding="ascii") as stream:
        return any(line.split() == [f"{name}:", wanted] for line in stream)


ATTEMPTS = {
    "tcp4": lambda: connect(socket.AF_INET, ("127.0.0.1", int(os.environ["T_TCP"]))),
    "tcp6": lambda: connect(socket.AF_INET6, ("::1", int(os.environ["T_TCP6"]))),
    "tcp_host": lambda: connect(socket.AF_INET, (os.environ["T_HOST"], int(os.environ["T_TCP"]))),
    "udp4": lambda: echo(socket.AF_INET, ("127.0.0.1", int(os.environ["T_UDP"]))),
    "udp6": lambda: echo(socket.AF_INET6, ("::1", int(os.environ["T_UDP6"]))),
    "dns": ask_dns,
    "abstract": lambda: connect(socket.AF_UNIX, "\0" + os.environ["T_ABSTRACT"]),
    "socket_home": lambda: connect(socket.AF_UNIX, f"{HOME}/agent.sock"),
    "socket_tmp": lambda: connect(socket.AF_UNIX, os.environ["T_SOCKET_TMP"]),
    "socket_shown": lambda: connect(socket.AF_UNIX, os.environ["T_SOCKET_SHOWN"]),
    "interfaces": lambda: {name for _, name in socket.if_nameindex()} != {"lo"},
    "connections": lambda: f":{int(os.environ['T_TCP']):04X}" in open("/proc/net/tcp", encoding="ascii").read(),
    "ssh_key": lambda: read(f"{HOME}/.ssh/id"),
    "unlisted_secret": lambda: read(f"{HOME}/.secret-of-tomorrow"),
    "list_home": lambda: ".secret-of-tomorrow" in os.listdir(HOME),
    "write_home": lambda: write(f"{HOME}/escaped"),
    "write_etc": lambda: write("/etc/verigate-escape"),
    "write_shown": lambda: write(f"{os.environ['T_SHOWN']}/escaped"),
    "truncate_shown": lambda: os.truncate(f"{os.environ['T_SHOWN']}/file", 0) is None,
    "rename_shown": lambda: os.rename(f"{os.environ['T_SHOWN']}/file", f"{os.environ['T_SHOWN']}/renamed") is None,
    "remove_shown": lambda: os.unlink(f"{os.environ['T_SHOWN']}/other") is None,
    "mode_shown": lambda: os.chmod(f"{os.environ['T_SHOWN']}/mode", 0o4755) is None,
    "times_shown": lambda: os.utime(f"{os.environ['T_SHOWN']}/mode", (1, 1)) is None,
    "attribute_shown": lambda: os.setxattr(f"{os.environ['T_SHOWN']}/mode", "user.escape", b"x") is None,
    "link_in_checkout": link_in_checkout,
    "hard_link_home": lambda: hard_link(f"{HOME}/.ssh/id"),
    "hard_link_shown": lambda: hard_link(f"{os.environ['T_SHOWN']}/mode"),
    "moved_folder": dangle_folder,
    "root_of_first": lambda: read(f"/proc/1/root{HOME}/.ssh/id"),
    "root_of_victim": lambda: read(f"/proc/{os.environ['T_PID']}/root{HOME}/.ssh/id"),
    "environ_of_victim": lambda: b"VICTIM_SECRET" in open(f"/proc/{os.environ['T_PID']}/environ", "rb").read(),
    "environ_of_gate": lambda: b"PARENT_SECRET" in open(f"/proc/{os.environ['T_GATE']}/environ", "rb").read(),
    "memory_of_victim": lambda: open(f"/proc/{os.environ['T_PID']}/mem", "rb").seek(0) == 0,
    "files_of_victim": lambda: bool(os.readlink(f"/proc/{os.environ['T_PID']}/fd/0")),
    "shared_memory": lambda: read(os.environ["T_DEV_SHM"]),
    "runtime_files": lambda: read(os.environ["T_RUN"]),
    "temporary_files": lambda: read(os.environ["T_TMP"]),
    "kernel_setting": lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)) is None,
    "sysrq": lambda: os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY)) is None,
    "control_group": lambda: os.mkdir("/sys/fs/cgroup/verigate-escape") is None,
    "uevent": lambda: os.close(os.open("/sys/kernel/uevent_helper", os.O_WRONLY)) is None,
    "kernel_memory": lambda: os.close(os.open("/dev/mem", os.O_RDONLY)) is None,
    "disk": lambda: os.close(os.open(os.environ["T_DISK"], os.O_RDONLY)) is None,
    "kill_victim": lambda: os.kill(int(os.environ["T_KILL"]), signal.SIGKILL) is None,
    "limits_of_victim": limits_of_victim,
    "view_processes": view_processes,
    "daemon": daemon,
    "inherited": inherited,
    "environment": lambda: "PARENT_SECRET" in os.environ,
    "set_user_id": lambda: status_word("NoNewPrivs", "0"),
    "host_binary": lambda: write(os.environ["T_GATE_FILE"]),
    "other_calls": lambda: write(f"{os.environ['T_WORKSPACE']}/calls/escaped"),
    "policy": lambda: write(f"{os.environ['T_WORKSPACE']}/policy/escaped"),
}


def main():
    try:
        return OUT if ATTEMPTS[sys.argv[1]]() else HELD
    except (OSError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"{error}\n")
        return HELD


if __name__ == "__main__":
    sys.exit(main())
