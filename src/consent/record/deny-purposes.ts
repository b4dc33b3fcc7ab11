import type { Queryable } from '../../base/db/database.ts';
import type { Channel } from '../catalogue/term-schemas.ts';
import { isReachable, type Contact } from './contacts.ts';
import type { Evidence } from './event-content.ts';
import { recordConsentEvents } from './record-event.ts';

interface Opposition {
  contacts: Contact[];
  /** Empty means every purpose of the instance. */
  purpose_ids: number[];
  evidence: Evidence;
  at: Date;
}

interface TermOfPurpose {
  purpose_id: number;
  term_id: number | null;
  term_version_id: number | null;
  channels: Channel[] | null;
}

/**
 * The term under which a purpose is denied. One denial denies, whatever other terms allow, so one term is enough: one
 * with a current version if there is one.
 */
const termsOfPurposes = `
  select p.id as purpose_id, found.*
  from consent_purposes p
  left join lateral (
    select t.id as term_id, v.id as term_version_id, t.channels
    from consent_term_purposes tp
    join consent_terms t on t.id = tp.term_id and t.instance_id = p.instance_id
    join consent_term_versions v on v.term_id = t.id and v.published_at is not null
    where tp.purpose_id = p.id
    order by v.is_current desc, t.is_active desc, t.id, v.id desc limit 1
  ) as found on true
  where p.instance_id = $1 and (cardinality($2::bigint[]) = 0 or p.id = any ($2::bigint[]))
  order by p.id`;

/**
 * Records that a person opposes purposes: a denial for each identifier on each channel that reaches it. Returns the
 * purposes that no published term names: nobody can have consented to them, and there is nothing to deny.
 */
export async function denyPurposes(
  tx: Queryable,
  instanceId: number,
  { contacts, purpose_ids, evidence, at }: Opposition,
): Promise<{ events: number[]; without_term: number[] }> {
  const found = await tx.query<TermOfPurpose & Record<string, unknown>>(termsOfPurposes, [
    instanceId,
    purpose_ids,
  ]);
  const denials = found.flatMap(({ purpose_id, term_id, term_version_id, channels }) =>
    term_id === null || term_version_id === null || channels === null
      ? []
      : contacts.map((contact) => ({
          term_id,
          term_version_id,
          rules: channels
            .filter((channel) => isReachable(channel, contact.contact_type))
            .map((channel) => ({ ...contact, channel, purpose_id, action: 'deny' as const })),
        })),
  );
  const events = await recordConsentEvents(
    tx,
    instanceId,
    denials
      .filter(({ rules }) => rules.length > 0)
      .map((denial) => ({
        ...denial,
        status: 'confirmed',
        method: 'single_opt_in',
        source: 'system',
        evidence,
        at,
      })),
  );
  const without_term = found.filter(({ term_id }) => term_id === null).map(({ purpose_id }) => purpose_id);
  return { events: events.map(({ id }) => id), without_term };
}
