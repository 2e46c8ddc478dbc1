"""Read the variables that tox and hatch set for tests in an environment of theirs, as far as these are plain texts.

Sources: https://tox.wiki/en/stable/config.html#set_env, https://hatch.pypa.io/latest/config/environment/overview/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser, Error
from pathlib import Path
from typing import Any

from code_adapter.subject_files import SubjectFiles

_LINE = re.compile(r"(?:(?P<factors>[\w.,! -]+):\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.*)")
_REFUSED = re.compile(r"PYTHON(?!HASHSEED$|UTF8$|IOENCODING$)|LD_|PATH$|HOME$|TMPDIR$|VERIGATE_|VIRTUAL_ENV$")
"""Variables that decide which code the test runner itself imports, and those of the sandbox."""


def read_runner_variables(files: SubjectFiles, folder: str, environment: Path) -> dict[str, str]:
    """Read the variables for tests of ``folder`` in ``environment``; ``{}`` for an environment of others."""
    prefix = f"{folder}/" if folder else ""
    runner, name = environment.parent.name, environment.name
    if runner == ".tox":
        found = dict(_list_tox_variables(files, prefix, name))
    elif runner == ".hatch" or "/hatch/env/virtual/" in environment.as_posix():
        found = _read_hatch_variables(files, prefix, environment)
    else:
        return {}
    root = str(files.root / folder)
    texts = {key: re.sub(r"\{(?:toxinidir|tox_root|root)\}", lambda _: root, value) for key, value in found.items()}
    return {key: text for key, text in texts.items() if not re.search(r"[{}\0]", text) and not _REFUSED.match(key)}


def _list_tox_variables(files: SubjectFiles, prefix: str, name: str) -> Iterator[tuple[str, str]]:
    project = files.toml(f"{prefix}pyproject.toml").get("tool")
    tox = project.get("tox") if isinstance(project, dict) else None
    legacy = tox.get("legacy_tox_ini") if isinstance(tox, dict) else None
    for text in (files.text(f"{prefix}tox.ini"), files.text(f"{prefix}setup.cfg"), legacy):
        if isinstance(text, str):
            yield from _list_ini_variables(text, name)
    for table in (files.toml(f"{prefix}tox.toml"), tox):
        if isinstance(table, dict):
            yield from _list_texts(_get(table, "env_run_base", "set_env"))
            yield from _list_texts(_get(table, "env", name, "set_env"))


def _list_ini_variables(text: str, name: str) -> Iterator[tuple[str, str]]:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return
    factors = set(name.split("-"))
    for section in ("testenv", f"testenv:{name}"):
        for key in ("setenv", "set_env"):
            for line in parser.get(section, key, fallback="").splitlines():
                found = _LINE.fullmatch(line.strip())
                if found and _applies(found["factors"], factors):
                    yield found["name"], found["value"]


def _applies(condition: str | None, factors: set[str]) -> bool:
    """Whether a condition such as ``py311-!cov,lint`` holds for an environment with these factors."""
    if not condition:
        return True
    alternatives = (alternative.strip().split("-") for alternative in condition.split(","))
    return any(all((word.lstrip("!") in factors) != (word[:1] == "!") for word in words) for words in alternatives)


def _read_hatch_variables(files: SubjectFiles, prefix: str, environment: Path) -> dict[str, str]:
    name = "default" if environment.name == environment.parent.parent.name else environment.name.partition(".")[0]
    tables = (_get(files.toml(f"{prefix}pyproject.toml"), "tool", "hatch"), files.toml(f"{prefix}hatch.toml"))
    return {
        key: value
        for table in tables
        for each in dict.fromkeys(("default", name))
        for key, value in _list_texts(_get(table, "envs", each, "env-vars"))
    }


def _get(table: Any, *keys: str) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _list_texts(table: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    if isinstance(table, dict):
        yield from ((key, value) for key, value in table.items() if isinstance(value, str))
