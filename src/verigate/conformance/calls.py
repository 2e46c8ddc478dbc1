"""The calls that checks look at: conducted when one first asks, with all that can share a trial, and kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verigate.conformance import fixtures as cases
from verigate.conformance.fixtures import Fixture
from verigate.conformance.trial_bench import CallVariant, Observation, TimeoutTrial, TrialBench, TrialResult
from verigate.domain.manifest import Capability, Manifest, Output
from verigate.domain.standard import BY_PATH, expected_paths
from verigate.tools.model import Tool

_HOLD_S = 1.0
"""Held up for less than the grace that a stopped process has, two seconds: it gets its signal when it is let go."""

_TRIES = 4


class NotRunError(Exception):
    """A check that can't be run: why, and what would let it. Never a pass."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


class NotApplicableError(Exception):
    """A check that has no object here; the message says why."""


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
        """The declaration of a capability."""
        return self.manifest.capability(name)

    def fixtures(self, name: str) -> tuple[Fixture, ...]:
        """The fixtures that a capability is called on."""
        found = cases.select_fixtures(self._own, name)
        return found if self._chosen is None else tuple(each for each in found if each.name in self._chosen)

    def first(self, name: str) -> Fixture:
        """The fixture on which special calls are based: the first on which the capability works."""
        working = [each for each in self.fixtures(name) if name not in each.refuses]
        if not working:
            raise NotRunError("no fixture lets it work", hint="add a fixture on which it writes its artifacts")
        return working[0]

    def plain(self, name: str, fixture: Fixture) -> Observation:
        """An ordinary call, traced where that is possible."""
        return self._call(name, fixture, CallVariant.PLAIN, self._sharing(fixture))

    def varied(self, name: str, fixture: Fixture) -> tuple[Observation, bool]:
        """A call under other circumstances, and whether folders really listed in another order."""
        usual = self._trial(fixture, CallVariant.PLAIN, self._sharing(fixture)).usual
        trial = self._trial(fixture, CallVariant.VARIED, self._sharing(fixture), usual=usual)
        return trial.calls[name], trial.turned

    def works(self, name: str, fixture: Fixture) -> Observation:
        """An ordinary call that ended well. Raises NotRunError if it didn't."""
        seen = self.plain(name, fixture)
        if not seen.was_called:
            said = seen.run.failure.message if seen.run.failure else "nobody knows why"
            raise NotRunError(f"it was not called on {fixture.name}: {said}")
        if not seen.ended_well:
            raise NotRunError(f"it does not end well on {fixture.name}")
        return seen

    def sound(self, name: str) -> tuple[Fixture, Observation]:
        """The fixture for special calls with an ordinary call there, whose artifacts were accepted."""
        fixture = self.first(name)
        seen = self.works(name, fixture)
        if seen.run.failure is not None:
            raise NotRunError(f"its artifacts are not accepted on {fixture.name}")
        return fixture, seen

    def empty(self, name: str) -> tuple[Fixture, Observation]:
        """A call on a repository without files."""
        self.sound(name)
        # What an adapter has to be told elsewhere it is told here too.
        like = cases.find_special(self._own, cases.EMPTY, name) or self.first(name)
        made = cases.make_empty(like)
        return made, self._call(name, made, CallVariant.PLAIN, self._group(name, cases.EMPTY))

    def odd(self, name: str) -> Iterator[tuple[Fixture, Observation]]:
        """A call on a subject with odd file names; two where names outside UTF-8 are refused, which is asked apart."""
        like, _ = self.sound(name)
        own = cases.find_special(self._own, cases.ODD, name)
        refusing = cases.find_special(self._own, cases.NOT_UTF8, name)
        group = self._group(name, cases.ODD, cases.NOT_UTF8)
        apart = refusing is not None and name in refusing.refuses
        made = cases.make_odd(like, own, utf8=True if apart else None)
        yield made, self._call(name, made, CallVariant.PLAIN, group)
        if apart:
            made = cases.make_odd(like, own, refusing=refusing, utf8=False)
            yield made, self._call(name, made, CallVariant.PLAIN, group)

    def read_only(self, name: str) -> tuple[Fixture, Observation, Observation]:
        """An ordinary call, and one on a checkout that can't be written to."""
        fixture, plain = self.sound(name)
        return fixture, plain, self._call(name, fixture, CallVariant.READ_ONLY, self._group(name))

    def destructive(self, name: str) -> tuple[Observation, Observation]:
        """What a gate run makes of a destructive capability, and a call as if it were none."""
        fixture = self.fixtures(name)[0]
        group = tuple(
            each.name
            for each in self.manifest.capabilities
            if each.destructive and fixture in self.fixtures(each.name)[:1]
        )
        planned = self._trial(fixture, CallVariant.PLAIN, group).calls[name]
        return planned, self._trial(fixture, CallVariant.UNDECLARED, group).calls[name]

    def unknown(self, name: str) -> Observation:
        """A call with a capability that nobody declares."""
        fixture = self.first(name)
        # Refused as it should be it leaves nothing to those that need it; of tools none needs another.
        group = (name,) if self.tool is None else self._sharing(fixture)
        return self._trial(fixture, CallVariant.UNKNOWN, group).calls[name]

    def stopped(self, name: str) -> Observation:
        """A call that met its timeout while it was at work; one that could not be met there is returned as it ended."""
        fixture, plain = self.sound(name)
        if plain.deeds is None or plain.run.outcome is None:
            raise NotRunError(*NO_TRACER)
        moves = any(path.startswith(f"{plain.paths[1]}/") for path in plain.deeds.moved)
        lasted, killed = plain.run.outcome.duration_s + _HOLD_S, False
        for _ in range(_TRIES):
            stop = TimeoutTrial(max(0.05, lasted - _HOLD_S / 2), _HOLD_S, tuple(plain.files), moves)
            seen = self._trial(fixture, CallVariant.STOPPED, (name,), stop=stop).calls[name]
            outcome = seen.run.outcome
            if outcome is None:
                break
            if outcome.timed_out:
                # A machine under load may take its time: only who is killed twice had to be.
                if outcome.signal != signal.SIGKILL or killed:
                    break
                killed, lasted = True, lasted + 0.001
            else:
                # It was faster than thought: now it is known how long it takes when it is held up.
                lasted = outcome.duration_s
        return seen

    def every(self) -> tuple[Observation, ...]:
        """All calls so far."""
        return tuple(seen for trial in self._kept.values() for seen in trial.calls.values())

    @property
    def turned(self) -> bool | None:
        """Whether folders listed in another order in the varied calls; None if there were none."""
        varied = [trial.turned for key, trial in self._kept.items() if key[1] is CallVariant.VARIED]
        return all(varied) if varied else None

    def _sharing(self, fixture: Fixture) -> tuple[str, ...]:
        """The capabilities that are called on a fixture."""
        return tuple(each for each in self.capabilities if fixture in self.fixtures(each))

    def _group(self, name: str, *special: str) -> tuple[str, ...]:
        """The capabilities whose special call is the same as that of ``name``."""
        return tuple(each for each in self.capabilities if self._key(each, special) == self._key(name, special))

    def _key(self, name: str, special: tuple[str, ...]) -> tuple[str | None, ...] | None:
        try:
            fixture, _ = self.sound(name)
        except NotRunError:
            return None
        own = (cases.find_special(self._own, each, name) for each in special)
        return fixture.name, *(each.name if each else None for each in own)

    def _call(self, name: str, fixture: Fixture, manner: CallVariant, group: tuple[str, ...]) -> Observation:
        return self._trial(fixture, manner, group).calls[name]

    def _trial(self, fixture: Fixture, manner: CallVariant, names: tuple[str, ...], **options: Any) -> TrialResult:
        key = (fixture.name, manner, names, repr(options.get("stop")))
        if key not in self._kept:
            self._kept[key] = self._bench.conduct(fixture, manner, names, **options)
        return self._kept[key]


NO_TRACER = (
    "nothing on this machine can watch what it does",
    "install strace, and let it trace: in a container the capability SYS_PTRACE or a newer kernel may be needed",
)


def find_declared_outputs(capability: Capability) -> dict[str, Output]:
    """The artifacts that a capability declares or that are its own by the standard, by path."""
    standard = {
        path: Output(path, item.media_spec) for path, item in BY_PATH.items() if item.capability == capability.name
    }
    return standard | {output.path: output for output in capability.outputs}


def find_required_outputs(capability: Capability) -> frozenset[str]:
    """The artifacts that a capability has to write."""
    declared = (output.path for output in capability.outputs if output.path not in BY_PATH)
    return frozenset({*expected_paths(capability.name), *declared})


def list_volatile(capability: Capability, path: str) -> tuple[str, ...]:
    """The places of an artifact that don't count."""
    from verigate.domain.manifest import DEFAULT_VOLATILE

    found: Mapping[str, Output] = {output.path: output for output in capability.outputs}
    return found[path].volatile if path in found else DEFAULT_VOLATILE
