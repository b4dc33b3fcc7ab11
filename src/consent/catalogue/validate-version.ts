import type { Queryable } from '../../base/db/database.ts';
import { Problem, type Violation } from '../../base/errors/problem.ts';
import { isWebAddress } from '../../base/web-address.ts';
import type { ConsentTermVersionChanges } from './term-schemas.ts';

const max_body_bytes = 262_144;
/** Lists return all texts in full, so their sum is bounded. */
const maxInstanceBytes = 16 * 1024 * 1024;

export function validateVersion({ body, document_url }: ConsentTermVersionChanges): Violation[] {
  const violations: Violation[] = [];
  if (body !== undefined && Buffer.byteLength(body) > max_body_bytes) {
    violations.push({
      pointer: '/body',
      code: 'value_error.too_large',
      message: `The text should have at most ${max_body_bytes} bytes`,
      params: { max_bytes: max_body_bytes },
    });
  }
  if (document_url && !isWebAddress(document_url)) {
    const message = 'This should be a URL that begins with https:// or http://';
    violations.push({ pointer: '/document_url', code: 'value_error.url', message });
  }
  return violations;
}

export async function requireRoomForText(tx: Queryable, instanceId: number, body: string): Promise<void> {
  const [row] = await tx.query<{ bytes: number }>(
    `select coalesce(sum(octet_length(v.body)), 0)::bigint as bytes
     from consent_term_versions v join consent_terms t on t.id = v.term_id where t.instance_id = $1`,
    [instanceId],
  );
  if ((row?.bytes ?? 0) + Buffer.byteLength(body) > maxInstanceBytes) {
    throw new Problem('consent_term_texts_too_large');
  }
}
