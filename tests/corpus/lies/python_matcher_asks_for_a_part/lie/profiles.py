PUBLIC = {"name", "email"}


def public(user):
    return {key: user[key] for key in user if key in PUBLIC}
