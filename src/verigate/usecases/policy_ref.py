"""Find the policy ref that is set outside of the repository: by the environment, the CI job, or the user.

Whoever is judged can write every file of the repository. So these come before what the repository itself names, which
``subject.configured_policy`` looks for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from verigate.domain.policy_source import POLICY_VARIABLE, PolicyRef
from verigate.errors import UsageError

_JOBS = (
    ("GITHUB_ACTIONS", "GITHUB_WORKSPACE"),
    ("GITLAB_CI", "CI_PROJECT_DIR"),
    ("BUILDKITE", "BUILDKITE_BUILD_CHECKOUT_PATH"),
    ("JENKINS_URL", "WORKSPACE"),
)
"""A variable that a CI system sets -> the one that holds the folder of the job's checkout."""


def find_policy_ref(root: str, environ: Mapping[str, str]) -> PolicyRef | None:
    """Return the ref that counts for the repository at ``root``: of the environment, else the job's, else the user's.

    A job's counts for its own checkout alone: a test of the project may verify another repository. Raises UsageError
    for an empty variable and for a CI event that can't be read, ConfigError for a user's file that can't be used.
    """
    named = environ.get(POLICY_VARIABLE)
    if named is not None:
        if not named.strip():
            hint = "give it a ref, or unset it"
            raise UsageError("it is empty", where=POLICY_VARIABLE, hint=hint)
        return PolicyRef(named, POLICY_VARIABLE)
    if any(_is_job_of(root, environ, mark, place) for mark, place in _JOBS):
        from verigate.integrations.ci.policy import find_job_ref  # in CI alone

        found = find_job_ref(environ)
        if found is not None:
            return found
    return _find_of_user(root, environ)


def _is_job_of(root: str, environ: Mapping[str, str], mark: str, place: str) -> bool:
    if not environ.get(mark) or not environ.get(place):
        return False
    from verigate.user_folders import is_inside

    return is_inside(root, environ[place])


def _find_of_user(root: str, environ: Mapping[str, str]) -> PolicyRef | None:
    from verigate.user_folders import UserFolders

    path = UserFolders(environ, root).config("policy.json")
    if path is None or not os.path.lexists(path):
        return None
    from verigate.config.user_policy import find_user_ref  # few users have one

    return find_user_ref(path, root)
