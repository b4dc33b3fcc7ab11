import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** The floors, from the top down. A room imports from rooms below it and from itself, never up or sideways. */
const floors = [
  'main',
  'mcp',
  'panel',
  'contacts',
  'rights',
  'broadcasts',
  'forms',
  'alerts',
  'overview',
  'compat',
  'accept',
  'deliver',
  'sandbox',
  'inbound',
  'track',
  'webhooks',
  'received',
  'explain',
  'activity',
  'events',
  'queue',
  'mails',
  'restrictions',
  'consent',
  'templates',
  'domains',
  'sources',
  'accounts',
  'credentials',
  'limits',
  'instances',
  'exports',
  'certificates',
  'installation',
  'announce',
  'audit',
  'base',
  'protocol',
];

const src = path.resolve(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
const imports = files.flatMap((file) => {
  const text = readFileSync(path.join(src, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
    file,
    target: path.relative(src, path.resolve(src, path.dirname(file), target)),
  }));
});

test('there are files and imports to check', () => {
  assert.ok(files.length > 30, `${files.length} files`);
  assert.ok(imports.length > 100, `${imports.length} imports`);
});

test('every room is on a floor', () => {
  const rooms = new Set(files.map((file) => file.split(path.sep)[0] ?? ''));
  assert.deepEqual(
    [...rooms].filter((room) => !floors.includes(room)),
    [],
  );
});

test('imports go down, never up or sideways', () => {
  const floorOf = (file: string): number => floors.indexOf(file.split(path.sep)[0] ?? '');
  const upward = imports.filter(({ file, target }) => floorOf(target) < floorOf(file));
  assert.deepEqual(upward, []);
});

/** `main/` wires everything and may import any file; the two lowest floors are libraries without a door. */
const withoutDoor = new Set(['main', 'base', 'protocol']);

test('a room is entered by its door, index.ts', () => {
  const roomOf = (file: string): string => file.split(path.sep)[0] ?? '';
  const entered = imports.filter(
    ({ file, target }) =>
      roomOf(file) !== 'main' && roomOf(file) !== roomOf(target) && !withoutDoor.has(roomOf(target)),
  );
  assert.ok(entered.length > 50, `${entered.length} imports`);
  assert.deepEqual(
    entered.filter(({ target }) => !/^[a-z]+\/index\.ts$/.test(target)),
    [],
  );
});

test('production code imports nothing from tests, benches or the panel', () => {
  assert.deepEqual(
    imports.filter(({ target }) => target.startsWith('..')),
    [],
  );
});

test('only main reads the environment', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(path.join(src, file), 'utf8')));
  assert.deepEqual(
    readers.filter((file) => !file.startsWith('main')),
    [],
  );
});

test('protocol imports only itself', () => {
  const leaning = imports.filter(
    ({ file, target }) => file.startsWith('protocol') && !target.startsWith('protocol'),
  );
  assert.deepEqual(leaning, []);
});

/** Which room writes which tables. */
const tables: Record<string, string[]> = {
  main: ['installation'],
  installation: ['check_results'],
  webhooks: ['webhooks', 'webhook_cursor', 'webhook_deliveries', 'webhook_notices'],
  contacts: ['contact_imports'],
  rights: ['rights_requests'],
  broadcasts: ['broadcast_recipients', 'broadcasts'],
  forms: ['fields', 'forms', 'form_items', 'form_submissions', 'form_update_links'],
  certificates: ['acme_accounts', 'acme_challenges', 'certificates'],
  sandbox: ['sandbox_messages'],
  activity: [
    'live_watches',
    'mail_subjects',
    'mail_subjects_pending',
    'mail_subjects_progress',
    'stats_days',
    'stats_deltas',
    'stats_group_progress',
    'stats_group_quarters',
    'stats_quarters',
    'stats_sandbox_quarters',
  ],
  events: ['complaints', 'events', 'unsubscribe_lifts', 'unsubscribes'],
  queue: ['paused_destinations', 'queue'],
  mails: ['categories', 'idempotency_keys', 'mail_tags', 'mails', 'message_attachments', 'messages'],
  restrictions: ['restrictions', 'suppressed_contacts'],
  consent: [
    'consent_chains',
    'consent_event_outcomes',
    'consent_events',
    'consent_purposes',
    'consent_receipts',
    'consent_rules',
    'consent_seals',
    'consent_term_purposes',
    'consent_term_versions',
    'consent_terms',
  ],
  templates: ['mail_templates', 'template_versions'],
  inbound: ['dmarc_reports', 'dmarc_rows', 'inbound_messages'],
  received: [
    'forward_addresses',
    'inbound_routes',
    'received_attachments',
    'received_mails',
    'received_sources',
    'received_forwards',
    'reply_withdrawals',
  ],
  domains: ['dkim_keys', 'domains', 'link_takedowns', 'revoked_domains', 'senders'],
  sources: ['source_addresses', 'source_assignments', 'source_usage'],
  accounts: [
    'invitations',
    'login_attempts',
    'memberships',
    'passkeys',
    'password_resets',
    'recovery_codes',
    'refresh_tokens',
    'saved_views',
    'sessions',
    'used_challenges',
    'user_identities',
    'users',
  ],
  credentials: ['api_key_uses', 'api_keys', 'operator_keys', 'smtp_credentials'],
  limits: ['plan_usage', 'rate_buckets'],
  alerts: ['alert_reads', 'alert_rules', 'alerts'],
  overview: ['annotations'],
  instances: ['instances'],
  audit: ['audit_events'],
  base: ['jobs', 'measurements', 'nodes', 'write_probes'],
};

/** What one statement has to write across rooms, so that it is stored whole or not at all. */
const exceptions = [
  // What happened to a mail, and its consequences.
  ...['mails', 'queue', 'restrictions', 'webhook_deliveries'].map((table) => `events writes ${table}`),
  // Something that is about no mail, and its deliveries.
  'announce writes webhook_notices',
  'announce writes webhook_deliveries',
  // Whole months of everything that belongs to a mail.
  'mails writes events',
  'mails writes mail_subjects',
  // Transaction numbers of a database that was restored into another server.
  'webhooks writes events',
];

test('only the owner of a table writes it', () => {
  const schema = readFileSync(path.resolve(src, '../database/schema.sql'), 'utf8');
  const known = [...schema.matchAll(/^create table (?:public\.)?(\w+)/gim)].map(([, name = '']) => name);
  const owned = new Set(Object.values(tables).flat());
  // Nodes of the release before write it; it is dropped by the next.
  assert.deepEqual(known.filter((table) => !owned.has(table)).toSorted(), ['delivery_nodes']);

  const writes = files.flatMap((file) => {
    const text = readFileSync(path.join(src, file), 'utf8');
    const statements = [
      ...text.matchAll(/\b(?:insert\s+into|update|delete\s+from|copy)\s+(\w+)/gi),
      ...text.matchAll(/\bcopyInto(?:<\w+>)?\(\s*'(\w+)'/g),
    ];
    const room = file.split(path.sep)[0] ?? '';
    return statements.filter(([, table = '']) => owned.has(table)).map(([, table = '']) => ({ room, table }));
  });
  assert.ok(writes.length > 100, `${writes.length} writes`);
  const foreign = writes.filter(({ room, table }) => !tables[room]?.includes(table));
  assert.deepEqual(new Set(foreign.map(({ room, table }) => `${room} writes ${table}`)), new Set(exceptions));
});
