import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Caller } from '../base/http/access.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { sandboxZone } from '../domains/index.ts';
import { refuseBeyond, type SharedBuckets } from '../limits/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import {
  makeUnsavedContent,
  validateVariables,
  type TemplateContent,
  type TemplateRenderer,
  type UnsavedContent,
  type Variables,
} from '../templates/index.ts';
import type { Acceptance } from './accept-mail.ts';
import type { DraftRecipient } from './draft.ts';
import { invalidEmail } from './recipients.ts';

export interface TestSendContext {
  db: Queryable;
  acceptance: Pick<Acceptance, 'acceptMail'>;
  renderer: TemplateRenderer;
  buckets: SharedBuckets;
}

interface Test {
  template_id: number;
  recipient: 'self' | 'members' | 'sandbox';
  member_ids?: number[];
  sender_email?: string;
  template_variables?: Variables;
  content?: UnsavedContent;
  user_id: number;
  actor: Actor;
}

const audit = auditOf('mail_template');
const perMinute = 10;
/** Of one test. */
export const maxMembers = perMinute;

/**
 * A template as it is saved or being edited, to the user who edits it or to members of the instance: never to an address of the
 * caller's choice.
 */
export async function sendTest(
  context: TestSendContext,
  instance: Caller['instance'],
  test: Test,
): Promise<{ message_id: string; to: string }> {
  const { db, acceptance } = context;
  const { template_id, template_variables = {}, actor } = test;
  const sender = canonicalAddress(test.sender_email ?? `test@${instance.slug}.${sandboxZone}`);
  const refused = validateVariables('/template_variables', template_variables);
  if (!sender) refused.push(invalidEmail('/sender_email'));
  if (refused.length > 0 || !sender) throw validationProblem(refused);
  const recipients = await recipientsOf(db, instance.id, test);
  await limitTests(context.buckets, instance.id, { user_id: test.user_id, count: recipients.length });
  const content = await contentOf(context, instance.id, test);
  const to = recipients.map(({ address }) => address).join(', ');
  const { msg_id } = await acceptance.acceptMail({
    kind: 'template',
    source: 'http',
    instance_id: instance.id,
    sender_email: sender.address,
    recipients,
    template: { id: template_id },
    content,
    template_variables,
    strict_variables: false,
    reply_to: [],
    headers: [],
    attachments: [],
    category: null,
    test_mode: true,
    custom_msg_id: null,
    custom_group_code: null,
  });
  await audit(db, instance.id, { action: 'test_sent', id: template_id, actor, details: { to, msg_id } });
  return { message_id: msg_id, to };
}

async function limitTests(
  buckets: SharedBuckets,
  instanceId: number,
  { user_id, count }: { user_id: number; count: number },
): Promise<void> {
  const key = `test sends ${instanceId} ${user_id}`;
  refuseBeyond(await buckets.take(key, count, { rate: perMinute / 60, burst: perMinute }));
}

/** Of the template where nothing else is given. Both must have something to send. */
async function contentOf(
  { db, renderer }: TestSendContext,
  instanceId: number,
  { template_id, content }: Test,
): Promise<TemplateContent> {
  const [saved] = await db.query<TemplateContent & Record<string, unknown>>(
    'select subject, html, text from mail_templates where instance_id = $1 and id = $2 and deleted_at is null',
    [instanceId, template_id],
  );
  if (!saved) throw new Problem('mail_template_not_found');
  const { subject, html, text } = content ? await makeUnsavedContent(renderer, instanceId, content) : saved;
  if (!subject?.trim() || !html?.trim()) throw new Problem('template_content_required');
  return { subject, html, text };
}

async function recipientsOf(
  db: Queryable,
  instanceId: number,
  { recipient, member_ids = [], user_id }: Test,
): Promise<DraftRecipient[]> {
  const ids = recipient === 'members' ? [...new Set(member_ids)] : [user_id];
  if (ids.length === 0) {
    const message = 'Name the members who get the test';
    throw validationProblem([{ pointer: '/member_ids', code: 'missing', message }]);
  }
  const users = await getMembers(db, instanceId, ids);
  if (recipient !== 'sandbox') return users;
  const name = users[0]?.name;
  return [{ kind: 'to', address: `delivered@${sandboxZone}`, domain: sandboxZone, name }];
}

async function getMembers(db: Queryable, instanceId: number, ids: number[]): Promise<DraftRecipient[]> {
  const users = await db.query<{ email: string; name: string }>(
    `select u.email, u.name from memberships m join users u on u.id = m.user_id
     where m.instance_id = $1 and m.user_id = any ($2::bigint[]) order by u.id`,
    [instanceId, ids],
  );
  if (users.length < ids.length) throw new Problem('user_not_found');
  return users.map(({ email, name }) => {
    const canonical = canonicalAddress(email);
    if (!canonical) throw new Problem('user_not_found');
    return { kind: 'to', address: canonical.address, domain: canonical.domain, name: name || undefined };
  });
}
