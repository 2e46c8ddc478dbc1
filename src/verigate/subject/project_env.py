"""Find the project's own Python environments as its tools would, without running any of them.

In the repository: what uv and ``python -m venv`` make, pdm's choice, the environments of nox, tox and hatch. Elsewhere:
the active one, conda's, and those that poetry, pipenv and hatch keep for this folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from verigate.user_folders import CACHE, CONFIG, DATA, resolve_base_folder

IN_TREE = (".venv", "venv")
_OF_RUNNERS = (".hatch", ".nox", ".tox")
_MOST = 12
_FOR_TESTS = re.compile(r"py\d?|py3[.-]?\d+|python[\d.-]*|tests?(?:[-.]?\d.*)?|default|dev|hatch-test.*")
_OTHER = re.compile(
    r"lint|isort|flake|ruff|black|check|doc|typ(?:e|ing)|mypy|format|style|package|pre-?commit|build|release|bench|coverage|cover"
)
_OF_PYTHON = re.compile(r"py(?:py)?[23][.]?\d*-.+")
"""Environments of tox for a version of Python with something else."""

_DIGITS = re.compile(r"\d+")


def is_environment(path: str) -> bool:
    """Whether a virtual environment (PEP 405) or one of conda's exists at this path."""
    return os.access(f"{path}/bin/python", os.X_OK) and (
        os.path.isfile(f"{path}/pyvenv.cfg") or os.path.isdir(f"{path}/conda-meta")
    )


def find_project_envs(
    root: str, environ: Mapping[str, str], gate_prefix: str, *, tracked: Iterable[bytes]
) -> list[str]:
    """Find the environments of the project at ``root`` (absolute path), the one that its developers would use first.

    ``tracked`` are the subject's paths: an environment or a note of one that is part of it doesn't count.
    ``gate_prefix`` is the gate's own environment, which isn't the project's just because it is active. A tool takes the
    first one that has what it needs: some projects keep their linters and their tests apart. What is active counts only
    without one in the repository: it may be another project's, unlike what a manager keeps for this folder.
    """
    names = {os.fsdecode(name) for name in tracked if b"/" not in name}
    found = [path for path in _list_in_tree(root, environ) if is_environment(path)]
    if not found:
        found += [path for path in _list_active(root, environ, gate_prefix, names) if is_environment(path)]
    found += _list_kept(root, environ, names)
    found += _list_of_runners(root)
    return list(dict.fromkeys(found))[:_MOST]


def _list_in_tree(root: str, environ: Mapping[str, str]) -> Iterator[str]:
    uv = environ.get("UV_PROJECT_ENVIRONMENT")
    if uv:
        yield os.path.normpath(os.path.join(root, uv))
    yield from (os.path.join(root, name) for name in IN_TREE)
    yield from _list_folders(root)


def _list_active(root: str, environ: Mapping[str, str], gate_prefix: str, names: set[str]) -> Iterator[str]:
    if ".pdm-python" not in names and (python := _read_line(f"{root}/.pdm-python")).endswith("/bin/python"):
        yield os.path.normpath(python.removesuffix("/bin/python"))
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        active = environ.get(variable)
        if active and os.path.isabs(active) and os.path.realpath(active) != os.path.realpath(gate_prefix):
            yield os.path.normpath(active)


def _list_kept(root: str, environ: Mapping[str, str], names: set[str]) -> list[str]:
    """List what managers keep outside of the repository for this folder."""
    if "poetry.lock" in names and (poetry := _find_poetry_env(root, environ)):
        return [poetry]
    kept = chain(
        _list_pipenv(root, environ) if "Pipfile" in names else (),
        _list_hatch(root, environ) if names.intersection({"pyproject.toml", "hatch.toml"}) else (),
    )
    return [path for path in kept if is_environment(path)]


def _list_of_runners(root: str) -> list[str]:
    folders = chain.from_iterable(_list_folders(f"{root}/{runner}") for runner in _OF_RUNNERS)
    return sorted((path for path in folders if is_environment(path)), key=_rank)


