def notify(send, people, text):
    for mail in {person.get("mail", "") for person in people}:
        send(mail and text, text)
