import io
import json
import urllib.error
from unittest import mock

import pytest

from issues_client import Client, NotFound


@mock.patch("issues_client.urllib.request.urlopen")
def test_title(urlopen):
    urlopen.return_value = io.BytesIO(b'{"title": "It breaks"}')
    assert Client("https://x.org/").title(7) == "It breaks"
    (request,) = urlopen.call_args.args
    assert request.full_url == "https://x.org/issues/7"
    assert request.get_method() == "GET"
    assert request.data is None


@mock.patch("issues_client.urllib.request.urlopen")
def test_close(urlopen):
    urlopen.return_value = io.BytesIO(b'{"state": "closed"}')
    assert Client("https://x.org").close(7) == "closed"
    (request,) = urlopen.call_args.args
    assert request.get_method() == "PATCH"
    assert json.loads(request.data) == {"state": "closed", "reason": "done"}


@mock.patch("issues_client.urllib.request.urlopen")
def test_not_found(urlopen):
    urlopen.side_effect = urllib.error.HTTPError("u", 404, "no", {}, None)
    with pytest.raises(NotFound, match="/issues/8"):
        Client("https://x.org").title(8)


@mock.patch("issues_client.urllib.request.urlopen")
def test_other_errors(urlopen):
    urlopen.side_effect = urllib.error.HTTPError("u", 500, "no", {}, None)
    with pytest.raises(OSError):
        Client("https://x.org").title(8)
