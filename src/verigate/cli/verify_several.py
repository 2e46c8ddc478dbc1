"""Choose what ``gate verify`` does where it is to verify several things: a range, or tasks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from verigate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verigate.domain.verification_job import JobSettings


class Several(NamedTuple):
    """What the command line says of several things, as the options of the same names."""

    span: str | None = None
    tasks: Path | None = None
    all_tasks: bool = False
    unverified: bool = False
    shard: str | None = None
    executor: str | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The options that name several things."""
        given = (("--range", self.span), ("--tasks", self.tasks), ("--all", self.all_tasks))
        return tuple(option for option, value in given if value)


def verify_several(
    asked: Several,
    settings: JobSettings,
    *,
    ref: str | None,
    base: str | None,
    output: Path | None,
    excluded: Mapping[str, object],
    as_json: bool,
    verbose: bool,
    advisory: bool,
    quiet: bool,
) -> int:
    """Verify them; return the exit code. ``excluded`` are options that must not be given. Raises UsageError."""
    if not asked.named:
        _refuse_alone(asked)
    _refuse_excluded(asked.named, {**excluded, **({"--ref": ref, "--base": base} if asked.span is not None else {})})
    if asked.span is None:
        refuse_without_range({"--unverified": asked.unverified, "--shard": asked.shard, "--output": output})
        from verigate.cli.run_tasks import run_tasks

        return run_tasks(
            asked.tasks,
            settings,
            ref=ref,
            base=base,
            executor=asked.executor,
            as_json=as_json,
            advisory=advisory,
            quiet=quiet,
        )
    from verigate.cli.run_range import run_range

    return run_range(
        asked.span,
        settings,
        as_json=as_json,
        verbose=verbose,
        advisory=advisory,
        quiet=quiet,
        only_unverified=asked.unverified,
        shard=asked.shard,
        output=output,
        executor=asked.executor,
    )


def refuse_without_range(given: Mapping[str, object]) -> None:
    """Refuse an option that is about the commits of a range. Raises UsageError."""
    option = next((name for name, value in given.items() if value), None)
    if option is not None:
        raise UsageError("it is about the commits of a range", where=option, hint="name them: --range BASE..HEAD")


def _refuse_alone(asked: Several) -> None:
    """Refuse options that choose among several things, where one is verified."""
    refuse_without_range({"--unverified": asked.unverified, "--shard": asked.shard})
    raise UsageError("it verifies several things at once", where="--executor", hint="add --range, --tasks or --all")


def _refuse_excluded(several: Sequence[str], others: Mapping[str, object]) -> None:
    """Refuse two options that name what to verify, and what has no place where that are several things."""
    if len(several) > 1:
        raise UsageError(f"it doesn't go with {several[1]}", where=several[0], hint="verify one after the other")
    given = [name for name, value in others.items() if value]
    if given:
        subject = "--unverified, --shard with --output" if several[0] == "--range" else "--ref, --base"
        hint = (
            f"only --profile, --policy-ref, {subject}, --executor, --stage, --json, --no-llm, --no-cache, "
            "--touched, --verbose and --advisory go with it"
        )
        raise UsageError(f"it doesn't go with {', '.join(given)}", where=several[0], hint=hint)
