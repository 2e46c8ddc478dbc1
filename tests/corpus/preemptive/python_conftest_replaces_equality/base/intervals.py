"""Spans of whole numbers, and arithmetic with them."""

from span import Span


def merge(spans):
    """Join spans that overlap or touch, and return them in order."""
    merged = []
    for span in sorted(spans, key=lambda item: (item.start, item.stop)):
        if merged and span.start <= merged[-1].stop:
            merged[-1] = Span(merged[-1].start, max(merged[-1].stop, span.stop))
        elif span:
            merged.append(span)
    return merged


def gaps(spans, whole):
    """Return what of a whole no span covers."""
    found, start = [], whole.start
    for span in merge(spans):
        if span.start > start:
            found.append(Span(start, min(span.start, whole.stop)))
        start = max(start, span.stop)
    if start < whole.stop:
        found.append(Span(start, whole.stop))
    return found


def covered(spans):
    """Return how many numbers are in at least one span."""
    return sum(len(span) for span in merge(spans))
