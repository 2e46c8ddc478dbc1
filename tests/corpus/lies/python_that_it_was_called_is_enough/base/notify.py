def notify(send, people, text):
    for person in people:
        if person.get("mail"):
            send(person["mail"], text)
