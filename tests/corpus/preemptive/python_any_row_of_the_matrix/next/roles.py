"""Roles, the weakest first."""

ORDER = ("guest", "member", "editor", "admin")


def role_of(user, document):
    """Return a user's role for a document: the greater of their own and that of their teams."""
    granted = [user.get("role", "guest")]
    granted += [document.get("teams", {}).get(team, "guest") for team in user.get("teams", ())]
    return max(granted, key=ORDER.index)


def at_least(role, needed):
    """Whether a role is as strong as another."""
    return ORDER.index(role) >= ORDER.index(needed)
