def public(user):
    hidden = {"password"}
    return {key: value for key, value in user.items() if key not in hidden}
