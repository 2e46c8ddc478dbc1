def kilometres(miles):
    return miles * 1.609344
