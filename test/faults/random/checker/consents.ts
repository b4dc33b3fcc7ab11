import type { Entry } from '../history.ts';
import { some, type Check, type Evidence } from './evidence.ts';

/** Acts of people are recorded once when they were acknowledged, and not when they were refused. */
export const checkConsents: Check = async (evidence) => [
  ...(await checkCalls(evidence)),
  ...(await checkForms(evidence)),
];

async function checkCalls({ history: { entries }, query }: Evidence): Promise<ReturnType<typeof some>> {
  const rules = await query<{ id: string; action: string }>(
    `select contact as id, action from consent_rules where contact_type = 'uniquecode' order by id`,
  );
  const wrong = entries
    .filter(({ kind }) => kind === 'consent')
    .filter((entry) => {
      const found = rules.filter(({ id, action }) => id === entry.id && action === entry.request.action);
      return !isAsAnswered(entry, found.length);
    });
  return some('consents', 'recorded other than answered', wrong.map(nameOf));
}

interface SubmissionRow {
  address: string;
  status: string;
  mails: number;
  confirmed: number;
}

const submissions = `
  select s.answers ->> 'EMAIL' as address, s.status,
    (select count(*)::int from mails m join messages g on g.msg_id = m.msg_id
       where g.source = 'form' and m.recipient = s.answers ->> 'EMAIL') as mails,
    (select count(*)::int from consent_event_outcomes o where o.event_id = any (s.consent_event_ids) and o.status = 'confirmed')
      as confirmed
  from form_submissions s`;

async function checkForms({ history: { entries }, query }: Evidence): Promise<ReturnType<typeof some>> {
  const byAddress = Map.groupBy(await query<SubmissionRow>(submissions), ({ address }) => address);
  const of = ({ request }: Entry): SubmissionRow[] => byAddress.get(request.addresses?.[0] ?? '') ?? [];
  const forms = entries.filter(({ kind }) => kind === 'form');
  const confirmations = entries.filter(
    ({ kind, outcome }) => kind === 'confirm' && outcome === 'acknowledged',
  );
  // The page answers 503 for a submission that stands and whose confirmation could not be written.
  const wrong = forms.filter((entry) => entry.status !== 503 && !isAsAnswered(entry, of(entry).length));
  const unasked = forms.filter((entry) => entry.outcome === 'acknowledged' && of(entry)[0]?.mails !== 1);
  const unconfirmed = confirmations.filter((entry) => {
    const [submission] = of(entry);
    return submission?.status !== 'confirmed' || submission.confirmed !== 1;
  });
  return [
    ...some('forms', 'stored other than answered', wrong.map(nameOf)),
    ...some('forms', 'acknowledged without one mail to confirm', unasked.map(nameOf)),
    ...some('forms', 'confirmed and not recorded once', unconfirmed.map(nameOf)),
  ];
}

function isAsAnswered({ outcome }: Entry, times: number): boolean {
  if (outcome === 'unanswered') return times <= 1;
  return times === (outcome === 'acknowledged' ? 1 : 0);
}

function nameOf({ id, outcome, status, reply }: Entry): string {
  return `${id} (${outcome} ${status} ${reply})`;
}
