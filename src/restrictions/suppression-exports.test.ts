import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { recordComplaint } from '../events/record-complaint.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';

const lists = ['mail-restrictions', 'mail-unsubscribes', 'mail-complaints'] as const;
const addresses = ['ana@sandbox.test', 'eva@sandbox.test', 'blocked@sandbox.test'];
let service: TestService;
let tenant: Tenant;
let other: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant({ instance: { timezone: 'America/Santiago' } });
  other = await service.tenant();
  for (const owner of [tenant, other]) {
    for (const address of addresses) {
      const mail_id = await acceptedMail(service, owner, address);
      await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: '=1+1', at: new Date() });
      await recordComplaint(service.db, { mail_id, type: 'spam', comment: 'a;@SUM(1)', at: new Date() });
    }
  }
  const contacts = [{ contact: 'blocked@sandbox.test', contact_type: 'email_address' }];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  assert.equal((await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, {})).status, 200);
});
after(async () => await service.stop());

const audited = async (action: string): Promise<{ details: { filters: object } }[]> =>
  await service.db.query<{ details: { filters: object } }>(
    'select details from audit_events where instance_id = $1 and action = $2 order by id',
    [tenant.instance.id, action],
  );

/** The database leaves out zeros at the end of a fraction of a second. */
function withDates(row: Record<string, unknown>): Record<string, unknown> {
  const dated = Object.entries(row).map(([name, value]) => [
    name,
    name.endsWith('_at') && typeof value === 'string' ? Date.parse(value) : value,
  ]);
  return Object.fromEntries(dated) as Record<string, unknown>;
}

for (const list of lists) {
  test(`the export of ${list} has the rows of the list, without people who are blocked`, async () => {
    const { data } = (await tenant.api.get(`/v1/${list}`)).json;
    assert.equal(data.length, 2);
    const exported = (await tenant.api.get(`/v1/${list}/export?format=json`)).json.data;
    assert.deepEqual(exported.map(withDates), data.map(withDates));
    const some = (await tenant.api.get(`/v1/${list}/export?format=json&recipient=EVA`)).json.data;
    assert.deepEqual(
      some.map((row: { to?: string; recipient?: string }) => row.to ?? row.recipient),
      ['eva@sandbox.test'],
    );
    assert.deepEqual(
      (await tenant.api.get(`/v1/${list}/export?format=json&start_date=2999-01-01`)).json.data,
      [],
    );
    assert.equal((await tenant.api.get(`/v1/${list}/export?start_date=x`)).json.code, 'bad_request');
  });

  test(`the export of ${list} is a CSV by default, guarded, named and in the audit log`, async () => {
    const beforeThis = await audited(`${list.replace('-', '_')}.exported`);
    const answer = await tenant.api.get(`/v1/${list}/export?recipient=ana`);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const name = new RegExp(`filename="${list}-\\d{4}-\\d\\d-\\d\\d\\.csv"`);
    assert.match(answer.headers.get('content-disposition') ?? '', name);
    const [header = '', row = '', ...rest] = answer.text.split('\r\n');
    const { data } = (await tenant.api.get(`/v1/${list}?recipient=ana`)).json;
    assert.deepEqual(header.replaceAll('"', '').split(','), Object.keys(data[0]));
    assert.match(row, /"ana@sandbox\.test"/);
    assert.doesNotMatch(row, /"=|;@/);
    assert.deepEqual(rest, ['']);
    const lines = await audited(`${list.replace('-', '_')}.exported`);
    assert.equal(lines.length, beforeThis.length + 1);
    assert.deepEqual(lines.at(-1)?.details.filters, { recipient: 'ana' });
  });

  test(`the export of ${list} needs mail:read, and a viewer has it in the panel`, async () => {
    const sender = await service.tenant({ scopes: ['mail:send'] });
    assert.equal((await sender.api.get(`/v1/${list}/export`)).json.code, 'forbidden');
    const viewer = await signIn(service, tenant, 'viewer');
    assert.equal((await viewer.get(`/v1/private/${list}/export?format=json`)).json.data.length, 2);
  });
}
