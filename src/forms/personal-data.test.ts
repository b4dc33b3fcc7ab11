import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Person } from '../base/personal-data.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { personalData } from './personal-data.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

const ana = { EMAIL: ' Ana@Example.com', NOTE: 'Hola' };
const eva = { EMAIL: 'eva@example.com', FRIEND: 'ana@example.com', CITY: 'Arica' };

/** Submissions of a new instance, and the person they are looked through for. */
async function write(...answers: object[]): Promise<Person> {
  const { instance } = await service.tenant();
  await service.db.query(
    `with form as (
       insert into forms (instance_id, name, kind, type, public_token)
       values ($1, 'Form', 'advanced', 'registration', rpad($2, 43, '-')) returning id)
     insert into form_submissions (instance_id, form_id, status, answers, address, user_agent, created_at, confirmed_at)
     select $1, form.id, 'confirmed', answers, '192.0.2.7', 'Test', now(), now()
     from form, unnest($3::jsonb[]) as answers`,
    [instance.id, instance.slug, answers.map((each) => JSON.stringify(each))],
  );
  return { instance_id: instance.id, emails: ['ana@example.com'], phones: [], codes: ['A-1', 'Arica'] };
}

async function shown(person: Person): Promise<unknown[]> {
  const rows = [];
  for await (const page of personalData.collect[0]?.rows(service.db, person) ?? []) rows.push(...page);
  // The newest come first.
  return rows.toReversed().map(({ answers, address, user_agent }) => [answers, address, user_agent]);
}

async function kept(person: Person): Promise<unknown[]> {
  let next: string | undefined;
  do next = (await personalData.erase?.(service.db, person, next))?.next;
  while (next !== undefined);
  const rows = await service.db.query(
    'select answers, host(address) as address, user_agent from form_submissions where instance_id = $1 order by id',
    [person.instance_id],
  );
  return rows.map(({ answers, address, user_agent }) => [answers, address, user_agent]);
}

test('a submission with their contact is theirs, and is erased', async () => {
  const theirs = [
    ana,
    { UNIQUECODE: 'A-1', NOTE: 'Hi' },
    // Without a contact it belongs to the person it names.
    { PARTNER: 'ana@example.com', NOTE: 'Hi' },
  ];
  const person = await write(...theirs);
  assert.deepEqual(
    await shown(person),
    theirs.map((answers) => [answers, '192.0.2.7', 'Test']),
  );
  assert.deepEqual(
    await kept(person),
    theirs.map(() => [{}, null, null]),
  );
});

test('a person sees and erases only the answers that name them in the submission of another person', async () => {
  const person = await write(eva);
  assert.deepEqual(await shown(person), [[{ FRIEND: 'ana@example.com' }, null, null]]);
  const { FRIEND: _friend, ...left } = eva;
  assert.deepEqual(await kept(person), [[left, '192.0.2.7', 'Test']]);
});

test('a code is found where a code was asked for, and not among other words', async () => {
  const person = await write({ EMAIL: 'eva@example.com', CITY: 'Arica' }, { CITY: 'A-1' });
  assert.deepEqual(await shown(person), []);
  assert.equal((await kept(person)).length, 2);
});
