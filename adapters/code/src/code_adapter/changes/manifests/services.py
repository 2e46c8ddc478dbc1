"""What CI and hook runners pull: actions of GitHub's workflows, versions in their matrices, hooks, images.

Sources: GitHub's workflow syntax, pre-commit's manual, the Dockerfile reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from code_adapter.changes.manifests.pin import Pin, Read
from verigate.sdk.yaml_documents import load_documents

_USES = re.compile(
    r"""^\s*(?:-\s+)?["']?uses["']?:\s*["']?([\w.-]+/[\w./-]+)@([\w./+-]+)["']?(?:\s*#\s*(\S+))?""", re.MULTILINE
)
_REMARK = re.compile(r"^\s*rev:\s*[\"']?([0-9a-f]{40})[\"']?\s*#\s*(?:frozen:\s*)?(\S+)", re.MULTILINE)
_FROM = re.compile(
    r"^FROM\s+(?:--\S+\s+)*([\w./-]+?)(?::([\w.-]+))?(?:@sha256:\w+)?(?:\s|$)", re.MULTILINE | re.IGNORECASE
)
_RUNTIMES = {
    "python": "python",
    "python-version": "python",
    "python_version": "python",
    "node": "node",
    "node-version": "node",
    "node_version": "node",
    "go": "go",
    "go-version": "go",
    "java": "java",
    "java-version": "java",
    "rust": "rust",
    "toolchain": "rust",
    "rust-version": "rust",
    "ruby": "ruby",
    "ruby-version": "ruby",
    "php": "php",
    "php-version": "php",
    "php-versions": "php",
    "dotnet": "dotnet",
    "dotnet-version": "dotnet",
    "os": "os",
    "runs-on": "os",
}
_DEPTH = 40


def _read_workflow(source: str) -> Iterator[Pin]:
    for name, ref, remark in _USES.findall(source):
        folder = "/".join(name.split("/")[:2])
        yield Pin("github-actions", name, ref, remark=remark)
        if folder != name:
            yield Pin("github-actions", folder, ref, remark=remark)
    for document in load_documents(source):
        yield from _list_runtimes(document, 0)


def _list_runtimes(value: Any, depth: int) -> Iterator[Pin]:
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            name = _RUNTIMES.get(str(key).lower())
            items = inner if isinstance(inner, list) else [inner]
            if name is not None and all(isinstance(item, str | int | float) for item in items):
                yield from (Pin("runtime", name, str(item), "runtime") for item in items if "${{" not in str(item))
            else:
                yield from _list_runtimes(inner, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _list_runtimes(item, depth + 1)


def _read_hooks(source: str) -> Iterator[Pin]:
    remarks = dict(_REMARK.findall(source))
    for document in load_documents(source):
        for repo in document.get("repos") or ():
            where, rev = str(repo.get("repo", "")), str(repo.get("rev", ""))
            if where not in {"local", "meta", "builtin"}:
                name = re.sub(r"^https?://[^/]+/", "", where).removesuffix(".git").rstrip("/")
                yield Pin("pre-commit", name, rev, remark=remarks.get(rev, ""))
            for hook in repo.get("hooks") or ():
                for more in hook.get("additional_dependencies") or ():
                    found = re.match(r"^((?:@[\w.-]+/)?[\w.-]+)(?:\[[^\]]*\])?\s*(?:[=<>~!]=?|@)\s*(.+)$", str(more))
                    yield Pin("pre-commit", found[1] if found else str(more), found[2] if found else "")


def _read_dockerfile(source: str) -> Iterator[Pin]:
    for name, tag in _FROM.findall(source):
        yield Pin("docker", name, tag)


READERS: tuple[tuple[str, Read], ...] = (
    (".github/workflows/*.yml", _read_workflow),
    (".github/workflows/*.yaml", _read_workflow),
    ("*action.yml", _read_workflow),
    ("*action.yaml", _read_workflow),
    (".pre-commit-config.yaml", _read_hooks),
    ("*Dockerfile", _read_dockerfile),
)