def _rank(path: str) -> tuple[int, list[int], str]:
    """Order environments: those for tests, of the newest Python, first."""
    name = os.path.basename(path).lower()
    if _FOR_TESTS.fullmatch(name):
        purpose = 0
    elif _OTHER.search(name):
        purpose = 2
    else:
        purpose = 0 if _OF_PYTHON.fullmatch(name) else 1
    numbers = [int(digits) for digits in _DIGITS.findall(name)]
    return purpose, [-number for number in numbers], name


def _list_folders(parent: str) -> list[str]:
    """List the folders in ``parent``, sorted; those whose name begins with a dot last."""
    try:
        with os.scandir(parent) as entries:
            found = [entry.name for entry in entries if entry.is_dir()]
    except OSError:
        return []
    return [f"{parent}/{name}" for name in sorted(found, key=lambda name: (name.startswith("."), name))]


def _read_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096).partition(b"\n")[0].strip())
    except OSError:
        return ""


def _list_pipenv(root: str, environ: Mapping[str, str]) -> Iterator[str]:
    place = environ.get("WORKON_HOME") or f"{resolve_base_folder(environ, DATA) or ''}/virtualenvs"
    for path in _list_folders(place):
        if _read_line(f"{path}/.project") == root:
            yield path


def _list_hatch(root: str, environ: Mapping[str, str]) -> list[str]:
    """List hatch's environments: ``env/virtual/<project>/<first 8 of urlsafe base64 of sha256 of the path>/<name>``."""
    import base64
    import glob
    import hashlib

    data = environ.get("HATCH_DATA_DIR") or f"{resolve_base_folder(environ, DATA) or ''}/hatch"
    mark = base64.urlsafe_b64encode(hashlib.sha256(os.fsencode(root)).digest()).decode("ascii")[:8]
    return sorted(glob.glob(f"{glob.escape(data)}/env/virtual/*/{mark}/*"), key=_rank)


def _find_poetry_env(root: str, environ: Mapping[str, str]) -> str | None:
    # `poetry env info` takes half a second and may install the plug-ins that the subject's pyproject.toml asks for.
    # The name it would find is "<project>-<first 8 of urlsafe base64 of sha256 of the real path>-py3.N"
    # (EnvManager.generate_env_name).
    import base64
    import glob
    import hashlib

    digest = hashlib.sha256(os.fsencode(os.path.realpath(root))).digest()
    mark = base64.urlsafe_b64encode(digest).decode("ascii")[:8]
    for folder in _list_poetry_folders(environ):
        found = [path for path in glob.glob(f"{glob.escape(folder)}/*-{mark}-py3.*") if is_environment(path)]
        if found:
            return max(found, key=lambda path: int("0" + path.rsplit("-py3.", 1)[1].split(".")[0].split("-")[0]))
    return None


def _list_poetry_folders(environ: Mapping[str, str]) -> list[str]:
    import tomllib

    cache = environ.get("POETRY_CACHE_DIR") or f"{resolve_base_folder(environ, CACHE) or ''}/pypoetry"
    config = environ.get("POETRY_CONFIG_DIR") or f"{resolve_base_folder(environ, CONFIG) or ''}/pypoetry"
    folders = [environ.get("POETRY_VIRTUALENVS_PATH")]
    try:
        with open(f"{config}/config.toml", "rb") as file:
            settings = tomllib.load(file)
        cache = environ.get("POETRY_CACHE_DIR") or settings.get("cache-dir") or cache
        folders.append(settings.get("virtualenvs", {}).get("path"))
    except (OSError, ValueError, AttributeError):
        pass  # without a readable configuration poetry's defaults apply
    folders.append("{cache-dir}/virtualenvs")
    return [folder.replace("{cache-dir}", str(cache)) for folder in folders if isinstance(folder, str)]
