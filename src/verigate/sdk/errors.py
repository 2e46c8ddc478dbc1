"""What an adapter raises; ``main`` turns each into a message on stderr and an exit code."""

from __future__ import annotations

from verigate.errors import GateError


class AdapterError(GateError):
    """The facts could not be established. The adapter ends with exit code 1 and the gate counts it as a crash."""

    exit_code = 1
    code = "ADAPTER"


class AdapterUsageError(AdapterError):
    """The adapter was called in a way that makes no sense: flags, files or configuration."""

    exit_code = 2
    code = "ADAPTER_USAGE"


class ToolFailed(AdapterError):  # noqa: N818 - the sentence it is read in: raise ToolFailed("npm ...")
    """A tool could not be started, was killed, ran out of time, or left no usable report."""

    code = "TOOL_FAILED"
