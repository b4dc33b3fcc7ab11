"""Calls of stdin as mail of Django with the backend of ANYMAIL_BACKEND; their results on stdout."""
import json
import os
import sys

from django.conf import settings

SERVICE = os.environ["ANYMAIL_SERVICE"]
KEYS = {"postmark": "POSTMARK_SERVER_TOKEN", "sendgrid": "SENDGRID_API_KEY", "resend": "RESEND_API_KEY"}
settings.configure(
    ANYMAIL={SERVICE.upper() + "_API_URL": os.environ["ANYMAIL_URL"], "SENDGRID_GENERATE_MESSAGE_ID": False},
    DEFAULT_CHARSET="utf-8",
    EMAIL_BACKEND="anymail.backends." + SERVICE + ".EmailBackend",
)

import django  # noqa: E402

django.setup()

from anymail.exceptions import AnymailError  # noqa: E402
from django.core.mail import EmailMultiAlternatives, get_connection  # noqa: E402


def send(given, key):
    setattr(settings, "ANYMAIL", {**settings.ANYMAIL, KEYS[SERVICE]: key})
    mail = EmailMultiAlternatives(
        subject=given["subject"],
        body=given["text"],
        from_email=given["from"],
        to=given["to"],
        cc=given.get("cc"),
        bcc=given.get("bcc"),
        reply_to=given.get("reply_to"),
        headers=given.get("headers"),
        connection=get_connection(),
    )
    if "html" in given:
        mail.attach_alternative(given["html"], "text/html")
    for name, content, kind in given.get("attachments", []):
        mail.attach(name, content, kind)
    for name in ("tags", "metadata", "send_at", "template_id", "merge_global_data", "merge_data", "track_opens"):
        if name in given:
            setattr(mail, name, given[name])
    mail.send()
    status = mail.anymail_status
    recipients = {address: [each.status, each.message_id] for address, each in status.recipients.items()}
    return {"status": sorted(status.status), "recipients": recipients}


def told(call):
    try:
        return {"ok": send(call["args"][0], call["key"])}
    except AnymailError as error:
        code = getattr(error, "status_code", None)
        return {"error": {"class": type(error).__name__, "status": code, "message": str(error)}}


json.dump([told(call) for call in json.load(sys.stdin)], sys.stdout)
