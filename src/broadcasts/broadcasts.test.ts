import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { openBroadcastAccount, type BroadcastAccount } from './broadcast-account.fixture.ts';

let service: TestService;
let account: BroadcastAccount;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await openBroadcastAccount(service);
});
after(async () => await service.stop());

const codesOf = ({ json }: { json: { errors: { pointer: string; code: string }[] } }) =>
  json.errors.map(({ pointer, code }) => `${pointer} ${code}`);

test('a draft is created, changed, found by its name, and read as it was written', async () => {
  const { api, marketing } = account;
  const draft = await account.draft({
    name: 'Verano',
    audience: { purpose_id: marketing, exclude: [' Ana@Example.com '], conditions: [] },
    schedule_at: '2026-12-24T12:00:00Z',
  });
  assert.deepEqual(
    [draft.state, draft.progress.recipients, draft.audience.exclude, draft.per_hour],
    ['draft', null, ['ana@example.com'], null],
  );
  const changed = await api.patch(`/v1/broadcasts/${draft.id}`, { per_hour: 500, schedule_at: null });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [changed.json.per_hour, changed.json.schedule_at, changed.json.name],
    [500, null, 'Verano'],
  );
  assert.deepEqual((await api.get(`/v1/broadcasts/${draft.id}`)).json, changed.json);
  const { json: found } = await api.get('/v1/broadcasts?name=VERA&state=draft');
  assert.deepEqual(
    found.data.map(({ id }: { id: number }) => id),
    [draft.id],
  );
});

test('everything that cannot be sent is said at once, with its place', async () => {
  const { api, instance, marketing, newsletter, sender_id } = account;
  const { json: senders } = await api.get('/v1/senders');
  const transactional = senders.data.find(({ stream }: { stream: string }) => stream === 'transactional').id;
  const refused = await api.post('/v1/broadcasts', {
    name: 'Wrong',
    sender_id: transactional,
    template_id: 999_999,
    audience: {
      purpose_id: 999_999,
      conditions: [
        { field: 'NOWHERE', operator: 'equals', value: 'x' },
        { field: 'FIRST_NAME', operator: 'before', value: 'x' },
        { field: 'FIRST_NAME', operator: 'equals' },
        { field: 'FIRST_NAME', operator: 'in', values: [1] },
      ],
      exclude: ['nobody'],
      exclude_broadcast_ids: [999_999],
    },
  });
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(codesOf(refused), [
    '/sender_id value_error.stream',
    '/template_id value_error.template',
    '/audience/purpose_id value_error.purpose',
    '/audience/conditions/0/field value_error.field',
    '/audience/conditions/1/operator value_error.operator',
    '/audience/conditions/2/value missing',
    '/audience/conditions/3/values value_error.type',
    '/audience/exclude/0 value_error.email',
    '/audience/exclude_broadcast_ids/0 value_error.broadcast',
  ]);
  await api.patch(`/v1/senders/${sender_id}`, { requires_consent: true, consent_purpose_id: newsletter });
  const other = {
    name: 'Other',
    sender_id,
    template_id: account.template_id,
    audience: { purpose_id: marketing },
  };
  assert.deepEqual(codesOf(await api.post('/v1/broadcasts', other)), ['/sender_id value_error.purpose']);
  await api.patch(`/v1/senders/${sender_id}`, { requires_consent: false, consent_purpose_id: null });
  assert.ok(instance.id);
});

test('states allow what they say, and each change is in the audit log', async () => {
  const { api } = account;
  const { id } = await account.draft({ schedule_at: '2026-12-24T12:00:00Z' });
  const path = `/v1/broadcasts/${id}`;
  const verb = async (name: string): Promise<string> => {
    const { status, json } = await api.post(`${path}/${name}`, undefined);
    return status === 200 ? json.state : json.code;
  };
  assert.equal(await verb('pause'), 'broadcast_state_conflict');
  assert.equal(await verb('resume'), 'broadcast_state_conflict');
  assert.equal(await verb('send'), 'scheduled');
  assert.equal(await verb('send'), 'broadcast_state_conflict');
  assert.equal((await api.patch(path, { schedule_at: '2026-12-25T12:00:00Z' })).status, 200);
  assert.equal(await verb('cancel'), 'cancelled');
  assert.equal(await verb('cancel'), 'broadcast_state_conflict');
  assert.equal((await api.patch(path, { name: 'Late' })).json.code, 'broadcast_has_started');
  const lines = await service.db.query<{ action: string }>(
    `select action from audit_events where object_kind = 'broadcast' and object_id = $1 order by id`,
    [String(id)],
  );
  assert.deepEqual(
    lines.map(({ action }) => action),
    ['broadcast.created', 'broadcast.sent', 'broadcast.updated', 'broadcast.cancelled'],
  );
});

test('a draft template is not sent', async () => {
  const { api, template_id } = account;
  const { id } = await account.draft();
  await api.post(`/v1/mail-templates/${template_id}/unpublish`, undefined);
  const refused = await api.post(`/v1/broadcasts/${id}/send`, undefined);
  assert.deepEqual([refused.status, refused.json.code], [409, 'template_not_public']);
  await api.post(`/v1/mail-templates/${template_id}/publish`, undefined);
});
