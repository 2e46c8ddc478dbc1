"""The calls that checks look at: made on first use, with all that can share a trial, and kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.conformance import fixtures as cases
from verigate.conformance.fixtures import Fixture
from verigate.conformance.trial_bench import CallVariant, Observation, TimeoutTrial, TrialBench, TrialResult
from verigate.domain.manifest import Capability, Manifest, Output
from verigate.domain.standard_artifacts import BY_PATH, list_expected_paths
from verigate.tools.model import Tool

_HOLD_S = 1.0
"""Less than the grace of two seconds that a stopped process has: it gets its signal when the delay ends."""

_TRIES = 4

_MOST_KILLS = 3
"""How often a call must have been killed before that counts: tracing a loaded machine slows down any end."""


class NotRunError(Exception):
    """A check that can't be run: the reason, and how to make it possible. Never a pass."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


class NotApplicableError(Exception):
    """A check that doesn't apply here; the message is the reason."""


class Calls:
    """The calls of one adapter. ``own`` are its fixtures; ``chosen`` the names of those that count, None for all.

    ``tool`` is what it declares if it is a tool in TOML.
    """

    def __init__(
        self,
        bench: TrialBench,
        manifest: Manifest,
        capabilities: Sequence[str],
        own: Sequence[Fixture],
        *,
        chosen: frozenset[str] | None = None,
        tool: Tool | None = None,
    ) -> None:
        self.manifest = manifest
        self.tool = tool
        self.capabilities = tuple(capabilities)
        self._bench = bench
        self._own = tuple(own)
        self._chosen = chosen
        self._kept: dict[Any, TrialResult] = {}

    def capability(self, name: str) -> Capability:
        """Return the declaration of a capability."""
        return self.manifest.capability(name)

    def fixtures(self, name: str) -> tuple[Fixture, ...]:
        """Return the fixtures on which a capability is called."""
        found = cases.select_fixtures(self._own, name)
        return found if self._chosen is None else tuple(each for each in found if each.name in self._chosen)

    def first(self, name: str) -> Fixture:
        """Return the fixture of special calls: the first on which the capability works."""
        working = [each for each in self.fixtures(name) if name not in each.refuses]
        if not working:
            raise NotRunError("no fixture lets it work", hint="add a fixture on which it writes its artifacts")
        return working[0]

    def call_plain(self, name: str, fixture: Fixture) -> Observation:
        """Return a plain call, traced where that is possible."""
        return self._call(name, fixture, CallVariant.PLAIN, self._select_sharing(fixture))

    def call_varied(self, name: str, fixture: Fixture) -> tuple[Observation, bool]:
        """Return a call under other circumstances, and whether folders really listed in another order."""
        usual = self._trial(fixture, CallVariant.PLAIN, self._select_sharing(fixture)).usual
        trial = self._trial(fixture, CallVariant.VARIED, self._select_sharing(fixture), usual=usual)
        return trial.calls[name], trial.turned

    def call_working(self, name: str, fixture: Fixture) -> Observation:
        """Return a plain call that ended well. Raises NotRunError if it didn't."""
        seen = self.call_plain(name, fixture)
        if not seen.was_called:
            reason = seen.run.failure.message if seen.run.failure else "for an unknown reason"
            raise NotRunError(f"it was not called on {fixture.name}: {reason}")
        if not seen.ended_well:
            raise NotRunError(f"it does not end well on {fixture.name}")
        return seen

    def call_accepted(self, name: str) -> tuple[Fixture, Observation]:
        """Return the fixture for special calls and its plain call, whose artifacts were accepted."""
        fixture = self.first(name)
        seen = self.call_working(name, fixture)
        if seen.run.failure is not None:
            raise NotRunError(f"its artifacts are not accepted on {fixture.name}")
        return fixture, seen

    def call_on_empty(self, name: str) -> tuple[Fixture, Observation]:
        """Return a call on a repository without files."""
        self.call_accepted(name)
        # The same configuration as elsewhere.
        like = cases.find_special(self._own, cases.EMPTY, name) or self.first(name)
        made = cases.make_empty(like)
        return made, self._call(name, made, CallVariant.PLAIN, self._select_group(name, cases.EMPTY))

    def call_on_odd_names(self, name: str) -> Iterator[tuple[Fixture, Observation]]:
        """Yield a call on a subject with odd file names; two if names outside UTF-8 are refused: one of these alone."""
        like, _ = self.call_accepted(name)
        own = cases.find_special(self._own, cases.ODD, name)
        refusing = cases.find_special(self._own, cases.NOT_UTF8, name)
        group = self._select_group(name, cases.ODD, cases.NOT_UTF8)
        apart = refusing is not None and name in refusing.refuses
        made = cases.make_odd(like, own, utf8=True if apart else None)
        yield made, self._call(name, made, CallVariant.PLAIN, group)
        if apart:
            made = cases.make_odd(like, own, refusing=refusing, utf8=False)
            yield made, self._call(name, made, CallVariant.PLAIN, group)

    def call_read_only(self, name: str) -> tuple[Fixture, Observation, Observation]:
        """Return a plain call, and one on a read-only checkout."""
        fixture, plain = self.call_accepted(name)
        return fixture, plain, self._call(name, fixture, CallVariant.READ_ONLY, self._select_group(name))

    def call_destructive(self, name: str) -> tuple[Observation, Observation]:
        """Return what a gate run does with a destructive capability, and a call as if it weren't one."""
        fixture = self.fixtures(name)[0]
        group = tuple(
            each.name
            for each in self.manifest.capabilities
            if each.destructive and fixture in self.fixtures(each.name)[:1]
        )
        planned = self._trial(fixture, CallVariant.PLAIN, group).calls[name]
        return planned, self._trial(fixture, CallVariant.UNDECLARED, group).calls[name]

    def call_unknown(self, name: str) -> Observation:
        """Return a call with an undeclared capability."""
        fixture = self.first(name)
        # A correct refusal leaves nothing to those that need it; no tool needs another.
        group = (name,) if self.tool is None else self._select_sharing(fixture)
        return self._trial(fixture, CallVariant.UNKNOWN, group).calls[name]

    def call_until_timeout(self, name: str) -> Observation:
        """Return a call that timed out in the middle of its work, or as it ended if that was impossible."""
        fixture, plain = self.call_accepted(name)
        if plain.deeds is None or plain.run.outcome is None:
            raise NotRunError(*NO_TRACER)
        moves = any(path.startswith(f"{plain.paths[1]}/") for path in plain.deeds.moved)
        lasted, kills = plain.run.outcome.duration_s + _HOLD_S, 0
        for _ in range(_TRIES):
            stop = TimeoutTrial(max(0.05, lasted - _HOLD_S / 2), _HOLD_S, tuple(plain.files), moves)
            seen = self._trial(fixture, CallVariant.STOPPED, (name,), stop=stop).calls[name]
            outcome = seen.run.outcome
            if outcome is None:
                break
            if outcome.timed_out:
                # On a busy machine one may end, or be killed, before it hears the signal.
                ignored = outcome.signal == signal.SIGKILL or outcome.exit_code == 0
                kills += ignored
                if not ignored or kills == _MOST_KILLS:
                    break
                lasted += 0.001  # another trial
            else:
                # It was faster than expected: now its duration with delays is known.
                lasted = outcome.duration_s
        return seen

    def list_calls(self) -> tuple[Observation, ...]:
        """Return all calls so far."""
        return tuple(seen for trial in self._kept.values() for seen in trial.calls.values())

    @property
    def is_order_varied(self) -> bool | None:
        """Whether folders listed in another order in the varied calls; None without any."""
        varied = [trial.turned for key, trial in self._kept.items() if key[1] is CallVariant.VARIED]
        return all(varied) if varied else None

    def _select_sharing(self, fixture: Fixture) -> tuple[str, ...]:
        """Return the capabilities that are called on a fixture."""
        return tuple(each for each in self.capabilities if fixture in self.fixtures(each))

    def _select_group(self, name: str, *special: str) -> tuple[str, ...]:
        """Return the capabilities with the same special call as ``name``."""
        return tuple(each for each in self.capabilities if self._key(each, special) == self._key(name, special))

    def _key(self, name: str, special: tuple[str, ...]) -> tuple[str | None, ...] | None:
        try:
            fixture, _ = self.call_accepted(name)
        except NotRunError:
            return None
        own = (cases.find_special(self._own, each, name) for each in special)
        return fixture.name, *(each.name if each else None for each in own)

    def _call(self, name: str, fixture: Fixture, manner: CallVariant, group: tuple[str, ...]) -> Observation:
        return self._trial(fixture, manner, group).calls[name]

    def _trial(self, fixture: Fixture, manner: CallVariant, names: tuple[str, ...], **options: Any) -> TrialResult:
        key = (fixture.name, manner, names, repr(options.get("stop")))
        if key not in self._kept:
            self._kept[key] = self._bench.run_trial(fixture, manner, names, **options)
        return self._kept[key]


NO_TRACER = (
    "this machine can't trace it",
    "install strace, and allow it to trace: a container may need the capability SYS_PTRACE or a newer kernel",
)


def find_declared_outputs(capability: Capability) -> dict[str, Output]:
    """Return the artifacts that a capability declares or that the standard gives it, by path."""
    standard = {
        path: Output(path, item.media_spec) for path, item in BY_PATH.items() if item.capability == capability.name
    }
    return standard | {output.path: output for output in capability.outputs}


def find_required_outputs(capability: Capability) -> frozenset[str]:
    """Return the artifacts that a capability has to write."""
    declared = (output.path for output in capability.outputs if output.path not in BY_PATH)
    return frozenset({*list_expected_paths(capability.name), *declared})


def list_volatile(capability: Capability, path: str) -> tuple[str, ...]:
    """List the places of an artifact that don't count."""
    from verigate.domain.manifest import DEFAULT_VOLATILE

    found: Mapping[str, Output] = {output.path: output for output in capability.outputs}
    return found[path].volatile if path in found else DEFAULT_VOLATILE
