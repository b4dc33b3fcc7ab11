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
import { invalidEmail } from './recipients.ts';

export interface TestSendContext {
  db: Queryable;
  acceptance: Pick<Acceptance, 'acceptMail'>;
  renderer: TemplateRenderer;
  buckets: SharedBuckets;
}

interface Test {
  template_id: number;
  recipient: 'self' | 'sandbox';
  sender_email?: string;
  template_variables?: Variables;
  content?: UnsavedContent;
  user_id: number;
  actor: Actor;
}

const audit = auditOf('mail_template');
const perMinute = 10;

/** A template as it is saved or being edited, to the user who edits it: never to an address of the caller's choice. */
export async function sendTest(
  context: TestSendContext,
  instance: Caller['instance'],
  test: Test,
): Promise<{ message_id: string; to: string }> {
  const { db, acceptance } = context;
  const { template_id, recipient, template_variables = {}, actor } = test;
  const sender = canonicalAddress(test.sender_email ?? `test@${instance.slug}.${sandboxZone}`);
  const refused = validateVariables('/template_variables', template_variables);
  if (!sender) refused.push(invalidEmail('/sender_email'));
  if (refused.length > 0 || !sender) throw validationProblem(refused);
  await limitTests(context.buckets, instance.id, test.user_id);
  const content = await contentOf(context, instance.id, test);
  const user = await getUser(db, test.user_id);
  const to = recipient === 'sandbox' ? `delivered@${sandboxZone}` : user.address;
  const domain = to.slice(to.lastIndexOf('@') + 1);
  const { msg_id } = await acceptance.acceptMail({
    kind: 'template',
    source: 'http',
    instance_id: instance.id,
    sender_email: sender.address,
    recipients: [{ kind: 'to', address: to, domain, name: user.name || undefined }],
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

async function limitTests(buckets: SharedBuckets, instanceId: number, userId: number): Promise<void> {
  const key = `test sends ${instanceId} ${userId}`;
  refuseBeyond(await buckets.take(key, 1, { rate: perMinute / 60, burst: perMinute }));
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

async function getUser(db: Queryable, userId: number): Promise<{ address: string; name: string }> {
  const [user] = await db.query<{ email: string; name: string }>(
    'select email, name from users where id = $1',
    [userId],
  );
  const address = canonicalAddress(user?.email ?? '');
  if (!user || !address) throw new Problem('user_not_found');
  return { address: address.address, name: user.name };
}
