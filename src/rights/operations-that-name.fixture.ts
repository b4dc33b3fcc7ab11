import type { Database } from '../base/db/database.ts';
import type { FormAccount } from '../forms/form-account.fixture.ts';
import { addressOf } from './whole-person.fixture.ts';

/** Addresses of the person but the one that is not blocked. */
const trace = /(?<!softbounce)\+zulema@/i;

/** Operations that cannot be asked so, or that are there to handle requests of the person. */
const left_out = /rights-requests|openapi|\/live$|resolve|operator/;

interface Document {
  paths: Record<string, { get?: object }>;
}

/** Which operations of both interfaces answer a GET with an address of the person, by their paths. */
export async function operationsThatName(
  { base_url, db }: { base_url: string; db: Database },
  account: FormAccount,
): Promise<string[]> {
  const documents = await Promise.all(
    ['/openapi.json', '/v1/private/openapi.json'].map(
      async (where) => (await (await fetch(`${base_url}${where}`)).json()) as Document,
    ),
  );
  const paths = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, { get }]) => (get && !left_out.test(path) ? [path] : [])),
  );
  const objects = await objectsOf(db, account.instance.id);
  const naming: string[] = [];
  for (const path of new Set(paths)) {
    const filled = fill(path, objects);
    if (filled === undefined) continue;
    const answer = await (path.startsWith('/v1/private') ? account.panel : account.api).get(filled);
    // The evidence repeats whom it was asked about.
    const text = path.endsWith('/consent-evidence') ? JSON.stringify(answer.json.events) : answer.text;
    if (trace.test(text)) naming.push(path);
  }
  return naming;
}

type Objects = Record<string, string | number | undefined>;

/** One of each kind that is about the person. */
async function objectsOf(db: Database, instanceId: number): Promise<Objects> {
  const one = async (sql: string): Promise<string | number | undefined> =>
    (await db.query<{ id: string | number }>(`${sql} limit 1`, [instanceId]))[0]?.id;
  const ofMails = `mail_id in (select mail_id from mails where instance_id = $1 and recipient = '${addressOf('bounce')}')`;
  return {
    mail_id: await one(
      `select mail_id as id from mails where instance_id = $1 and recipient = '${addressOf('delivered')}' order by mail_id`,
    ),
    forms: await one('select id from forms where instance_id = $1'),
    submission_id: await one('select id from form_submissions where instance_id = $1'),
    webhooks: await one('select id from webhooks where instance_id = $1'),
    delivery_id: await one(`select id from webhook_deliveries where instance_id = $1 and ${ofMails}`),
    'consent-events': await one('select id from consent_events where instance_id = $1'),
    'mail-restrictions': await one('select id from restrictions where instance_id = $1'),
    'inbound-messages': await one('select id from inbound_messages where instance_id = $1'),
    contact: encodeURIComponent(addressOf('form')),
    position: 1,
  };
}

/** Undefined for what is about something else. */
function fill(path: string, objects: Objects): string | undefined {
  // Exports are in it, too.
  if (path.endsWith('/audit-events')) return `${path}?page_size=100`;
  if (path.endsWith('/consent-evidence')) return `${path}?contact=${encodeURIComponent(addressOf('form'))}`;
  // Each export that was asked for before has its line there.
  if (path.endsWith('/audit-events')) return `${path}?page_size=100`;
  const mail = /mail-complaints|mail-unsubscribes/.exec(path);
  if (mail && path.includes('{')) return undefined;
  const parts = path.split('/');
  const filled = parts.map((part, index) => {
    if (!part.startsWith('{')) return part;
    const name = part.slice(1, -1);
    return objects[name === 'id' ? (parts[index - 1] ?? '') : name];
  });
  return filled.includes(undefined) ? undefined : filled.join('/');
}
