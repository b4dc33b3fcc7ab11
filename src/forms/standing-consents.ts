import type { Queryable } from '../base/db/database.ts';
import { createConsentLookup } from '../consent/index.ts';
import type { FillableForm, FormConsent } from './fillable-form.ts';

/**
 * Terms of a form that the address agreed to over mail, in the version that the form shows. Only these have their box ticked when the
 * form is opened by a link, and only these are withdrawn there: the link proves the mailbox, and no number or code that was typed.
 */
export async function findStandingConsents(
  db: Queryable,
  { instance_id, items }: FillableForm,
  email: string,
): Promise<Set<number>> {
  const lookUp = createConsentLookup(db);
  const offered = items.flatMap((item) =>
    item.kind === 'consent' && isOverMailOnly(item.consent) ? [item.consent] : [],
  );
  const contacts = [{ contact_type: 'email_address' as const, contact: email }];
  const standing = await Promise.all(
    offered.map(async ({ term_id, term_version_id, purpose_ids }) => {
      const verdicts = await Promise.all(
        purpose_ids.map(
          async (purpose_id) => await lookUp({ instance_id, channel: 'mail', purpose_id, contacts }),
        ),
      );
      const rules = verdicts.flat().filter((each) => each.verdict === 'allow' && each.term_id === term_id);
      const events = rules.flatMap(({ consent_event_id }) => consent_event_id ?? []);
      if (events.length < purpose_ids.length) return [];
      return (await areOfVersion(db, events, term_version_id)) ? [term_id] : [];
    }),
  );
  return new Set(standing.flat());
}

const isOverMailOnly = ({ channels }: FormConsent): boolean =>
  channels.every((channel) => channel === 'mail');

/** A box that is ticked beside a text which the person has not seen is not a consent to it. */
async function areOfVersion(db: Queryable, events: number[], versionId: number): Promise<boolean> {
  const others = await db.query(
    'select from consent_events where id = any ($1::bigint[]) and term_version_id <> $2 limit 1',
    [events, versionId],
  );
  return others.length === 0;
}
