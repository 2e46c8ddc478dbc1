def kilometres(miles):
    return miles * 1.6
