from .selection import Selection

__all__ = ["Selection"]
