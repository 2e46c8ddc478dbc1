def path_length(edges, start, end):
    reached, length = {start}, 0
    while end not in reached:
        reached = {after for place in reached for after in edges.get(place, ())}
        length += 1
    return length
