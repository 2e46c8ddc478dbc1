"""Read what a CI system reports about the change of a job."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from verigate.errors import SubjectError
from verigate.integrations.ci.github_event import Event, read_event

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Change(Struct, frozen=True):
    """A change as a CI system reports it; None is not reported.

    ``merged``: the commit by which the system itself merged the change for this job. ``onto``: the commit, ``target``:
    the branch that it will be merged into. ``branch``: the branch that was pushed, ``before``: its earlier tip, all
    zeros for a new one. ``default``: the default branch.
    """

    merged: str | None = None
    onto: str | None = None
    target: str | None = None
    branch: str | None = None
    before: str | None = None
    default: str | None = None


def read_change(environ: Mapping[str, str]) -> Change:
    """Read the change of this job from the variables of GitHub, GitLab, Buildkite or Jenkins; elsewhere it is empty.

    Raises UsageError for an event of GitHub that can't be read, SubjectError for a commit that isn't one.
    """
    if environ.get("GITHUB_ACTIONS"):
        return _from_github(environ, read_event(environ))
    if environ.get("GITLAB_CI"):
        return _from_gitlab(environ)
    if environ.get("BUILDKITE"):
        return _from_buildkite(environ)
    if environ.get("JENKINS_URL"):
        return _from_jenkins(environ)
    return Change()


def is_push(environ: Mapping[str, str]) -> bool:
    """Whether the job was started by a push, or can't say that it wasn't."""
    if environ.get("GITHUB_ACTIONS"):
        return environ.get("GITHUB_EVENT_NAME") == "push"
    if environ.get("GITLAB_CI"):
        return environ.get("CI_PIPELINE_SOURCE", "push") == "push"
    if environ.get("BUILDKITE"):
        return environ.get("BUILDKITE_SOURCE", "webhook") == "webhook"
    return bool(environ.get("JENKINS_URL"))


def _from_github(environ: Mapping[str, str], event: Event) -> Change:
    """https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows."""
    default = event.text("repository", "default_branch")
    if event.name == "merge_group":
        return Change(
            onto=_check_commit(event.text("merge_group", "base_sha"), "merge_group.base_sha"),
            target=_parse_branch(event.text("merge_group", "base_ref") or ""),
            default=default,
        )
    if event.is_pull_request:
        # A head that is checked out instead is its author's: its first parent proves nothing. Forges that run the same
        # actions without a merge of their own (Gitea, Forgejo) name the head.
        is_merge = event.name == "pull_request" and environ.get("GITHUB_REF", "").endswith("/merge")
        is_merge = is_merge and environ.get("GITHUB_SHA") != event.text("pull_request", "head", "sha")
        return Change(
            merged=environ.get("GITHUB_SHA") if is_merge else None,
            onto=_check_commit(event.text("pull_request", "base", "sha"), "pull_request.base.sha"),
            target=event.text("pull_request", "base", "ref"),
            default=default,
        )
    branch = _parse_branch(environ.get("GITHUB_REF", ""))
    if event.name == "schedule":
        # A schedule reports only its time, and runs only on the default branch.
        return Change(branch=branch, default=branch)
    before = _check_commit(event.text("before"), "before") if event.name == "push" else None
    return Change(branch=branch, before=before, default=default)


def _from_gitlab(environ: Mapping[str, str]) -> Change:
    """https://docs.gitlab.com/ci/variables/predefined_variables/."""
    default = environ.get("CI_DEFAULT_BRANCH") or None
    # The first is set only where GitLab merged the change for this pipeline: then the second is too old.
    for name in ("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA"):
        if environ.get(name):
            target = environ.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME") or None
            return Change(onto=_check_commit(environ[name], name), target=target, default=default)
    before = _check_commit(environ.get("CI_COMMIT_BEFORE_SHA") or None, "CI_COMMIT_BEFORE_SHA")
    # Zeros mean a new branch, but a schedule and a run by hand as well.
    earlier = before if before is not None and before.strip("0") else None
    return Change(branch=environ.get("CI_COMMIT_BRANCH") or None, before=earlier, default=default)


def _from_buildkite(environ: Mapping[str, str]) -> Change:
    """https://buildkite.com/docs/pipelines/configure/environment-variables; the tip before a push isn't reported."""
    return Change(
        target=environ.get("BUILDKITE_PULL_REQUEST_BASE_BRANCH") or None,
        branch=environ.get("BUILDKITE_BRANCH") or None,
        default=environ.get("BUILDKITE_PIPELINE_DEFAULT_BRANCH") or None,
    )


def _from_jenkins(environ: Mapping[str, str]) -> Change:
    """https://www.jenkins.io/doc/book/pipeline/multibranch/ and the git plugin."""
    branch = environ.get("BRANCH_NAME") or None
    name = "GIT_PREVIOUS_SUCCESSFUL_COMMIT"
    return Change(
        target=environ.get("CHANGE_TARGET") or None,
        branch=branch,
        before=_check_commit(environ.get(name) or None, name),
        default=branch if environ.get("BRANCH_IS_PRIMARY") == "true" else None,
    )


def _parse_branch(reference: str) -> str | None:
    found = reference.removeprefix("refs/heads/")
    return found if found and found != reference else None


def _check_commit(text: str | None, where: str) -> str | None:
    if text is not None and not _COMMIT.fullmatch(text):
        raise SubjectError(f"{text!a} is not a commit", where=where, hint="name the base with --base")
    return text
