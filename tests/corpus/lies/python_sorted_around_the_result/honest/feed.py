from operator import itemgetter


def newest_first(entries):
    return sorted(entries, key=itemgetter("at"), reverse=True)
