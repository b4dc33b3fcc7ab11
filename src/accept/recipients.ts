import type { Violation } from '../base/errors/problem.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { DraftRecipient } from './draft.ts';
import type { RawMailbox } from './raw-send-body.ts';
import { sendLimits } from './send-schema.ts';

type Lists = Record<'to' | 'cc' | 'bcc', RawMailbox[]>;

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/;

/** Every address in canonical form, once; the first list it appears in decides whether it is visible. */
export function readRecipients(lists: Lists): { recipients: DraftRecipient[]; violations: Violation[] } {
  const recipients = new Map<string, DraftRecipient>();
  const violations: Violation[] = [];
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [index, given] of lists[kind].entries()) {
      const pointer = `/${kind}/${index}`;
      const mailbox = readMailbox(given, pointer, violations);
      if (!mailbox) continue;
      const key = mailbox.address.toLowerCase();
      if (!recipients.has(key))
        recipients.set(key, { ...mailbox, kind, variables: given.variables, pointer });
    }
  }
  if (recipients.size > sendLimits.recipients) {
    violations.push({
      pointer: '/to',
      code: 'too_long',
      message: `to, cc and bcc together should have at most ${sendLimits.recipients} recipients; split the send`,
      params: { max_length: sendLimits.recipients, actual_length: recipients.size },
    });
  }
  return { recipients: [...recipients.values()], violations };
}

/** One mailbox in canonical form, or its violations. */
export function readMailbox(
  { email, name }: Omit<RawMailbox, 'variables'>,
  pointer: string,
  violations: Violation[],
): { address: string; domain: string; name: string | undefined } | undefined {
  const address = email === undefined ? undefined : canonicalAddress(email);
  if (email !== undefined && !address) violations.push(invalidEmail(`${pointer}/email`));
  if (name && hasControls(name)) violations.push(noControls(`${pointer}/name`));
  return address && { address: address.address, domain: address.domain, name: name || undefined };
}

export function invalidEmail(pointer: string): Violation {
  return { pointer, code: 'value_error.email', message: 'This is not a valid email address' };
}

export function noControls(pointer: string): Violation {
  return {
    pointer,
    code: 'value_error.control_character',
    message: 'Line breaks and other control characters are not allowed here',
  };
}

export function hasControls(text: string): boolean {
  return control.test(text);
}

/** Bidirectional overrides change the visual order of a name: it could look like an address. */
const bidiControl = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether a name can stand in From. */
export function isPlainName(name: string): boolean {
  return !hasControls(name) && !bidiControl.test(name) && name.trim() !== '';
}
