def may_edit(role, *, locked, own):
    """Whether a user of this role may edit a page."""
    if role == "admin":
        return True
    if role == "editor":
        return not locked
    if role == "author":
        return own and not locked
    return False
