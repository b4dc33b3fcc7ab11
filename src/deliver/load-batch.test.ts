import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import type { ClaimedMail } from '../queue/index.ts';
import { loadBatch, loadContent } from './load-batch.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function accepted(template_variables: object): Promise<ClaimedMail[]> {
  const [template] = await service.db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html, is_published, published_at)
     values ($1, 'hello', 'Hi', 'html', $2, $2, true, now()) returning id`,
    [tenant.instance.id, '<p>{{ a }}</p>'],
  );
  const personal = (index: number): object => ({
    email: `p${index}@sandbox.test`,
    variables: template_variables,
  });
  const { status, json, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    template_id: template?.id,
    template_variables,
    to: Array.from({ length: 4 }, (_, index) => personal(index)),
  });
  assert.equal(status, 200, text);
  const rows = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  const { id: instance_id } = tenant.instance;
  return rows.map(({ mail_id }) => ({
    mail_id,
    msg_id: json.message_id as string,
    instance_id,
    destination: 'sandbox.test',
    attempt: 1,
    lease: '',
  })) as unknown as ClaimedMail[];
}

const read = (variables: Buffer | null | undefined): unknown => JSON.parse(String(variables));

test('variables come from the database with their message', async () => {
  const [mail] = await loadBatch(service.db, await accepted({ a: 'ñ' }));
  assert.equal(mail?.message.is_content_left_out, false);
  const p = { a: 'ñ' };
  const by_recipient = Object.fromEntries([0, 1, 2, 3].map((index) => [`p${index}@sandbox.test`, p]));
  assert.deepEqual(read(mail?.message.variables), { all: p, by_recipient });
});

test('many large variables are left out of a batch and read when their mail is built', async () => {
  const claimed = await accepted({ a: 'x'.repeat(60_000) });
  const [mail] = await loadBatch(service.db, claimed);
  assert.deepEqual([mail?.message.is_content_left_out, mail?.message.variables], [true, null]);
  const content = await loadContent(service.db, claimed[0]?.msg_id ?? '');
  assert.equal((read(content?.variables) as { all: { a: string } }).all.a.length, 60_000);
});

test('drops are decided by the present state of the mail’s own instance', async () => {
  const claimed = await accepted({ a: 'x' });
  const other = await service.tenant();
  const restrict = async ({ instance }: Tenant, recipient: string): Promise<void> => {
    const sql = `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'manual')`;
    await service.db.query(sql, [instance.id, recipient]);
  };
  const unsubscribe = async ({ instance }: Tenant, recipient: string, back?: Date): Promise<void> => {
    const sql = `insert into unsubscribes (mail_id, msg_id, instance_id, sender_id, sender, recipient, method, unsubscribed_at,
        resubscribed_at)
      values (gen_random_uuid(), gen_random_uuid(), $1, 1, 'news@example.com', $2, 'page', now(), $3)`;
    await service.db.query(sql, [instance.id, recipient, back]);
  };
  const block = async ({ api }: Tenant, contact: string): Promise<void> => {
    const contacts = [{ contact, contact_type: 'email_address' }];
    const asked = await api.post('/v1/rights-requests', { kind: 'blocking', contacts });
    assert.equal((await api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {})).status, 200);
  };
  for (const address of [0, 1, 2, 3].map((index) => `p${index}@sandbox.test`)) {
    await restrict(other, address);
    await unsubscribe(other, address);
    await block(other, address);
  }
  await restrict(tenant, 'P0@sandbox.test');
  await unsubscribe(tenant, 'P1@sandbox.test');
  await unsubscribe(tenant, 'p2@sandbox.test', new Date());
  await block(tenant, 'P3@sandbox.test');
  const marks = (await loadBatch(service.db, claimed)).map(
    ({ recipient, is_restricted, is_unsubscribed, is_blocked }) => {
      const facts = Object.entries({ is_restricted, is_unsubscribed, is_blocked });
      return [recipient, facts.flatMap(([name, is]) => (is ? name : [])).join()] as const;
    },
  );
  assert.deepEqual(Object.fromEntries(marks), {
    'p0@sandbox.test': 'is_restricted',
    'p1@sandbox.test': 'is_unsubscribed',
    'p2@sandbox.test': '',
    'p3@sandbox.test': 'is_blocked',
  });
});
