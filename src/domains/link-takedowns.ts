import { parse } from 'tldts';
import { type Actor, auditOf } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, type Violation } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';

export interface LinkTakedown {
  host: string;
  reason: string | null;
  taken_down_at: Date;
}

interface Change {
  host: string;
  actor: Actor;
}

const audit = auditOf('link_host');
const columns = 'host, reason, taken_down_at';

/** Newest first. */
export async function listLinkTakedowns(db: Queryable, page: PageRequest): Promise<PageOf<LinkTakedown>> {
  const source = 'from link_takedowns';
  return await selectPage<LinkTakedown>(
    db,
    { columns, source, order_by: 'taken_down_at desc, id desc', values: [] },
    page,
  );
}

/** All of them, for nodes to keep. */
export async function listTakenDownHosts(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ host: string }>('select host from link_takedowns');
  return rows.map(({ host }) => host);
}

/** From now on links to the host, and to hosts below it, show a warning. A second takedown replaces the reason. */
export async function takeDownLinkHost(
  tx: Queryable,
  { host, reason, actor }: Change & { reason: string | null },
): Promise<LinkTakedown> {
  const [taken] = await tx.query<LinkTakedown & Record<string, unknown>>(
    `insert into link_takedowns (host, reason) values ($1, $2)
     on conflict (host) do update set reason = excluded.reason returning ${columns}`,
    [host, reason],
  );
  await audit(tx, null, { action: 'taken_down', id: host, actor, details: { reason } });
  return taken as LinkTakedown;
}

/** Throws `link_takedown_not_found`. */
export async function restoreLinkHost(tx: Queryable, { host, actor }: Change): Promise<void> {
  const [restored] = await tx.query('delete from link_takedowns where host = $1 returning id', [host]);
  if (!restored) throw new Problem('link_takedown_not_found');
  await audit(tx, null, { action: 'restored', id: host, actor });
}

/** As addresses name it: lower case, A-labels, without a final dot. Undefined for what is not a host. */
export function linkHost(text: string): string | undefined {
  // Nothing that would make another part of the address of it.
  if (text.length > 253 || /[\s/?#@\\%]/.test(text)) return undefined;
  const url = URL.parse(`http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}/`);
  if (!url || url.port !== '' || url.hostname === '') return undefined;
  return withoutFinalDot(url.hostname);
}

const plainHost = /^https?:\/\/([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)[/?#]/;

/** Of an address as `new URL(…).href` writes it; empty for none. Most show their host: to parse them again took 6 µs, this 2. */
export function linkHostOf(url: string): string {
  return plainHost.exec(url)?.[1] ?? withoutFinalDot(URL.parse(url)?.hostname ?? '');
}

/** A public suffix such as `com` or `co.uk` would be half of the web. */
export function validateLinkHost(text: string): { host: string } | { violation: Violation } {
  const host = linkHost(text.trim());
  const { isIp, publicSuffix } = parse(host ?? '');
  if (host !== undefined && (isIp || (host.includes('.') && publicSuffix !== host))) return { host };
  const message =
    host === undefined
      ? 'This is not the name or address of a host'
      : 'This is a public suffix, or one label';
  return { violation: { pointer: '/host', code: 'value_error.host', message } };
}

function withoutFinalDot(hostname: string): string {
  return hostname.replace(/\.+$/, '');
}
