import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FaultBed } from '../bed/fault-bed.ts';
import type { SenderKind } from './plan/planned.ts';

/** What the workload works with. */
export interface Account {
  slug: string;
  api_key: string;
  smtp: { username: string; password: string };
  senders: Record<SenderKind, string>;
  purpose_id: number;
  term_id: number;
  version_id: number;
  /** Public token of the form. */
  form: string;
  /** Identifiers of webhooks by their names. */
  hooks: Record<string, number>;
}

/** Three senders, a term and a form with double opt-in. */
export async function prepareAccount(bed: FaultBed): Promise<Account> {
  const { caller, database } = bed;
  const instance = ['--instance', caller.slug];
  await database.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream, requires_consent, consent_purpose_id)
     select d.instance_id, d.id, kind, kind || '@' || d.domain, stream, kind = 'club',
       case when kind = 'club' then p.id end
     from domains d join consent_purposes p on p.instance_id = d.instance_id and p.code = 'newsletter'
     cross join (values ('news', 'broadcast'), ('club', 'transactional')) as s (kind, stream) where d.domain = $1`,
    [caller.sender.split('@')[1]],
  );
  // So that the plan counts.
  await database.query('update instances set plan_send_limit = 1000000 where slug = $1', [caller.slug]);
  const term = await bed.command(
    'term',
    'create',
    ...instance,
    '--name',
    'Club',
    '--type',
    'marketing',
    '--purposes',
    'newsletter',
    '--channels',
    'mail,push',
    '--version',
    '1',
    '--body',
    'I agree.',
    '--current',
  );
  const form = await makeForm(bed, instance, term['id'] as unknown as number);
  const [ids] = await database.query<Pick<Account, 'purpose_id' | 'version_id'>>(
    `select tp.purpose_id::int, v.id::int as version_id from consent_term_purposes tp
     join consent_term_versions v using (term_id) where tp.term_id = $1`,
    [term['id']],
  );
  return {
    slug: caller.slug,
    api_key: caller.api_key,
    smtp: caller.smtp,
    senders: {
      plain: caller.sender,
      news: caller.sender.replace('hi@', 'news@'),
      club: caller.sender.replace('hi@', 'club@'),
    },
    purpose_id: ids?.purpose_id ?? 0,
    version_id: ids?.version_id ?? 0,
    term_id: term['id'] as unknown as number,
    form,
    hooks: {},
  };
}

async function makeForm(bed: FaultBed, instance: string[], term_id: number): Promise<string> {
  const [sender] = await bed.database.query<{ id: number }>(
    'select id::int from senders where email_address = $1',
    [bed.caller.sender],
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-form-'));
  const file = path.join(folder, 'form.json');
  const form = {
    name: 'Club',
    kind: 'consent',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: sender?.id,
    items: [
      { kind: 'field', field_key: 'EMAIL', is_required: true },
      { kind: 'consent', term_id, is_required: true },
    ],
  };
  try {
    await writeFile(file, JSON.stringify(form));
    const made = await bed.command('form', 'create', ...instance, `@${file}`);
    return made['public_token'] as unknown as string;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
