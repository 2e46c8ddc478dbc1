"""Prepare a verification: resolve task, subject, profile, adapters and plan. Nothing is executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from verigate.config.configuration import Configuration
from verigate.config.effective_profile import resolve_profile
from verigate.config.plan_file import find_entry
from verigate.domain.adapter_package import locate_in_copy
from verigate.domain.manifest import Registry
from verigate.domain.plan import Plan
from verigate.domain.policy_source import PolicyUse, PolicyWanted
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import SANDBOX_FILE, Profile
from verigate.domain.standard_artifacts import COMPARES
from verigate.domain.subject import SubjectKind
from verigate.domain.task import Task, Unit
from verigate.domain.task_folder import CLAIM_FILE, task_path
from verigate.errors import SubjectError
from verigate.evidence.sealed_commitment import read_sealed_commitment
from verigate.planning.plan import build_plan
from verigate.planning.touched import leave_out_untouched
from verigate.usecases.policy_changes import (
    allows_policy_change,
    commitment_path,
    describe_landed,
    find_edited_commitment,
    list_policy_changes,
)
from verigate.usecases.request import Request
from verigate.usecases.resolve_task import ResolvedTask, resolve_task, resolve_units, take_landing_claim
from verigate.usecases.services import Services

if TYPE_CHECKING:
    from verigate.domain.grants import Grants


class Prepared(Struct, frozen=True):
    """Everything that is known before a capability runs."""

    task: Task
    workspace: SubjectWorkspace
    configuration: Configuration
    profile: Profile
    registry: Registry
    plan: Plan
    units: tuple[Unit, ...] | None
    policy_changes: tuple[str, ...]
    policy_change_allowed: bool
    warnings: tuple[str, ...] = ()
    grants: Grants = field(default_factory=dict)

    whole: bool = False
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The configuration of each adapter, by its name."""

    @property
    def has_nothing_to_verify(self) -> bool:
        """Whether nobody committed to a task, and the subject neither differs from its base nor carries a mark.

        A subject that is judged as a whole always is something.
        """
        subject = self.workspace.subject
        if self.whole:
            return False
        return self.task.implicit and subject.is_empty and not subject.unverified


def _claim_message(resolved: ResolvedTask, request: Request) -> ResolvedTask:
    """Let an implicit task claim what a commit's message says."""
    if request.states is None or not resolved.task.implicit:
        return resolved
    from verigate.usecases.message_claims import read_message_claim  # few runs judge messages

    claim = read_message_claim(request.states, resolved.task.id, resolved.task.type)
    return replace(resolved, task=replace(resolved.task, claim=claim))


_PYTEST_SETTINGS = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")


def _speaks_of_doctests(workspace: SubjectWorkspace) -> bool:
    """Whether settings of pytest in the base make docstrings tests; those that change are looked at in any case."""
    found = (workspace.read_base_file(name) for name in _PYTEST_SETTINGS if workspace.has_path(name))
    return any(b"doctest" in content for content in found if content is not None)


