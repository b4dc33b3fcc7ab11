import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createFormAccount, type FormAccount } from '../../forms/form-account.fixture.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';

const path = '/v1/contact-imports';
let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await createFormAccount(service);
});
after(async () => await service.stop());

const said = () => ({
  term_id: account.term_id,
  method: 'single_opt_in',
  origin: 'Paper forms at the counter',
});

interface Verdict {
  verdict: string;
  consent_event_id: number | null;
}

async function verdictOf(contact: string): Promise<Verdict> {
  const query = new URLSearchParams({
    contact,
    contact_type: 'email_address',
    purpose_id: String(account.purpose_id),
  });
  return (await account.api.get(`/v1/consent-rules/resolve?${query.toString()}`)).json.results[0];
}

async function countEvents(): Promise<number> {
  const [row] = await service.db.query<{ count: number }>(
    'select count(*) from consent_events where instance_id = $1',
    [account.instance.id],
  );
  return row?.count ?? 0;
}

test('refuses an import that does not say under which term, how, where or when people agreed', async () => {
  const csv = 'email\nnobody@example.com\n';
  const bare = await account.api.post(path, { csv });
  assert.equal(bare.status, 422);
  assert.deepEqual(bare.json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
    '/method',
    '/origin',
    '/term_id',
  ]);
  const undated = await account.api.post(path, { ...said(), csv });
  assert.deepEqual([undated.status, undated.json.errors[0].pointer], [422, '/consented_at']);
  const other = await account.api.post(path, {
    ...said(),
    consented_at: '2026-01-05T00:00:00Z',
    file_sha256: 'ab'.repeat(32),
    csv,
  });
  assert.deepEqual([other.status, other.json.errors[0].pointer], [422, '/file_sha256']);
  assert.equal((await verdictOf('nobody@example.com')).verdict, 'none');
  const viewer = await account.panel.post('/v1/private/contact-imports', {
    ...said(),
    term_id: 999_999,
    csv,
  });
  assert.equal(viewer.json.code, 'consent_term_not_found');
});

test('records consents with the hash of the file, line by line, and tells of each line that is refused', async () => {
  const csv = [
    '\u{feff}EMAIL;First name;consented_at;Member rating',
    'Ana@Example.com;Ana;2026-10-02;5',
    'not an address;Beto;2026-10-02;4',
    'caro@example.com;Caro;soon;4',
    'dora@example.com;Dora;;4',
    'ana@example.com;Ana;2026-10-02;5',
    'eva@example.com;Eva;2026-10-03 10:30;3',
    'fito@example.com;Fito;2199-01-01;3',
  ].join('\r\n');
  const { status, json, text } = await account.api.post(path, { ...said(), csv });
  assert.equal(status, 200, text);
  const { lines, lines_done, added, updated, unchanged, refused_count, refused } = json;
  assert.deepEqual(
    { lines, lines_done, added, updated, unchanged, refused_count },
    { lines: 7, lines_done: 7, added: 2, updated: 0, unchanged: 1, refused_count: 4 },
  );
  assert.deepEqual(refused, [
    { line: 3, reason: 'invalid_email', column: null },
    { line: 4, reason: 'consented_at_invalid', column: null },
    { line: 5, reason: 'consented_at_missing', column: null },
    { line: 8, reason: 'consented_at_future', column: null },
  ]);
  assert.deepEqual([json.field_keys, json.ignored_columns], [['FIRST_NAME'], ['Member rating']]);
  const file_sha256 = createHash('sha256').update(csv).digest('hex');
  assert.equal(json.file_sha256, file_sha256);
  assert.notEqual(json.finished_at, null);

  const ana = await verdictOf('ana@example.com');
  assert.equal(ana.verdict, 'allow');
  const [event] = await service.db.query<{ evidence: Record<string, string>; source: string }>(
    'select evidence, source from consent_events where id = $1',
    [ana.consent_event_id],
  );
  assert.equal(event?.source, 'import');
  assert.deepEqual(
    { ...event?.evidence, actor: '', address: '', request_id: '', user_agent: '' },
    {
      actor: '',
      address: '',
      request_id: '',
      user_agent: '',
      import_id: String(json.id),
      file_sha256,
      file_line: '2',
      consented_at: '2026-10-02T00:00:00.000Z',
      origin: said().origin,
    },
  );
  assert.deepEqual((await account.api.get(`${path}/${json.id}`)).json, json);
});

