import type { Draft, DraftRecipient } from '../accept/index.ts';
import { boundedText } from '../base/db/storable-text.ts';
import type { Queryable } from '../base/db/database.ts';
import { answersAmong, type Answer } from '../forms/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { TemplateContent, TemplateRenderer } from '../templates/index.ts';
import type { ClaimedBroadcast } from './claim-broadcasts.ts';
import { isErased } from './personal-data.ts';

export interface Recipient {
  position: number;
  contact: string;
}

/** A recipient with what their mail says, or why there is no mail for them. */
export type Prepared = Recipient & ({ to: DraftRecipient } | { refused: string });

type Answers = Record<string, Answer>;

const maxNameCharacters = 255;

/** Fields of the contact that a template reads; undefined when it takes them all, by names that only the rendering knows. */
export type UsedFields = ReadonlySet<string> | undefined;

/** No more of the contact than the template says is stored with a mail. */
export async function usedFields(
  renderer: Pick<TemplateRenderer, 'variables'>,
  instanceId: number,
  content: TemplateContent,
): Promise<UsedFields> {
  const used = await renderer.variables(instanceId, content);
  const ofContact = used.filter(({ path }) => path[0] === 'contact');
  if (ofContact.some(({ path }) => path.length === 1)) return undefined;
  return new Set(ofContact.map(({ path }) => String(path[1])));
}

export async function prepareRecipients(
  db: Queryable,
  instanceId: number,
  { recipients, fields }: { recipients: Recipient[]; fields: UsedFields },
): Promise<Prepared[]> {
  const answers = await answersAmong(
    db,
    instanceId,
    recipients.map(({ contact }) => contact),
  );
  return recipients.map((recipient) =>
    prepare(recipient, { fields, told: answers.get(recipient.contact) ?? {} }),
  );
}

function prepare(recipient: Recipient, { fields, told }: { fields: UsedFields; told: Answers }): Prepared {
  if (isErased(recipient.contact)) return { ...recipient, refused: 'recipient_erased' };
  const canonical = canonicalAddress(recipient.contact);
  if (!canonical) return { ...recipient, refused: 'invalid_address' };
  const { address, domain } = canonical;
  const variables = { contact: contactVariables(told, fields) };
  return { ...recipient, to: { kind: 'to', address, domain, name: nameOf(told), variables } };
}

export function contactVariables(told: Answers, fields: UsedFields): Answers {
  if (!fields) return told;
  return Object.fromEntries(Object.entries(told).filter(([key]) => fields.has(key)));
}

/** As the system fields of forms have it. */
function nameOf(told: Answers): string | undefined {
  const name = [told['FIRST_NAME'], told['LAST_NAME']].filter((part) => typeof part === 'string').join(' ');
  return boundedText(name.replaceAll(/\p{Cc}/gu, ' ').trim(), maxNameCharacters) ?? undefined;
}

type Sent = Pick<
  ClaimedBroadcast,
  'instance_id' | 'sender_email' | 'template_id' | 'purpose_id' | 'group_code'
>;

/** One message to these, each of whom sees only themselves. */
export function draftTo(broadcast: Sent, recipients: DraftRecipient[]): Draft {
  return {
    kind: 'template',
    source: 'http',
    instance_id: broadcast.instance_id,
    sender_email: broadcast.sender_email,
    recipients,
    template: { id: broadcast.template_id },
    template_variables: {},
    strict_variables: false,
    reply_to: [],
    headers: [],
    attachments: [],
    category: null,
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: broadcast.group_code,
    consent_purpose_id: broadcast.purpose_id,
    is_background: true,
  };
}
