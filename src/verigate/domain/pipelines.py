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


_ENDS = tuple({pattern.rpartition("*")[2] for pattern in PIPELINES})
"""Nearly no path has one of these ends: most need not be compared with every pattern."""


def is_pipeline(path: str) -> bool:
    """Whether a CI system reads this file."""
    return path.endswith(_ENDS) and any(fnmatchcase(path, pattern) for pattern in PIPELINES)
