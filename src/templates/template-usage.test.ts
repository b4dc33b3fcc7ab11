import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/mail-templates';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

async function createPublished(): Promise<number> {
  const { json } = await developer.post(path, {
    name: 'Order',
    subject: 'Order {{ order }}',
    source: '<p>{{ recipient.name }}: {{ order }}.</p>',
  });
  await developer.post(`${path}/${json.id}/publish`);
  return json.id;
}

const send = async (body: object) => {
  const { status, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    ...body,
  });
  assert.equal(status, 200, text);
};

test('usage counts the newest mails that were sent with it, tests apart, and names the forms that answer with it', async () => {
  const id = await createPublished();
  const other = await createPublished();
  const usage = async () => (await viewer.get(`${path}/${id}/usage`)).json;
  assert.deepEqual(await usage(), {
    forms: [],
    recent_mails: 0,
    recent_mails_with_it: 0,
    last_sent_at: null,
  });
  await send({ template_id: id });
  await send({ template_id: id, test_mode: true });
  await send({ template_id: other });
  await send({ subject: 'Without', html: '<p>one</p>' });
  const { json: fields } = await developer.get('/v1/private/fields');
  const email = fields.data.find(({ field_key }: { field_key: string }) => field_key === 'EMAIL');
  const { json: senders } = await developer.get('/v1/private/senders');
  const form = await developer.post('/v1/private/forms', {
    name: 'Newsletter',
    kind: 'advanced',
    type: 'registration',
    auto_reply_sender_id: senders.data[0].id,
    settings: { auto_reply: { template_id: id } },
    items: [{ kind: 'field', field_id: email.id }],
  });
  assert.equal(form.status, 201, form.text);
  const { last_sent_at, ...counts } = await usage();
  assert.deepEqual(counts, {
    forms: [{ id: form.json.id, name: 'Newsletter' }],
    recent_mails: 4,
    recent_mails_with_it: 1,
  });
  assert.ok(Date.now() - Date.parse(last_sent_at) < 60_000);
  const stranger = await service.tenant();
  await stranger.api.post('/v1/mails/send', {
    sender_email: `test@${stranger.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Of another instance',
    html: '<p>one</p>',
  });
  await service.db.query(
    `insert into forms (instance_id, name, kind, type, public_token, settings)
     select $2, name, kind, type, reverse(public_token), settings from forms where id = $1`,
    [form.json.id, stranger.instance.id],
  );
  assert.deepEqual(await usage(), { ...counts, last_sent_at }, 'others count for nothing');
});

test('a saved template is shown for the sample recipient', async () => {
  const id = await createPublished();
  const { status, json } = await viewer.get(`${path}/${id}/preview`);
  assert.equal(status, 200);
  assert.deepEqual(json, { subject: 'Order ', html: '<p>Ana Rojas: .</p>', text: null });
});

test('a template of another instance has neither preview nor usage', async () => {
  const id = await createPublished();
  const stranger = await signIn(service, await service.tenant(), 'owner');
  for (const each of ['preview', 'usage']) {
    const { status, json } = await stranger.get(`${path}/${id}/${each}`);
    assert.deepEqual([status, json.code], [404, 'mail_template_not_found']);
  }
});
