"""Rules of the content domain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.content_units import is_lost
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds, refuted, unknown
from verigate.gate.rules.rule import Rule, flag_rule, for_each_artifact


def _word_min(facts: Facts, least: int) -> RuleOutcome:
    tolerance = float(facts.profile.rules.get("word_tolerance") or 0)

    def judge(artifact: Artifact, minimum: int) -> RuleOutcome:
        if not artifact.value["files"]:
            return refuted("WORD_MIN", "no file was counted", 0, cite(artifact, "files"))
        floor = max(1, math.ceil(minimum * (1 - tolerance)))
        total = artifact.value["total"]
        doubtful = artifact.value.get("total_doubtful", 0)
        if total < floor <= total + doubtful:
            message = f"{total} words are shown for certain, {doubtful} more may be hidden, at least {floor} wanted"
            return unknown("WORD_MIN", message, total, cite(artifact, "total"), cite(artifact, "total_doubtful"))
        if total < floor:
            return refuted("WORD_MIN", f"{total} words, at least {floor} wanted", total, cite(artifact, "total"))
        return holds(total, cite(artifact, "total"))

    return for_each_artifact("verigate:wordcount.v1", judge)(facts, least)


@flag_rule
def _words_rendered(artifact: Artifact) -> RuleOutcome:
    if not artifact.value["files"]:
        return refuted("WORDS_UNRENDERED", "no file was counted", 0, cite(artifact, "files"))
    rendered = artifact.value.get("rendered")
    if rendered is True:
        return holds(True, cite(artifact, "rendered"))
    if rendered is None:
        return unknown("WORDS_UNRENDERED", "it doesn't say whether a browser showed the words", None, cite(artifact))
    return refuted("WORDS_UNRENDERED", "no browser showed the words", rendered, cite(artifact, "rendered"))


def _headings_required(artifact: Artifact, wanted: Sequence[str]) -> RuleOutcome:
    if not artifact.value:
        return refuted("HEADING_MISSING", "no file was examined", 0, cite(artifact))
    missing: list[str] = []
    for name in wanted:
        level = name.lower()
        if level in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            lacking = [path for path, entry in artifact.value.items() if not entry.get(level)]
            missing += [f"{level} in {path}" for path in sorted(lacking)]
        elif not any(name in texts for entry in artifact.value.values() for texts in _heading_lists(entry)):
            missing.append(name)
    if missing:
        message = f"{len(missing)} headings are missing: {', '.join(missing[:SHOWN])}"
        return refuted("HEADING_MISSING", message, missing[:SHOWN], cite(artifact))
    return holds(len(wanted), cite(artifact))


def _heading_lists(entry: Mapping[str, Any]) -> list[list[Any]]:
    return [texts for texts in entry.values() if isinstance(texts, list)]


def _list_images(artifact: Artifact) -> list[tuple[str, int, Mapping[str, Any]]]:
    return [(path, index, image) for path, images in artifact.value.items() for index, image in enumerate(images)]


def _images_min(artifact: Artifact, least: int) -> RuleOutcome:
    count = sum(not is_lost(image) for _, _, image in _list_images(artifact))
    if count < max(least, 1):
        return refuted("IMAGE_MISSING", f"{count} images, at least {least} wanted", count, cite(artifact))
    return holds(count, cite(artifact))


@flag_rule
def _images_found(artifact: Artifact) -> RuleOutcome:
    if not artifact.value:
        return refuted("IMAGE_MISSING", "no file was examined", 0, cite(artifact))
    lost = [(path, index, image) for path, index, image in _list_images(artifact) if is_lost(image)]
    if lost:
        refs = (cite(artifact, path, index) for path, index, _ in lost[:SHOWN])
        shown = ", ".join(f"{image['src']} in {path}" for path, _, image in lost[:SHOWN])
        return refuted("IMAGE_MISSING", f"{len(lost)} images are missing: {shown}", len(lost), *refs)
    return holds(0, cite(artifact))


@flag_rule
def _images_alt(artifact: Artifact) -> RuleOutcome:
    if not artifact.value:
        return refuted("IMAGE_MISSING", "no file was examined", 0, cite(artifact))
    bare = [(path, index) for path, index, image in _list_images(artifact) if not str(image.get("alt") or "").strip()]
    if bare:
        refs = (cite(artifact, path, index) for path, index in bare[:SHOWN])
        return refuted("IMAGE_MISSING", f"{len(bare)} images have no alternative text", len(bare), *refs)
    return holds(0, cite(artifact))


@flag_rule
def _quotes_attributed(artifact: Artifact) -> RuleOutcome:
    if not artifact.value:
        return refuted("QUOTE_UNATTRIBUTED", "no file was examined", 0, cite(artifact))
    bare = [
        (path, index)
        for path, quotes in artifact.value.items()
        for index, quote in enumerate(quotes)
        if not str(quote.get("source") or "").strip()
    ]
    if bare:
        refs = (cite(artifact, path, index) for path, index in bare[:SHOWN])
        return refuted("QUOTE_UNATTRIBUTED", f"{len(bare)} quotes name no source", len(bare), *refs)
    invented = [
        (path, index)
        for path, quotes in artifact.value.items()
        for index, quote in enumerate(quotes)
        if quote.get("occurs") is False
    ]
    if invented:
        refs = (cite(artifact, path, index) for path, index in invented[:SHOWN])
        message = f"{len(invented)} quotes are not in the file that they cite"
        return refuted("QUOTE_UNATTRIBUTED", message, len(invented), *refs)
    return holds(0, cite(artifact))


def _files_min(artifact: Artifact, least: int) -> RuleOutcome:
    count = len(artifact.value["files"])
    if count < max(least, 1):
        return refuted("MISSING_UNIT", f"{count} files, at least {least} wanted", count, cite(artifact, "files"))
    return holds(count, cite(artifact, "files"))


JUDGES: Mapping[str, Rule] = {
    "word_min": _word_min,
    "words_rendered": for_each_artifact("verigate:wordcount.v1", _words_rendered),
    "headings_required": for_each_artifact("verigate:headings.v1", _headings_required),
    "images_min": for_each_artifact("verigate:images.v1", _images_min),
    "images_found": for_each_artifact("verigate:images.v1", _images_found),
    "images_alt_required": for_each_artifact("verigate:images.v1", _images_alt),
    "quotes_attributed": for_each_artifact("verigate:quotes.v1", _quotes_attributed),
    "files_min": for_each_artifact("verigate:scan.v1", _files_min),
}
