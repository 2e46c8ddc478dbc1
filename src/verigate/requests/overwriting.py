"""Refuse what nobody said: to overwrite a file, to take something out of the repository, to do it to "it"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.requests.file_formats import get_extension
from verigate.requests.reading import NotMeant, RequestReading
from verigate.tools.model import Category, SlotType, ToolCapability

_PRONOUNS = frozenset({"it", "them", "these", "those"})
_OVERWRITING = frozenset(
    {"overwrite", "overwriting", "overwritten", "replace", "replacing", "override", "over", "force"}
)


def check_pronoun(reading: RequestReading, capability: ToolCapability) -> None:
    """Refuse a pronoun as what a verb is about, if no name stands before it. Raises NotMeant."""
    if not capability.destructive:
        return
    for index, use in enumerate(reading.used):
        pronoun = reading.get_word(index + 1)
        if use == "trigger" and pronoun in _PRONOUNS and not any(role.start < index for role in reading.roles):
            raise NotMeant(f"what {pronoun!r} is isn't said: name it")


def check_overwriting(reading: RequestReading, capability: ToolCapability, given: Mapping[str, Any]) -> None:
    """Refuse a result outside of the repository, or in the place of another file unless the words say so.

    A copy in the place of a file of another kind is refused even then: its name would say what it isn't. Raises
    NotMeant.
    """
    words = {reading.get_word(index) for index in range(len(reading))}
    sources = list(_list_paths(capability, given, Category.TARGET))
    for slot in capability.slots_of(Category.DESTINATION):
        if slot.type is not SlotType.FILEPATH or slot.name not in given:
            continue
        for path in _as_list(given[slot.name]):
            if capability.destructive and path.startswith("..") and reading.around.exists(".git"):
                raise NotMeant(f"{path} is outside of this repository")
            if path in sources or not reading.around.exists(path) or reading.around.is_folder(path):
                continue
            if slot.extensions and not words & _OVERWRITING:
                raise NotMeant(f"there is a {path} already: say that it is to be overwritten")
            own, kinds = get_extension(path), {get_extension(source) for source in sources}
            if not slot.extensions and own and kinds and all(kinds) and own not in kinds:
                raise NotMeant(f"{path} would hold what {sources[0]} is: convert it, or copy it to another name")


def _list_paths(capability: ToolCapability, given: Mapping[str, Any], category: Category) -> Iterator[str]:
    for slot in capability.slots_of(category):
        if slot.type is SlotType.FILEPATH and slot.name in given:
            yield from _as_list(given[slot.name])


def _as_list(raw: Any) -> list[str]:
    return [str(each) for each in (raw if isinstance(raw, list) else [raw])]
