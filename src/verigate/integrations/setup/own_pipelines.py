"""Read what a repository's pipelines run and which variables they set: GitHub's workflows and GitLab's pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.pipelines import walk_tables
from verigate.sdk.yaml_documents import load_documents

_WORKFLOWS = ".github/workflows"
_GITLAB = ".gitlab-ci.yml"
_MAX_FILES = 20


def list_pipeline_lines(seen: Scan) -> Iterator[tuple[str, str]]:
    """Yield each line of each step with the path of its pipeline."""
    for path, pipeline in _read_pipelines(seen):
        yield from ((line, path) for line in _list_lines(pipeline))


def list_pipeline_actions(seen: Scan) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield each action that a step uses, without its version: its name, its inputs and the path of the pipeline."""
    for path, pipeline in _read_pipelines(seen):
        for table in walk_tables(pipeline):
            name, inputs = table.get("uses"), table.get("with")
            if isinstance(name, str):
                yield name.partition("@")[0], inputs if isinstance(inputs, dict) else {}, path


def _list_lines(pipeline: Any) -> Iterator[str]:
    for table in walk_tables(pipeline):
        for key in ("run", "script"):
            texts = table.get(key)
            for text in texts if isinstance(texts, list) else [texts]:
                yield from map(str.strip, text.splitlines()) if isinstance(text, str) else ()


def list_pipeline_variables(seen: Scan) -> Iterator[tuple[str, object, str]]:
    """Yield each variable that a pipeline, a job or a step sets: name, value and the path of the pipeline.

    A pipeline that runs no command, but actions alone, checks nothing.
    """
    for path, pipeline in _read_pipelines(seen):
        if next(_list_lines(pipeline), None) is None:
            continue
        for table in walk_tables(pipeline):
            for key in ("env", "variables"):
                entry = table.get(key)
                if isinstance(entry, dict):
                    yield from ((str(name), value, path) for name, value in entry.items())


def _read_pipelines(seen: Scan) -> Iterator[tuple[str, Any]]:
    try:
        names = sorted(each.name for each in (seen.root / _WORKFLOWS).iterdir())
    except OSError:
        names = []
    paths = [f"{_WORKFLOWS}/{name}" for name in names if name.endswith((".yml", ".yaml"))][:_MAX_FILES]
    for path in (*paths, _GITLAB):
        try:
            yield from ((path, document) for document in load_documents(seen.read_text(path)))
        except ValueError:
            continue