@contextmanager
def prepare(request: Request, services: Services) -> Iterator[Prepared]:
    """Open the subject and plan its verification. Raises GateError if that can't be done.

    The subject comes first because the claim is read from it, and so are plan, profiles and adapters unless a policy
    ref is set: then they are read from that commit. Whether the subject changes policy is one of the facts.
    """
    resolved = resolve_task(services.root, request.task_id, request.commitment)
    base = request.base or resolved.task.commitment.base
    wanted = PolicyWanted(request.policy_ref, request.policy_use, request.policy_sets_base)
    with services.workspaces.open(
        services.root, kind=request.kind, ref=request.ref, base=base, policy=wanted
    ) as workspace:
        claim = workspace.read_landing(task_path(resolved.task.id, CLAIM_FILE))
        resolved = take_landing_claim(resolved, services.root, claim)
        configuration = services.policy.read(Path(workspace.policy_root))
        entry = find_entry(configuration.plan, resolved.task.type)
        effective = resolve_profile(
            configuration.profiles,
            resolved.task.commitment,
            where=f"{commitment_path(resolved.task.id)} /profile",
            caller=request.profile,
            code_touched=lambda: workspace.code_touched,
            reported=request.statements_reported,
            affected=request.affected,
        )
        profile = effective.profile
        registry = services.adapters.discover(workspace.policy_root, workspace.subject.root)
        if request.policy_use is PolicyUse.TRY:
            from verigate.usecases.try_policy import close_network  # few changes touch policy

            registry = close_network(registry, workspace)
        settings = services.adapters.resolve_settings(configuration, registry)
        resolved = _claim_message(resolve_units(resolved, workspace.has_path), request)
        task = resolved.task
        plan = build_plan(
            task.type,
            entry,
            profile,
            resolved.units or (),
            registry,
            entry_problem=lambda path: services.adapters.find_entry_problem(_locate_in_copy(path, workspace)),
            only=request.only,
            only_planned=request.only_planned,
            statements=task.claim.statements if task.claim else (),
            changed=() if workspace.subject.whole else (change.path for change in workspace.subject.changes),
            runs_doctests=lambda: _speaks_of_doctests(workspace),
            fixes=bool(task.commitment.fixes),
            quick=request.touched and request.kind is SubjectKind.INDEX,
        )
        if workspace.subject.kind is SubjectKind.FOLDER and any(each.name == COMPARES for each in plan.capabilities):
            raise SubjectError(
                "this is not a git repository, and code is compared with a commit",
                where=workspace.subject.root,
                hint="git init and commit, or --only with capabilities that need no commit",
            )
        if request.touched and _is_of_documents(workspace):
            plan = leave_out_untouched(plan, task)
        sealed = None if task.implicit else read_sealed_commitment(services.root, services.environ, task.id)
        edited = find_edited_commitment(task, workspace, sealed)
        base_policy = services.policy.read_base_profiles
        named = bool(request.profile)
        allowed = not edited and allows_policy_change(task.type, profile, workspace, base_policy, named=named)
        landed = workspace.find_landed_policy(task.id) if request.policy_landed and not request.base else {}
        integrity = profile.rules.get("integrity") is True
        # What a change would like to be judged by opens nothing, whatever the trusted profile allows to land.
        opens = (allowed or SANDBOX_FILE in landed) and request.policy_use is not PolicyUse.TRY
        grants, ungranted = _decide_grants(configuration, registry, workspace, policy_change_allowed=opens)
        yield Prepared(
            task,
            workspace,
            configuration,
            profile,
            registry,
            plan,
            resolved.units,
            (*edited, *list_policy_changes(workspace, configuration.baseline, landed, integrity=integrity)),
            allowed,
            (
                *request.notes,
                *workspace.policy_warnings,
                *resolved.warnings,
                *effective.warnings,
                *registry.warnings,
                *ungranted,
                *describe_landed(landed),
            ),
            grants,
            request.whole,
            settings,
        )


def _is_of_documents(workspace: SubjectWorkspace) -> bool:
    """Whether the change is one of documents only. Policy, configuration and every unknown kind of file is code."""
    subject = workspace.subject
    if subject.kind is SubjectKind.FOLDER or subject.is_empty or subject.unverified:
        return False
    return workspace.code_touched is None and not workspace.changed_policy_files


def _decide_grants(
    configuration: Configuration, registry: Registry, workspace: SubjectWorkspace, *, policy_change_allowed: bool
) -> tuple[Grants, tuple[str, ...]]:
    if configuration.sandbox is None:
        return {}, ()
    from verigate.usecases.grants import decide_grants  # most repositories grant nothing

    return decide_grants(configuration.sandbox, registry, workspace, policy_change_allowed=policy_change_allowed)


def _locate_in_copy(path: str, workspace: SubjectWorkspace) -> str:
    """Locate a file of the repository's adapters, or of a package that it pins, in the copy that they run from."""
    root = workspace.subject.root.rstrip("/")
    own = f"{root}/adapters/"
    if path.startswith(own):
        return f"{workspace.policy_root}{path.removeprefix(root)}"
    copied = locate_in_copy(path, root, workspace.policy_root)
    return copied if copied is not None and Path(copied).exists() else path
