PUBLIC = {"name", "mail"}


def public(user):
    return {key: user[key] for key in user if key in PUBLIC}