test('an import that is repeated records nothing, and neither does another file with the same contacts', async () => {
  const asked = { ...said(), consented_at: '2026-09-01T00:00:00Z' };
  const csv = 'email,FIRST_NAME\nrita@example.com,Rita\nsol@example.com,Sol\n';
  const first = (await account.api.post(path, { ...asked, csv })).json;
  const events = await countEvents();
  assert.deepEqual((await account.api.post(path, { ...asked, csv })).json, first);
  const other = (await account.api.post(path, { ...asked, csv: `${csv}rita@example.com,Rita\n` })).json;
  assert.deepEqual([other.id === first.id, other.added, other.unchanged], [false, 0, 3]);
  assert.equal(await countEvents(), events);
  const renamed = (
    await account.api.post(path, { ...asked, csv: 'email,FIRST_NAME\nrita@example.com,Margarita\n' })
  ).json;
  assert.deepEqual([renamed.added, renamed.updated], [0, 1]);
  const { answers } = (await account.api.get('/v1/contacts/rita@example.com')).json;
  assert.equal(
    answers.find((each: { field_key: string }) => each.field_key === 'FIRST_NAME').value,
    'Margarita',
  );
});

test('an import that was interrupted goes on where it stopped', async () => {
  const lines = Array.from({ length: 1_203 }, (_, number) => `p${number}@example.com`);
  const asked = {
    ...said(),
    consented_at: '2026-09-01T00:00:00Z',
    csv: ['email', ...lines].join('\n'),
  };
  const before_it = await countEvents();
  // The third batch meets a row that does not let it in.
  await service.db.query(
    `create function stop_third() returns trigger language plpgsql as $$
       begin if new.lines_done > 1000 then raise exception 'stopped'; end if; return new; end $$`,
  );
  await service.db.query(
    'create trigger stop_third before update on contact_imports for each row execute function stop_third()',
  );
  assert.equal((await account.api.post(path, asked)).status, 500);
  await service.db.query('drop trigger stop_third on contact_imports');
  const [running] = (await account.api.get(path)).json.data;
  assert.deepEqual([running.lines_done, running.added, running.finished_at], [1_000, 1_000, null]);
  assert.equal(await countEvents(), before_it + 1_000);
  // Twice at the same time: each line is settled once.
  const [one, two] = await Promise.all([account.api.post(path, asked), account.api.post(path, asked)]);
  assert.deepEqual([one.json.id, one.json.added, one.json.lines_done], [running.id, 1_203, 1_203]);
  assert.equal(two.json.id, running.id);
  assert.equal(await countEvents(), before_it + 1_203);
});

test('a withdrawal after the consent in the file holds', async () => {
  const rule = {
    contact_type: 'email_address',
    contact: 'gone@example.com',
    purpose_id: account.purpose_id,
    action: 'deny',
  };
  await account.api.post('/v1/consent-events', {
    term_id: account.term_id,
    method: 'single_opt_in',
    rules: [rule],
  });
  const csv = 'email,consented_at\ngone@example.com,2026-01-01\n';
  const { json } = await account.api.post(path, { ...said(), csv });
  assert.deepEqual(json.refused, [{ line: 2, reason: 'withdrew', column: null }]);
  assert.equal((await verdictOf('gone@example.com')).verdict, 'deny');
});

test('people who were erased or are blocked are not stored again', async () => {
  for (const [kind, contact] of [
    ['erasure', 'erased@example.com'],
    ['blocking', 'blocked@example.com'],
  ]) {
    const contacts = [{ contact, contact_type: 'email_address' }];
    const { id } = (await account.api.post('/v1/rights-requests', { kind, contacts })).json;
    assert.equal((await account.api.post(`/v1/rights-requests/${id}/fulfil`, {})).status, 200);
  }
  const csv =
    'email,consented_at,FIRST_NAME\nerased@example.com,2026-01-01,E\nblocked@example.com,2026-01-01,B\n';
  const { json } = await account.api.post(path, { ...said(), csv });
  assert.deepEqual(
    json.refused.map(({ reason }: { reason: string }) => reason),
    ['erased', 'blocked'],
  );
  const found = await service.db.query(
    `select from form_submissions where instance_id = $1 and answers ->> 'EMAIL' in ('erased@example.com', 'blocked@example.com')`,
    [account.instance.id],
  );
  assert.equal(found.length, 0);
});

test('a dry run counts what would happen and stores nothing', async () => {
  const events = await countEvents();
  const csv = 'email,consented_at\nnew@example.com,2026-01-01\nnew@example.com,2026-01-01\nbad,2026-01-01\n';
  const { json } = await account.api.post(path, { ...said(), csv, dry_run: true });
  assert.deepEqual([json.id, json.added, json.unchanged, json.refused_count], [null, 1, 1, 1]);
  assert.equal(await countEvents(), events);
  assert.equal((await account.api.get('/v1/contacts/new@example.com')).json.code, 'contact_not_found');
});
