"""Calls of stdin with Resend's client for Python; their results on stdout."""
import json
import sys

import resend

EMAILS = resend.Emails
OPERATIONS = {
    "send": EMAILS.send,
    "get": EMAILS.get,
    "list": EMAILS.list,
    "update": lambda id, at: EMAILS.update({"id": id, "scheduled_at": at}),
    "cancel": EMAILS.cancel,
    "batch": resend.Batch.send,
    "suppress": lambda email: resend.Suppressions.add({"email": email}),
    "unsuppress": resend.Suppressions.remove,
    "domains": resend.Domains.list,
}


def told(call):
    resend.api_key = call["key"]
    try:
        return {"ok": OPERATIONS[call["op"]](*call["args"])}
    except resend.exceptions.ResendError as error:
        headers = {name.lower(): value for name, value in error.headers.items()}
        return {
            "error": {
                "class": type(error).__name__,
                "name": error.error_type,
                "status": int(error.code),
                "message": error.message,
                "retry_after": headers.get("retry-after"),
            }
        }


json.dump([told(call) for call in json.load(sys.stdin)], sys.stdout)
