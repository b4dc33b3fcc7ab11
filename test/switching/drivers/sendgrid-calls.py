"""Calls of stdin with SendGrid's client for Python; their results on stdout."""
import json
import os
import sys

import sendgrid
from python_http_client.exceptions import HTTPError


def perform(client, op, args):
    if op == "send":
        return client.send(args[0])
    if op == "mail":
        return client.send(mail_of(args[0]))
    if op == "get":
        return client.client._(args[0]).get()
    if op == "delete":
        return client.client._(args[0]).delete()
    if op == "post":
        return client.client._(args[0]).post(request_body=args[1])


def mail_of(given):
    """The same with the classes of its helpers."""
    mail = sendgrid.Mail(
        from_email=(given["from"], given["name"]),
        to_emails=[sendgrid.To(each) for each in given["to"]],
        subject=given["subject"],
        html_content=given["html"],
        plain_text_content=given["text"],
    )
    mail.add_cc(given["cc"])
    mail.add_bcc(given["bcc"])
    mail.reply_to = sendgrid.ReplyTo(given["reply_to"])
    mail.header = sendgrid.Header(*given["header"])
    mail.category = sendgrid.Category(given["category"])
    mail.custom_arg = sendgrid.CustomArg(*given["custom_arg"])
    name, content, kind = given["attachment"]
    mail.attachment = sendgrid.Attachment(
        sendgrid.FileContent(content),
        sendgrid.FileName(name),
        sendgrid.FileType(kind),
        sendgrid.Disposition("attachment"),
    )
    return mail


def told(call):
    client = sendgrid.SendGridAPIClient(call["key"], host=os.environ["SENDGRID_HOST"])
    try:
        answer = perform(client, call["op"], call["args"])
    except HTTPError as error:
        return {"error": {"class": type(error).__name__, "status": error.status_code, "message": error.body.decode()}}
    body = answer.body.decode()
    return {"ok": {"status": answer.status_code, "id": answer.headers.get("X-Message-Id"), "body": body}}


json.dump([told(call) for call in json.load(sys.stdin)], sys.stdout)
