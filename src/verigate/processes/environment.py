"""The environment of an adapter: an allowlist, equal on every machine, without secrets unless declared."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.user_folders import DEFAULTS

_FIXED = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
_KEPT = ("GOFLAGS", "NVM_DIR", "JAVA_HOME", "GOROOT", "SOURCE_DATE_EPOCH", "USER", "LOGNAME")
_HOMES = {
    "CARGO_HOME": ".cargo",
    "RUSTUP_HOME": ".rustup",
    "PYENV_ROOT": ".pyenv",
    "GOPATH": "go",
    "GOMODCACHE": "go/pkg/mod",
    "GRADLE_USER_HOME": ".gradle",
    "COREPACK_HOME": ".cache/node/corepack",
}
"""Tools that store programs and downloads below the caller's HOME, which the adapter can't see."""

OF_A_NETWORK = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "PIP_CERT"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"),
)
"""Variables that say how a machine reaches the network."""

_SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|AUTH|COOKIE|SESSION|SIGNING"
    r"|(?:^|_)KEY(?:$|_|S$)|(?:^|_)(?:PWD|PASS|PAT|DSN)$|(?:^|_)DATABASE_URL$",
    re.IGNORECASE,
)
_NOT_SECRET = frozenset(
    {"PWD", "OLDPWD", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_ID", "XDG_SESSION_TYPE"}
)
_URL_PASSWORD = re.compile(r"//[^/\s:@]*:([^/\s@]+)@")
_SHORTEST_SECRET = 6
"""Shorter values ("1", "true", "root") are too common in honest output to redact them."""


class Identity(Struct, frozen=True):
    """The run as an invocation sees it. ``root`` is the checkout's path for the adapter."""

    task_id: str
    root: str
    base: str
    profile: str
    config_json: str
    python: str


class Folders(Struct, frozen=True):
    """Folders of one invocation, by their paths for the adapter.

    ``home`` and ``tmp`` are private, ``path`` is the adapter's PATH. ``project`` is what the project's
    programs have other than the adapter (None: they don't have it), empty for an adapter that runs none of them;
    ``project_envs`` are the project's Python environments; ``git`` is the git folder for who doesn't see the base.
    """

    home: str
    tmp: str
    path: str
    project_envs: tuple[str, ...] = ()
    project: Mapping[str, str | None] = {}
    git: str | None = None


def build_environment(
    environ: Mapping[str, str],
    identity: Identity,
    folders: Folders,
    *,
    network: bool,
    named: Collection[str] = (),
    granted: Collection[str] = (),
) -> dict[str, str]:
    """Build the whole environment of one invocation.

    ``environ`` is the caller's, ``named`` are further variables that the capability's declaration requests by name;
    ``granted`` those that the repository's configuration passes on; only these may look like secrets.
    """
    env = {name: environ[name] for name in _KEPT if name in environ and not _URL_PASSWORD.search(environ[name])}
    if network:
        env |= {name: environ[name] for name in OF_A_NETWORK if name in environ}
    env |= _list_tool_homes(environ)
    env |= {name: environ[name] for name in named if name in environ and not _is_gate_variable(name)}
    env |= _FIXED
    env |= {name: environ[name] for name in granted if name in environ and not _is_gate_variable(name)}
    env |= {
        "HOME": folders.home,
        "TMPDIR": folders.tmp,
        **{variable: f"{folders.home}/{folder}" for variable, folder in DEFAULTS.items()},
        "PATH": folders.path,
        "PWD": identity.root,
        "SHELL": "/bin/sh",
        "GATE_TASK_ID": identity.task_id,
        "GATE_REPO_ROOT": identity.root,
        "GATE_BASE": identity.base,
        "GATE_CONFIG": identity.config_json,
        "GATE_PROFILE": identity.profile,
        "GATE_PROTOCOL": "1",
        "GATE_PYTHON": identity.python,
    }
    if folders.git is not None:
        env["GATE_GIT_DIR"] = folders.git
    if folders.project_envs:
        env["VIRTUAL_ENV"] = folders.project_envs[0]
        env["GATE_PROJECT_ENVS"] = ":".join(folders.project_envs)
    if folders.project:
        env["GATE_PROJECT_ENV"] = json.dumps(folders.project, sort_keys=True)
        env["GATE_PROJECT_PATH"] = folders.project["PATH"] or ""
    return env


def select_variables(environ: Mapping[str, str], named: Collection[str], granted: Collection[str]) -> dict[str, str]:
    """Select the caller's variables that an invocation without a network may depend on; see ``build_environment``."""
    found = {*_KEPT, "HOME", "SHELL", *(name for name in (*named, *granted) if not _is_gate_variable(name))}
    return {name: environ[name] for name in sorted(found) if name in environ} | _list_tool_homes(environ)


def list_named_variables(flags: Mapping[str, Any], config: Mapping[str, Any]) -> tuple[str, ...]:
    """List the variables of the flag ``env``, and the values of the configuration key that ``env_from`` names."""
    listed, key = flags.get("env"), flags.get("env_from")
    chosen = config.get(key) if isinstance(key, str) else None
    named = [
        *(listed if isinstance(listed, list | tuple) else ()),
        *(chosen.values() if isinstance(chosen, Mapping) else ()),
    ]
    return tuple(name for name in named if isinstance(name, str))


def _list_tool_homes(environ: Mapping[str, str]) -> dict[str, str]:
    home = environ.get("HOME", "")
    found = {}
    for name, folder in _HOMES.items():
        default = f"{home}/{folder}" if home.startswith("/") else ""
        if name == "GOMODCACHE" and environ.get("GOPATH"):
            # go derives it from GOPATH.
            default = ""
        path = environ.get(name) or default
        if path and Path(path).is_dir():
            found[name] = path
    return found


def _is_gate_variable(name: str) -> bool:
    return name.startswith(("GATE_", "GIT_", "LD_")) or name in {"HOME", "PATH", "TMPDIR", "PWD"}


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name probably holds a secret."""
    return name not in _NOT_SECRET and _SECRET_NAME.search(name) is not None


def find_secret_values(environ: Mapping[str, str], granted: Collection[str] = ()) -> tuple[str, ...]:
    """Find the values to redact from logs, sorted: of variables with secret names or ``granted``, passwords in URLs."""
    found = {value for name, value in environ.items() if name in granted or is_secret_name(name)}
    found |= {match for value in environ.values() for match in _URL_PASSWORD.findall(value)}
    return tuple(sorted(value for value in found if len(value) >= _SHORTEST_SECRET))
