"""Find the project's own Python environment as its tools would, without running any of them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from verigate.user_folders import CACHE, CONFIG, resolve_base_folder

IN_TREE = (".venv", "venv")


def is_virtual_environment(path: str) -> bool:
    """Whether a virtual environment (PEP 405) exists at this path."""
    return os.path.isfile(f"{path}/pyvenv.cfg") and os.access(f"{path}/bin/python", os.X_OK)


def find_project_env(root: str, environ: Mapping[str, str], gate_prefix: str, *, poetry: bool) -> str | None:
    """Find the environment of the project at ``root`` (absolute path), None if it has none.

    In order: UV_PROJECT_ENVIRONMENT, ``.venv``, ``venv``, the caller's VIRTUAL_ENV unless that is the gate's own
    (``gate_prefix``), and with ``poetry`` the one that poetry keeps in its cache for this folder.
    """
    candidates = [os.path.join(root, name) for name in IN_TREE]
    uv = environ.get("UV_PROJECT_ENVIRONMENT")
    if uv:
        candidates.insert(0, os.path.normpath(os.path.join(root, uv)))
    active = environ.get("VIRTUAL_ENV")
    if active and os.path.isabs(active) and os.path.realpath(active) != os.path.realpath(gate_prefix):
        candidates.append(os.path.normpath(active))
    found = next((path for path in candidates if is_virtual_environment(path)), None)
    return found or (_find_poetry_env(root, environ) if poetry else None)


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
        found = [path for path in glob.glob(f"{glob.escape(folder)}/*-{mark}-py3.*") if is_virtual_environment(path)]
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
