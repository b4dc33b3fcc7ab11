import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import { Download, operation, type Operation } from '../../base/http/operation.ts';
import { Enum, Nullable } from '../../base/http/schemas.ts';
import { type Actor, actorOf, recordAudit } from '../../audit/index.ts';
import { collectEvidence } from './collect-evidence.ts';
import { evidencePage } from './evidence-page.ts';
import { ConsentEvidence } from './evidence-schemas.ts';
import { evidenceLanguages } from './evidence-words.ts';

interface EvidenceContext {
  db: Database;
  clock: Clock;
}

/** A longer chain is checked by its own route, in several requests. */
const within_ms = 10_000;

export function consentEvidencePanelRoutes({ db, clock }: EvidenceContext): Operation[] {
  return [
    operation({
      id: 'panel_get_consent_evidence',
      method: 'GET',
      path: '/v1/private/consent-evidence',
      tag: 'Consent',
      summary: 'The evidence about one contact',
      description:
        'Every event about the contact, with its rules, the full texts that were agreed to, its origin, the hashes, and a check of the chain: as JSON, or as a page to print in Spanish or English. Each reading is noted in the audit log.',
      access: { kind: 'user', role: 'admin' },
      query: Type.Object({
        contact: Type.String({
          minLength: 1,
          maxLength: 254,
          description: 'An email address, a phone number or a unique code.',
        }),
        format: Type.Optional(
          Nullable(Enum(['json', 'html'], { description: '`json` (the default) or a page to print.' })),
        ),
        language: Type.Optional(
          Nullable(Enum(evidenceLanguages, { description: 'Of the page; Spanish when left out.' })),
        ),
      }),
      success: {
        status: 200,
        description: 'The document.',
        schema: ConsentEvidence,
        also: { 'text/html': { schema: Type.String() } },
      },
      errors: [],
      handle: async (call) => {
        const { contact, format, language } = call.query;
        const { id } = call.caller.instance;
        const instance = { ...call.caller.instance, name: await nameOf(db, id) };
        const document = await collectEvidence(db, instance, { contact, at: clock.now(), within_ms });
        await auditReading(db, id, { contact, actor: actorOf(call), events: document.events.length });
        if (format !== 'html') return document;
        return new Download({
          content_type: 'text/html; charset=utf-8',
          file_name: `consent-evidence-${clock.now().toISOString().slice(0, 10)}.html`,
          open: async () => Readable.from([evidencePage(document, language ?? 'es')]),
        });
      },
    }),
  ];
}

async function nameOf(db: Queryable, instanceId: number): Promise<string> {
  const [row] = await db.query<{ name: string }>('select name from instances where id = $1', [instanceId]);
  return row?.name ?? '';
}

/** Audits who read whose evidence. */
export async function auditReading(
  db: Queryable,
  instanceId: number,
  { contact, actor, events }: { contact: string; actor: Actor; events: number },
): Promise<void> {
  await recordAudit(db, {
    instance_id: instanceId,
    actor,
    action: 'consent_evidence.read',
    // In the details, where an erasure finds it. About an erased person there is nothing to read, and the answer does not show it.
    object: { kind: 'contact' },
    details: events > 0 ? { events, contact } : { events },
  });
}
