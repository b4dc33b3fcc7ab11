import { erasedAddress, erasedText } from '../base/personal-data.ts';
import type { NewMail, NewMessage } from '../mails/index.ts';
import { withoutRecipients } from '../protocol/mime/without-recipients.ts';
import { readVariables, writeVariables } from '../templates/index.ts';

const isErased = ({ drop_reason }: NewMail): boolean => drop_reason === 'recipient_erased';

/**
 * Mail to an erased person is dropped, and nothing about them is stored again: not the address, and not the content
 * if it had no other recipient.
 */
export function withoutErased(message: NewMessage): NewMessage {
  if (!message.mails.some(isErased)) return message;
  const erased = new Set(message.mails.filter(isErased).map(({ recipient }) => recipient.toLowerCase()));
  const others = ({ address }: { address: string }): boolean => !erased.has(address.toLowerCase());
  const { envelope } = message;
  const mails = message.mails.map((mail) =>
    isErased(mail) ? { ...mail, recipient: erasedAddress, recipient_name: null, subject: erasedText } : mail,
  );
  const left = { ...envelope, to: envelope.to.filter(others), cc: envelope.cc.filter(others) };
  if (!message.mails.every(isErased)) {
    const raw = message.raw && withoutRecipients(message.raw, erased);
    const variables = variablesOfOthers(message.variables, erased);
    return { ...message, mails, raw, envelope: left, variables };
  }
  return {
    ...message,
    mails,
    envelope: { from: envelope.from, to: [], cc: [], subject: erasedText, headers: [] },
    content_kind: 'parts',
    html: null,
    text: Buffer.from(erasedText),
    raw: null,
    variables: null,
    attachments: [],
    custom_msg_id: null,
    tags: null,
  };
}

function variablesOfOthers(variables: Buffer | null, erased: ReadonlySet<string>): Buffer | null {
  const { all, by_recipient } = readVariables(variables);
  const others = Object.entries(by_recipient).filter(([address]) => !erased.has(address));
  return writeVariables({ all, by_recipient: Object.fromEntries(others) });
}
