"""Copy configuration, adapters and hooks, for the gate to read and to run adapters from."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection

from verigate.domain.adapter_package import INSTALLED, PACKAGES_FILE, locate_copies
from verigate.domain.policy_names import CONFIG_FILES, POLICY_FOLDERS, is_policy_file
from verigate.errors import SubjectError
from verigate.subject.git import decode_path
from verigate.subject.outside_programs import is_below
from verigate.subject.pinned_packages import copy_packages, read_pinned_names


def copy_policy(
    checkout: str, target: str, dependencies: Collection[bytes], node_modules: str | None, packages: str | None = None
) -> tuple[str, ...]:
    """Copy the policy files of a checkout in which nothing has run yet; return the links that were left out.

    Links that lead out of the copy are left out, so that every policy byte is part of the subject, except those in the
    ``dependencies`` folders (relative paths), which git ignores: adapters use their content, and no adapter is
    discovered there. Adapters in JavaScript find in parent folders what node looks for: ``package.json`` and a link to
    ``node_modules``. Of the npm packages in the folder ``packages`` (default: the checkout's), those that the subject
    pins are copied, for they are policy as well. Raises SubjectError for a configuration file that is reached through a
    symbolic link, and for a package that is too large.
    """
    refuse_links(checkout)
    os.mkdir(target, 0o755)
    for name in POLICY_FOLDERS:
        source = f"{checkout}/{name}"
        if os.path.isdir(source) and not os.path.islink(source) and os.fsencode(name) not in dependencies:
            shutil.copytree(source, f"{target}/{name}", symlinks=True, copy_function=shutil.copy)
    package = f"{checkout}/package.json"
    if os.path.isfile(package) and not os.path.islink(package):
        shutil.copyfile(package, f"{target}/package.json")
    return settle_policy(target, dependencies, node_modules, packages or f"{checkout}/{INSTALLED}")


def refuse_links(folder: str) -> None:
    """Raise SubjectError for a configuration file that is reached through a symbolic link."""
    real = os.path.realpath(folder)
    for name in CONFIG_FILES:
        if os.path.exists(f"{real}/{name}") and os.path.realpath(f"{real}/{name}") != f"{real}/{name}":
            hint = "replace the link with the file"
            raise SubjectError("the gate's configuration must not be a symbolic link", where=name, hint=hint)


def settle_policy(
    target: str, dependencies: Collection[bytes], node_modules: str | None, packages: str
) -> tuple[str, ...]:
    """Remove from policy files that were written to ``target`` what isn't to be there, and add packages.

    See ``copy_policy``. Raises SubjectError for a package that is too large.
    """
    dropped: list[str] = []
    for name in POLICY_FOLDERS:
        if os.path.isdir(f"{target}/{name}"):
            dropped += _remove_escaping_links(os.fsencode(target), os.fsencode(name), dependencies)
    _remove_unguarded_files(target, dependencies)
    for folder in dependencies:
        if os.path.dirname(folder) == b"adapters":
            _remove_ignored_adapter(os.fsencode(target) + b"/" + folder)
    if node_modules is not None:
        os.symlink(node_modules, f"{target}/node_modules")
    if os.path.lexists(f"{target}/{PACKAGES_FILE}"):
        copy_packages(read_pinned_names(f"{target}/{PACKAGES_FILE}"), packages, locate_copies(target))
    return tuple(dropped)


def _remove_unguarded_files(target: str, dependencies: Collection[bytes]) -> None:
    """Remove the files below adapters/ of no adapter: one could be imported, and its changes go unnoticed."""
    for parent, folders, files in os.walk(f"{target}/adapters"):
        relative = parent[len(target) + 1 :]
        folders[:] = [name for name in folders if os.fsencode(f"{relative}/{name}") not in dependencies]
        for name in files:
            path = f"{relative}/{name}"
            if not is_policy_file(path, lambda known: os.path.lexists(f"{target}/{known}"), lambda _: False):
                os.unlink(f"{target}/{path}")


def _remove_ignored_adapter(folder: bytes) -> None:
    """Remove the files by which discovery would mistake this folder, which git ignores, for the subject's adapter."""
    if os.path.islink(folder) or not os.path.isdir(folder):
        return
    for name in os.listdir(folder):
        path = folder + b"/" + name
        if name != b"manifest.json" and not name.endswith(b".toml"):
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def _remove_escaping_links(target: bytes, name: bytes, dependencies: Collection[bytes]) -> list[str]:
    fence = os.fsdecode(os.path.realpath(target))
    dropped: list[str] = []
    for parent, folders, files in os.walk(target + b"/" + name):
        relative = parent[len(target) + 1 :]
        folders[:] = [folder for folder in folders if relative + b"/" + folder not in dependencies]
        for entry in (*folders, *files):
            path = parent + b"/" + entry
            if os.path.islink(path) and not is_below(os.fsdecode(os.path.realpath(path)), fence):
                os.unlink(path)
                dropped.append(decode_path(relative + b"/" + entry))
    return dropped
