import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConsentEvidence } from '../../panel/src/api/operations.ts';
import { verifyEvidence } from '../../panel/src/pages/consent-evidence/verify-evidence.ts';
import { openConsentAccount } from '../../src/consent/consent-account.fixture.ts';
import { signIn } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let real: ConsentEvidence;
before(async () => {
  service = await startTestService();
  const account = await openConsentAccount(service);
  await account.recordAllow('ana@example.com');
  await account.recordDeny('ana@example.com');
  const admin = await signIn(service, account, 'admin');
  real = (await admin.get('/v1/private/consent-evidence?contact=ana@example.com')).json;
});
after(async () => await service.stop());

/** The document after it was changed on its way. */
async function wrongAfter(change: (document: ConsentEvidence) => void): Promise<number[]> {
  const document = structuredClone(real);
  change(document);
  return (await verifyEvidence(document)).wrong;
}

test('an unchanged document is verified, row by row and text by text', async () => {
  assert.deepEqual(await verifyEvidence(real), { rows: 2, texts: 1, wrong: [] });
});

test('every change of a document is reported with the events that it is about', async () => {
  const [first, second] = real.events.map(({ id }) => id);
  const firstOf = (document: ConsentEvidence) => document.events[0] as ConsentEvidence['events'][number];
  const changes: ((event: ConsentEvidence['events'][number]) => void)[] = [
    (event) => Object.assign(event.rules[0] as object, { action: 'deny' }),
    (event) => Object.assign(event.rules[0] as object, { contact: 'eva@example.com' }),
    (event) => event.rules.pop(),
    (event) => Object.assign(event, { created_at: '2020-01-01T00:00:00.000Z' }),
    (event) => Object.assign(event, { sequence: 7 }),
    (event) => Object.assign(event.evidence, { address: '192.0.2.1' }),
    (event) => Object.assign(event, { previous_hash: 'f'.repeat(64) }),
    (event) => Object.assign(event, { hashed: event.hashed.replace('allow', 'deny') }),
    (event) => Object.assign(event, { hash: 'f'.repeat(64) }),
  ];
  for (const change of changes) {
    assert.deepEqual(await wrongAfter((document) => change(firstOf(document))), [first], String(change));
  }
  const text = (document: ConsentEvidence) => document.terms[0]?.versions[0];
  assert.deepEqual(
    await wrongAfter((document) => Object.assign(text(document) as object, { body: 'I agree to all.' })),
    [first, second],
  );
});
