def notify(send, people, text):
    for mail in [person["mail"] for person in people if person.get("mail")]:
        send(mail, text)
