import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { openConsentAccount, type ConsentAccount } from '../consent-account.fixture.ts';
import type { EvidenceEvent } from './evidence-schemas.ts';
import { recordConsentEvent } from '../record/record-event.ts';
import { confirmConsentEvent } from '../record/settle-event.ts';
import { tamper } from '../chain/tamper.fixture.ts';

const clock = createMovableClock('2026-06-01T12:00:00.000Z');
let service: TestService;
before(async () => {
  service = await startTestService({ clock, roles: 'api' });
});
after(async () => await service.stop());

const legal = 'Acepto recibir <correos> & ofertas.\nFirmado: "Acme"';

async function openRecord(): Promise<ConsentAccount & { admin: PanelUser; ids: number[] }> {
  const account = await openConsentAccount(service);
  const term = await account.term({ body: legal });
  const granted = await account.recordAllow('Ana@example.com', { term_id: term.id });
  await account.recordAllow('eva@example.com');
  const pending = await service.db.transaction(async (tx) => {
    const event = await recordConsentEvent(tx, account.instance.id, {
      term_id: account.first.id,
      term_version_id: account.first.version_id,
      status: 'pending',
      method: 'double_opt_in',
      source: 'form',
      evidence: { address: '192.0.2.7', user_agent: '<script>alert(1)</script>' },
      at: clock.now(),
      rules: [
        {
          channel: 'mail',
          contact_type: 'email_address',
          contact: 'ana@example.com',
          purpose_id: account.newsletter,
          action: 'allow',
        },
      ],
    });
    const at = new Date(clock.now().getTime() + 60_000);
    await confirmConsentEvent(tx, account.instance.id, {
      id: event.id,
      evidence: { address: '192.0.2.8' },
      at,
    });
    return event;
  });
  const revoked = await account.recordDeny('ana@example.com', { term_id: term.id });
  const admin = await signIn(service, account, 'admin');
  return { ...account, admin, ids: [granted, pending, revoked].map(({ id }) => id) };
}

const asked = (contact: string, more = ''): string =>
  `/v1/private/consent-evidence?contact=${encodeURIComponent(contact)}${more}`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the document has every event, the texts that were agreed to, and what holds now', async () => {
  const { admin, ids, first, instance, marketing, newsletter } = await openRecord();
  const { status, json } = await admin.get(asked(' ANA@example.com'));
  assert.equal(status, 200);
  const events: EvidenceEvent[] = json.events;
  assert.deepEqual(
    events.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    json.standing.map(({ purpose_id, verdict }: Record<string, unknown>) => [purpose_id, verdict]),
    [
      [marketing, 'deny'],
      [newsletter, 'allow'],
    ],
  );
  const texts = json.terms.flatMap(({ versions }: { versions: { body: string }[] }) =>
    versions.map(({ body }) => body),
  );
  assert.ok(texts.includes(legal));
  assert.equal(json.terms.length, 2);
  assert.equal(json.instance.slug, instance.slug);
  const [, pending] = events;
  assert.equal(pending?.status, 'confirmed');
  assert.equal(pending?.evidence['address'], '192.0.2.7');
  assert.equal(pending?.outcome?.evidence['address'], '192.0.2.8');
  assert.equal(pending?.term_version_id, first.version_id);
  assert.deepEqual(
    [json.chain.is_intact, json.chain.is_complete, json.chain.checked, json.has_more],
    [true, true, 5, false],
  );
});

test('anybody can check it: each hash is that of the text beside it, which says what the event says', async () => {
  const { admin } = await openRecord();
  const { json } = await admin.get(asked('ana@example.com'));
  for (const event of json.events) {
    for (const row of [event, event.outcome].filter(Boolean)) {
      assert.equal(sha256(row.hashed), row.hash);
      assert.equal(row.is_unaltered, true);
      const hashed = JSON.parse(row.hashed);
      assert.deepEqual([hashed.sequence, hashed.previous_hash], [row.sequence, row.previous_hash]);
    }
    const hashed = JSON.parse(event.hashed);
    assert.equal(hashed.rules[0].contact, event.rules[0].contact);
    assert.equal(hashed.rules[0].action, event.rules[0].action);
    const version = json.terms
      .flatMap(({ versions }: { versions: { id: number; body: string }[] }) => versions)
      .find(({ id }: { id: number }) => id === event.term_version_id);
    assert.equal(hashed.text_sha256, sha256(version.body));
  }
});

test('the page to print is in Spanish or English, whole, and runs nothing that was sent', async () => {
  const { admin } = await openRecord();
  const spanish = await admin.get(asked('ana@example.com', '&format=html'));
  assert.match(spanish.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(spanish.headers.get('content-disposition') ?? '', /consent-evidence-2026-06-01\.html/);
  assert.match(spanish.text, /<html lang="es">/);
  assert.match(spanish.text, /Evidencia de consentimiento/);
  assert.match(spanish.text, /Acepto recibir &lt;correos&gt; &amp; ofertas\./);
  assert.match(spanish.text, /Filas de la cuenta revisadas: 5, todas/);
  assert.doesNotMatch(spanish.text, /<script/);
  const english = await admin.get(asked('ana@example.com', '&format=html&language=en'));
  assert.match(english.text, /<html lang="en">[\s\S]*Evidence of consent[\s\S]*double opt-in/);
  const { json } = await admin.get(asked('ana@example.com'));
  for (const { hash } of json.events) assert.ok(english.text.includes(hash));
});

test('tampered evidence is reported in the document and on the page', async () => {
  const { admin, ids } = await openRecord();
  await tamper(
    service.db,
    async (tx) => await tx.query(`update consent_rules set action = 'allow' where event_id = $1`, [ids[2]]),
  );
  const { json } = await admin.get(asked('ana@example.com'));
  assert.deepEqual(
    json.events.map(({ is_unaltered }: EvidenceEvent) => is_unaltered),
    [true, true, false],
  );
  assert.deepEqual(json.chain.first_break, { sequence: 5, problem: 'altered', consent_event_id: ids[2] });
  const page = await admin.get(asked('ana@example.com', '&format=html'));
  assert.match(page.text, /ROTO en el lugar 5: una fila fue alterada/);
  const check = await admin.get('/v1/private/consent-chain');
  assert.deepEqual(check.json.first_break, json.chain.first_break);
  assert.equal((await admin.get('/v1/private/consent-chain?after=5')).json.is_intact, true);
});

test('evidence of an unknown contact says so, and a contact of another instance is unknown', async () => {
  const { admin } = await openRecord();
  const stranger = await openRecord();
  await stranger.recordAllow('uma@example.com');
  const { json } = await admin.get(asked('uma@example.com'));
  assert.deepEqual([json.events, json.terms, json.standing], [[], [], []]);
  const page = await admin.get(asked('uma@example.com', '&format=html'));
  assert.match(page.text, /No hay nada registrado/);
});

test('only administrators read evidence, and the audit log records who read about whom', async () => {
  const account = await openRecord();
  await account.admin.get(asked('ana@example.com'));
  const developer = await signIn(service, account, 'developer');
  assert.equal((await developer.get(asked('ana@example.com'))).status, 403);
  const notes = await service.db.query(
    `select actor_kind, actor_id, object_id, details from audit_events
     where instance_id = $1 and action = 'consent_evidence.read'`,
    [account.instance.id],
  );
  assert.deepEqual(notes, [
    {
      actor_kind: 'user',
      actor_id: String(account.admin.id),
      object_id: null,
      details: { events: 3, contact: 'ana@example.com' },
    },
  ]);
});
