from __future__ import annotations

from pathlib import Path

import pytest

from verigate.processes.environment import Folders, Identity, build_environment, find_secret_values, is_secret_name

IDENTITY = Identity("T_1", "/repo", "abc", "code_default", '{"a": 1}', "/venv/bin/python")
FOLDERS = Folders("/private/home", "/tmp", "/private/bin:/private/core")  # noqa: S108


def environment(environ: dict[str, str], *, network: bool = False, named: tuple[str, ...] = ()) -> dict[str, str]:
    return build_environment(environ, IDENTITY, FOLDERS, network=network, named=named)


def test_the_same_environment_whatever_the_callers_is() -> None:
    one = {"LANG": "tr_TR.UTF-8", "LC_NUMERIC": "de_DE", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "random", "PATH": "/x"}
    other = {"TZ": "America/Lima", "PYTHONPATH": "/evil", "LD_PRELOAD": "/evil.so", "NODE_OPTIONS": "--require /evil"}
    assert environment(one) == environment(other)


def test_what_the_contract_promises() -> None:
    env = environment({})
    assert {name: env[name] for name in env if name.startswith("GATE_")} == {
        "GATE_TASK_ID": "T_1",
        "GATE_REPO_ROOT": "/repo",
        "GATE_BASE": "abc",
        "GATE_CONFIG": '{"a": 1}',
        "GATE_PROFILE": "code_default",
        "GATE_PROTOCOL": "1",
        "GATE_PYTHON": "/venv/bin/python",
    }
    assert env["HOME"] == "/private/home"
    assert env["TMPDIR"] == "/tmp"  # noqa: S108
    assert env["PATH"] == "/private/bin:/private/core"
    assert env["PWD"] == "/repo"
    assert (env["LC_ALL"], env["TZ"], env["PYTHONHASHSEED"]) == ("C.UTF-8", "UTC", "0")
    assert "VIRTUAL_ENV" not in env


def test_the_projects_environment_is_named() -> None:
    env = build_environment({}, IDENTITY, Folders("/h", "/t", "/b", project_envs=("/repo/.venv",)), network=False)
    assert env["VIRTUAL_ENV"] == "/repo/.venv"


def test_git_and_gate_variables_of_the_caller_are_removed() -> None:
    caller = {"GIT_DIR": "/x", "GIT_INDEX_FILE": "/x", "GIT_SSH_COMMAND": "evil", "GATE_ADAPTER_PATH": "/x"}
    env = environment(caller, named=("GIT_DIR", "GATE_CONFIG", "LD_PRELOAD"))
    assert not caller.keys() & env.keys()
    assert env["GIT_OPTIONAL_LOCKS"] == "0"


def test_proxies_and_certificates_only_with_the_network() -> None:
    caller = {"https_proxy": "http://u:pw@proxy:3128", "SSL_CERT_FILE": "/etc/ca.pem"}
    assert not caller.keys() & environment(caller).keys()
    assert caller.items() <= environment(caller, network=True).items()


def test_secrets_never_pass_unless_the_declaration_names_them() -> None:
    caller = {"GITHUB_TOKEN": "ghp_0123456789", "AWS_SECRET_ACCESS_KEY": "abc", "MY_SERVICE_URL": "http://x"}
    assert not caller.keys() & environment(caller, network=True).keys()
    assert environment(caller, named=("GITHUB_TOKEN",))["GITHUB_TOKEN"] == "ghp_0123456789"


def test_tool_homes_default_to_the_callers_home_where_they_exist(tmp_path: Path) -> None:
    (tmp_path / ".cargo").mkdir()
    env = environment({"HOME": str(tmp_path), "GOPATH": "/nowhere"})
    assert env["CARGO_HOME"] == str(tmp_path / ".cargo")
    assert "RUSTUP_HOME" not in env
    assert "GOPATH" not in env


def test_modules_of_go_are_where_its_gopath_says(tmp_path: Path) -> None:
    (tmp_path / "go/pkg/mod").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    assert environment({"HOME": str(tmp_path)})["GOMODCACHE"] == str(tmp_path / "go/pkg/mod")
    env = environment({"HOME": str(tmp_path), "GOPATH": str(tmp_path / "other")})
    assert env["GOPATH"] == str(tmp_path / "other")
    assert "GOMODCACHE" not in env


@pytest.mark.parametrize(
    "name",
    [
        "GITHUB_TOKEN",
        "npm_config__authToken",
        "API_KEY",
        "OPENAI_API_KEY",
        "SSH_KEY",
        "DB_PASSWORD",
        "PGPASSWORD",
        "CLIENT_SECRET",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "SENTRY_DSN",
        "GH_PAT",
        "SIGNING_KEYS",
        "aws_session_token",
        "DATABASE_URL",
    ],
)
def test_names_that_look_like_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "LANG", "PWD", "OLDPWD", "KEYBOARD_LAYOUT", "MONKEY", "TERM", "SHELL", "EDITOR", "COMPASS"]
)
def test_names_that_do_not(name: str) -> None:
    assert not is_secret_name(name)


def test_values_to_redact_are_long_enough_and_include_passwords_in_urls() -> None:
    environ = {
        "API_TOKEN": "abcdef123",
        "USE_TOKEN": "true",
        "INDEX": "https://user:hunter22@host/x",
        "HOME": "/root/x",
    }
    assert find_secret_values(environ) == ("abcdef123", "hunter22")
