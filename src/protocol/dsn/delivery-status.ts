import { fieldOf, readFields, type Field } from '../mime/read-fields.ts';
import { actions, type Action, type ReportedRecipient } from './report.ts';
import { refusedAt } from './paragraph.ts';
import { mostTelling, readReplyText } from './reply-text.ts';
import { reportedAddress } from './reported-address.ts';

const maxRecipients = 50;
/** A block without any of these is about the message, not about a recipient (RFC 3464 §2.2). */
const ofRecipient = new Set(['final-recipient', 'original-recipient', 'action', 'status', 'diagnostic-code']);

/** The recipients of a `message/delivery-status` (RFC 3464 §2.3), or of what comes close to one. */
export function readDeliveryStatus(text: string): ReportedRecipient[] {
  return text
    .split(/\r?\n[ \t]*(?:\r?\n)+/)
    .flatMap((block) => groups(readFields(block)))
    .filter((fields) => fields.some(({ name }) => ofRecipient.has(name)))
    .slice(0, maxRecipients)
    .flatMap((fields) => readRecipient(fields) ?? []);
}

/** Some writers forget the blank line between recipients: a field that comes again begins another. */
function groups(fields: Field[]): Field[][] {
  const all: Field[][] = [[]];
  for (const field of fields) {
    const last = all.at(-1) ?? [];
    const isAgain = field.name === 'final-recipient' && fieldOf(last, field.name) !== undefined;
    if (isAgain) all.push([field]);
    else last.push(field);
  }
  return all;
}

function readRecipient(fields: Field[]): ReportedRecipient | undefined {
  const reply = readReplyText(withoutType(fieldOf(fields, 'diagnostic-code')) ?? '');
  const given = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldOf(fields, 'status') ?? '')?.[0];
  const action = readAction(fieldOf(fields, 'action'), given ?? reply.status);
  if (action === undefined) return undefined;
  return {
    action,
    final_recipient: reportedAddress(fieldOf(fields, 'final-recipient')),
    original_recipient: reportedAddress(
      fieldOf(fields, 'original-recipient') ?? fieldOf(fields, 'x-actual-recipient'),
    ),
    status: mostTelling(given, reply.status),
    smtp_code: reply.smtp_code,
    diagnostic: reply.text,
    remote_mta: hostOf(fieldOf(fields, 'remote-mta')),
    refused_at: refusedAt(reply.text ?? ''),
  };
}

function readAction(value: string | undefined, status: string | undefined): Action | undefined {
  const word = /^[a-z]+/.exec(value?.toLowerCase() ?? '')?.[0];
  const known = actions.find((action) => action === word);
  if (known !== undefined || status === undefined) return known;
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : 'delivered';
}

/** `smtp; 550 …`: the type says who speaks, which the words say too. */
function withoutType(value: string | undefined): string | undefined {
  return value?.replace(/^[\w-]{1,40}\s*;\s*/, '');
}

function hostOf(value: string | undefined): string | undefined {
  const host = /^[\w.:[\]-]{1,255}/.exec(withoutType(value)?.trim() ?? '')?.[0];
  return host === undefined || host === '' ? undefined : host.toLowerCase();
}
