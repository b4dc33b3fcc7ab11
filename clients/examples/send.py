"""Sends a mail and prints what became of it. Python 3.9 or newer, no dependency."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ.get("CHASQUI_URL", "http://localhost:8080")


class Problem(Exception):
    """What the service refused: switch on `code`."""

    def __init__(self, document):
        super().__init__(document["detail"])
        self.code = document["code"]
        self.errors = document.get("errors", [])


def call(method, path, body=None, query=None):
    url = BASE_URL + path + (f"?{urllib.parse.urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['CHASQUI_API_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise Problem(json.load(error)) from error


def main():
    sent = call("POST", "/v1/mails/send", {
        "sender_email": "test@demo.sandbox.test",
        "to": [{"email": "delivered@sandbox.test", "name": "Ana"}],
        "subject": "Hello from Python",
        "html": "<p>It works.</p>",
    })
    print(sent["message_id"])

    for mail in call("GET", "/v1/mails", query={"msg_id": sent["message_id"]})["data"]:
        print(mail["mail_id"], mail["to"])

    try:
        call("POST", "/v1/mails/send", {"sender_email": "test@demo.sandbox.test", "to": [], "subject": "Hello"})
    except Problem as problem:
        print(problem.code, [error["pointer"] for error in problem.errors])


# Another program may import `call`.
if __name__ == "__main__":
    main()
