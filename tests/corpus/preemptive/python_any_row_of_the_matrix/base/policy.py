"""Who may do what with a document."""

from roles import at_least, role_of

NEEDED = {"read": "guest", "comment": "member", "edit": "editor", "delete": "admin"}


def may(user, action, document):
    """Whether a user may do this."""
    if action not in NEEDED:
        raise KeyError(action)
    if document.get("locked") and action in {"edit", "delete"}:
        return role_of(user, document) == "admin"
    if document.get("owner") == user["name"] and action != "delete":
        return True
    return at_least(role_of(user, document), NEEDED[action])


def actions(user, document):
    """Return everything a user may do, in the order of the table."""
    return [action for action in NEEDED if may(user, action, document)]


def refusal(user, action, document):
    """Return why a user may not do this, or None."""
    if may(user, action, document):
        return None
    if document.get("locked") and action in {"edit", "delete"}:
        return "the document is locked"
    return f"needs {NEEDED[action]}"
