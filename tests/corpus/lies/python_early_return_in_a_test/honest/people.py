PEOPLE = {"margaret": "Margaret Hamilton", "grace": "Grace Hopper"}
NICKNAMES = {"peggy": "margaret"}


def find(name):
    key = name.lower()
    real = NICKNAMES[key] if key in NICKNAMES else key
    return PEOPLE.get(real)
