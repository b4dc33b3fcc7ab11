import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { addRestriction } from '../restrictions/change-restrictions.ts';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

async function mailsOf(msgId: string): Promise<{ mail_id: string; recipient: string; status: number }[]> {
  return await service.db.query(
    'select mail_id, recipient, status from mails where msg_id = $1 order by mail_id',
    [msgId],
  );
}
async function send(more: Record<string, unknown> = {}): Promise<string> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test', name: 'Ana' }, { email: 'eva@sandbox.test' }],
    subject: 'Otra vez',
    html: '<p>Hola <a href="{{ unsubscribe_url }}">baja</a></p>',
    custom_msg_id: 'order-7',
    tags: { order: '7' },
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'aG9sYQ==' }],
    ...more,
  });
  return (await mailsOf(json.message_id))[0]?.mail_id ?? '';
}
const resend = async (user: PanelUser, mailId: string) =>
  await user.post(`/v1/private/mails/${mailId}/resend`);
const content = async (mailId: string) => (await developer.get(`/v1/private/mails/${mailId}/content`)).json;

test('the message goes again only to its recipient, as a new one', async () => {
  const mail_id = await send();
  const { status, json } = await resend(developer, mail_id);
  assert.equal(status, 200);
  const mails = await mailsOf(json.message_id);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['ana@sandbox.test'],
  );
  const [first, second] = [await content(mail_id), await content(mails[0]?.mail_id ?? '')];
  assert.notEqual(second.msg_id, first.msg_id);
  assert.equal(second.attachments[0].filename, 'a.txt');
  const plain = (html: string): string => html.replaceAll(/\/u\/[\w-]+/g, '/u/');
  assert.equal(plain(second.html), plain(first.html));
  assert.notEqual(second.html, first.html, 'each has an unsubscribe link of its own');
  const again = (await tenant.api.get(`/v1/mails?msg_id=${json.message_id}&tag=order:7`)).json.data[0];
  assert.deepEqual([again.custom_msg_id, again.tags], ['order-7', { order: '7' }]);
  const [noted] = await service.db.query<{ details: unknown }>(
    `select details from audit_events where action = 'mail.resent' and object_id = $1`,
    [mail_id],
  );
  assert.deepEqual(noted?.details, { msg_id: json.message_id });
});

test('a resend repeats the content that the template had then', async () => {
  const created = await developer.post('/v1/private/mail-templates', {
    name: 'Resend',
    subject: 'Hola {{ name }}',
    source: '<p>{{ name }} <a href="{{ unsubscribe_url }}">x</a></p>',
  });
  assert.equal(created.status, 201, created.text);
  const template_id: number = created.json.id;
  await developer.post(`/v1/private/mail-templates/${template_id}/publish`);
  const mail_id = await send({
    html: undefined,
    subject: undefined,
    attachments: undefined,
    template_id,
    template_variables: { name: 'Ñusta' },
  });
  const { json } = await resend(developer, mail_id);
  const [mail] = await mailsOf(json.message_id);
  const { html } = await content(mail?.mail_id ?? '');
  assert.match(html, /Ñusta <a href="http[^"]+\/u\/[\w-]+"/);
});

test('a recipient restricted since then gets nothing', async () => {
  const mail_id = await send({ to: [{ email: 'gone@sandbox.test' }] });
  await addRestriction(service.db, tenant.instance.id, {
    restriction: { recipient: 'gone@sandbox.test' },
    actor: { kind: 'operator' },
  });
  const { json } = await resend(developer, mail_id);
  assert.equal((await mailsOf(json.message_id))[0]?.status, 4);
});

test('viewers and strangers resend nothing', async () => {
  const mail_id = await send();
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await resend(viewer, mail_id)).json.code, 'forbidden');
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await resend(stranger, mail_id)).json.code, 'mail_not_found');
});
