"""What is fuzzed: readers of what an agent, a repository, an adapter, a tool, a model or a host may write.

Each module adds its targets to one table; ``ALL`` has them by name.
"""

from __future__ import annotations

from targets import agents, documents, reports, sources, texts, wire
from targets.target import Target

ALL: dict[str, Target] = {
    each.name: each for module in (agents, documents, reports, sources, texts, wire) for each in module.list_targets()
}
