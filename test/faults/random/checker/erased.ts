import { some, type Check, type Evidence } from './evidence.ts';

/** Evidence of consent stays, sealed, as docs/rights.md says. */
const kept = new Set(['consent_rules', 'consent_events', 'consent_event_outcomes', 'consent_receipts']);

/** Of a person whose erasure is done, no table says anything more. */
export const checkErased: Check = async (evidence) => {
  const { history, query } = evidence;
  const erasures = history.entries.filter(
    ({ kind, outcome }) => kind === 'erasure' && outcome === 'acknowledged',
  );
  const done = await query<{ id: number }>(
    `select id::int from rights_requests where kind = 'erasure' and status = 'fulfilled'`,
  );
  const ids = new Set(done.map(({ id }) => id));
  const finished = erasures.filter(({ answer }) => ids.has(Number(answer['id'])));
  const addresses = [...new Set(finished.flatMap(({ request }) => request.addresses ?? []))];
  const left = await findTraces(evidence, addresses);
  const open = erasures.filter((entry) => !finished.includes(entry));
  const late = [];
  for (const { id, request } of open) {
    if (!(await isWaitedFor(evidence, request.addresses?.[0] ?? ''))) late.push(id);
  }
  return [
    ...some('erased', 'traces of people who were erased', left),
    ...some('erased', 'erasures that are not done though nothing waits', late),
  ];
};

async function findTraces({ query }: Evidence, addresses: string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const tables = await query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const patterns = addresses.flatMap((address) => [
    `%${address}%`,
    `%${Buffer.from(address).toString('hex')}%`,
  ]);
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !kept.has(table.name))) {
    const rows = await query<{ text: string }>(
      `select left(t::text, 300) as text from "${name}" t where t::text ilike any ($1::text[]) limit 3`,
      [patterns],
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

/** An erasure waits for mail of the person, or for others of the same message, that is deferred or under way. */
async function isWaitedFor({ query }: Evidence, address: string): Promise<boolean> {
  const rows = await query(
    `select from queue q join mails m on m.msg_id = q.msg_id where lower(m.recipient) = $1 limit 1`,
    [address],
  );
  return rows.length > 0;
}
