"""Read title and body of the pull request of a CI job: lines in it may disclose weakenings.

The system's own copy is read, not what the change says of itself. Whoever opens a pull request writes its text.
"""

from __future__ import annotations

from collections.abc import Mapping

from verigate.integrations.ci.github_event import read_event


def read_pull_request(environ: Mapping[str, str]) -> str:
    """Return title and body, with a blank line between; "" for a job without a pull request.

    GitHub and GitLab tell them to a job. Raises UsageError for an event of GitHub that can't be read.
    """
    if environ.get("GITHUB_ACTIONS"):
        event = read_event(environ)
        parts = (event.text("pull_request", "title"), event.text("pull_request", "body"))
    elif environ.get("GITLAB_CI"):
        # https://docs.gitlab.com/ci/variables/predefined_variables/; the description is cut at 2,700 characters.
        parts = (environ.get("CI_MERGE_REQUEST_TITLE"), environ.get("CI_MERGE_REQUEST_DESCRIPTION"))
    else:
        parts = (None, None)
    return "\n\n".join(part for part in parts if part).encode("utf-8", "replace").decode("utf-8")
