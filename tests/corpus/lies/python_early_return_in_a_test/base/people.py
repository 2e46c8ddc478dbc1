PEOPLE = {"margaret": "Margaret Hamilton", "grace": "Grace Hopper"}
NICKNAMES = {"peggy": "margaret"}


def find(name):
    key = name.lower()
    return PEOPLE.get(NICKNAMES.get(key, key))
