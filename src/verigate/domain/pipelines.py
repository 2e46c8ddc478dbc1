"""The files that CI systems read."""

from __future__ import annotations

from fnmatch import fnmatchcase

PIPELINES = (
    *(".github/workflows/*.y*ml", ".github/actions/*/action.y*ml", ".gitlab-ci.y*ml", ".gitlab/*.y*ml"),
    *(".circleci/*.y*ml", ".travis.y*ml", "azure-pipelines.y*ml", "bitbucket-pipelines.y*ml", ".buildkite/*.y*ml"),
    *(".drone.y*ml", "appveyor.y*ml", ".woodpecker/*.y*ml", ".woodpecker.y*ml", ".forgejo/workflows/*.y*ml"),
    *(".gitea/workflows/*.y*ml", "Jenkinsfile"),
)
"""Patterns of the files that CI systems read."""


def is_pipeline(path: str) -> bool:
    """Whether a CI system reads this file."""
    return any(fnmatchcase(path, pattern) for pattern in PIPELINES)
