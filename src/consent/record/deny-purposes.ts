import type { Contact } from '../../base/contacts.ts';
import type { Queryable } from '../../base/db/database.ts';
import { type Channel, channels } from '../catalogue/term-schemas.ts';
import { isReachable } from './contacts.ts';
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
  channel: Channel;
  term_id: number | null;
  term_version_id: number | null;
}

/**
 * The term under which a purpose is denied on a channel. One denial denies, whatever other terms allow, so one term is enough:
 * one that covers the channel, with a current version, if there is one. Others count too, since the channels of a term change and
 * what was allowed on them stands.
 */
const termsOfPurposes = `
  select p.id as purpose_id, channel, found.*
  from consent_purposes p
  cross join unnest($3::text[]) as channel
  left join lateral (
    select t.id as term_id, v.id as term_version_id
    from consent_term_purposes tp
    join consent_terms t on t.id = tp.term_id and t.instance_id = p.instance_id
    join consent_term_versions v on v.term_id = t.id and v.published_at is not null
    where tp.purpose_id = p.id
    order by channel = any (t.channels) desc, v.is_current desc, t.is_active desc, t.id, v.id desc limit 1
  ) as found on true
  where p.instance_id = $1 and (cardinality($2::bigint[]) = 0 or p.id = any ($2::bigint[]))
  order by p.id`;

/**
 * Records that a person opposes purposes: a denial for each identifier on each channel that reaches it. Purposes that no
 * published term names are left out: people cannot have consented to them, so there is nothing to deny.
 */
export async function denyPurposes(
  tx: Queryable,
  instanceId: number,
  { contacts, purpose_ids, evidence, at }: Opposition,
): Promise<void> {
  const found = await tx.query<TermOfPurpose & Record<string, unknown>>(termsOfPurposes, [
    instanceId,
    purpose_ids,
    channels,
  ]);
  const byTerm = Map.groupBy(found, ({ purpose_id, term_id }) => `${purpose_id} ${term_id}`);
  const denials = [...byTerm.values()].flatMap((covered) => {
    const [{ purpose_id, term_id, term_version_id }] = covered as [(typeof found)[number]];
    if (term_id === null || term_version_id === null) return [];
    return contacts.map((contact) => ({
      term_id,
      term_version_id,
      rules: covered
        .filter(({ channel }) => isReachable(channel, contact.contact_type))
        .map(({ channel }) => ({ ...contact, channel, purpose_id, action: 'deny' as const })),
    }));
  });
  await recordConsentEvents(
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
}
