from unittest.mock import Mock

from notify import notify


def test_who_has_an_address():
    send = Mock()
    notify(send, [{"mail": "ann@example.org"}, {}], "hi")
    send.assert_called_with(*send.call_args.args)


def test_nobody():
    send = Mock()
    notify(send, [], "hi")
    send.assert_not_called()
