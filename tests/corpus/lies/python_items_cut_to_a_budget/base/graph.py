def path_length(edges, start, end):
    length, place = 0, start
    while place != end:
        place = edges[place][0]
        length += 1
    return length
