import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { parse } from 'yaml';
import { createSmtpCredential } from '../src/credentials/smtp-credentials.ts';
import { startDeliveryBed, type DeliveryBed } from '../src/deliver/delivery-bed.fixture.ts';
import { roleNames } from '../src/main/roles.ts';
import { readVersion } from '../src/main/version.ts';
import { selectorsOf } from './support/promql.ts';
import { waitFor } from './support/wait-for.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const actor = { kind: 'operator' } as const;
let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: roleNames.join(',') });
});
after(async () => await bed.stop());

async function scrape(): Promise<string> {
  return await (await fetch(`${bed.service.metrics_url}/metrics`)).text();
}

/** The value of the one series with this name and these labels. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const lines = (await scrape())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const matching = lines.filter((line) =>
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  );
  return matching.length === 1 ? Number(matching[0]?.split(' ').at(-1)) : undefined;
}

async function becomes(value: number, name: string, labels: Record<string, string> = {}): Promise<void> {
  let seen: number | undefined;
  await waitFor(async () => (seen = await valueOf(name, labels)) === value, {
    what: () => `${value} as ${name} ${JSON.stringify(labels)}, which is ${seen}`,
  });
}

async function submit(password?: string): Promise<void> {
  const [host = '', port] = bed.service.service.addresses.submission?.starttls.split(':') ?? [];
  const { instance } = bed.tenant;
  const login = await bed.service.db.transaction(
    async (tx) => await createSmtpCredential(tx, instance.id, { name: 'test', actor }),
  );
  const transport = createTransport({
    host,
    port: Number(port),
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: login.username, pass: password ?? login.password },
  });
  await transport
    .sendMail({ from: 'hi@shop.example.test', to: 'delivered@sandbox.test', subject: 'Hi', text: 'Hi' })
    .finally(() => transport.close());
}

test('a delivery is counted by outcome, provider and TLS, with its durations', async (t) => {
  const remote = await bed.remote(t);
  const plain = await bed.remote(t, { capabilities: ['PIPELINING', '8BITMIME'] });
  await bed.send(`ana@${remote.domain}`);
  await bed.send(`ana@${plain.domain}`);
  await bed.send('bounce@sandbox.test');
  const outcomes = 'chasqui_delivery_outcomes_total';
  await becomes(1, outcomes, { outcome: 'sent', provider: 'other', tls: 'opportunistic' });
  await becomes(1, outcomes, { outcome: 'sent', provider: 'other', tls: 'plaintext' });
  await becomes(1, outcomes, { outcome: 'bounced', provider: 'sandbox', tls: 'none' });
  await becomes(1, 'chasqui_delivery_bounces_total', { type: 'hard', provider: 'sandbox' });
  await becomes(2, 'chasqui_delivery_latency_seconds_count', { stream: 'transactional' });
  await becomes(2, 'chasqui_delivery_attempt_duration_seconds_count', { provider: 'other' });
  await becomes(0, 'chasqui_delivery_outcomes_lost_total');
  await becomes(0, 'chasqui_delivery_unfinished');
  await becomes(500, 'chasqui_delivery_slots', { state: 'free' });
});

test('an outcome whose lease was lost is counted apart', async (t) => {
  const remote = await bed.remote(t, {
    script: {
      BODY: async () => {
        await bed.service.db.query('update queue set lease = gen_random_uuid() where destination = $1', [
          remote.domain,
        ]);
        return undefined;
      },
    },
  });
  const beforeIt = await valueOf('chasqui_delivery_latency_seconds_count', { stream: 'transactional' });
  await bed.send(`lost@${remote.domain}`);
  await becomes(1, 'chasqui_delivery_outcomes_lost_total');
  assert.equal(
    await valueOf('chasqui_delivery_latency_seconds_count', { stream: 'transactional' }),
    beforeIt,
  );
});

test('accepted and refused mails are counted by interface and result', async () => {
  const accepted = async (): Promise<number> =>
    (await valueOf('chasqui_accept_duration_seconds_count', { source: 'http', result: 'accepted' })) ?? 0;
  const already = await accepted();
  await bed.send('delivered@sandbox.test');
  assert.equal(await accepted(), already + 1);
  const refused = await bed.tenant.api.post('/v1/mails/send', {
    sender_email: 'nobody@unknown.example.test',
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hi',
    html: '<p>Hi</p>',
  });
  assert.equal(refused.status, 404);
  await becomes(1, 'chasqui_accept_duration_seconds_count', {
    source: 'http',
    result: refused.json.code as string,
  });
  await submit();
  await becomes(1, 'chasqui_accept_duration_seconds_count', { source: 'smtp', result: 'accepted' });
  await becomes(1, 'chasqui_accepted_mails_total', { source: 'smtp', result: 'queued' });
  await becomes(1, 'chasqui_submission_messages_total', { code: '250' });
  await assert.rejects(submit('wrong'));
  await becomes(1, 'chasqui_submission_authentications_total', { result: 'refused' });
  await becomes(1, 'chasqui_submission_authentications_total', { result: 'accepted' });
});

test('the node says who it is, and how its database and batches are', async () => {
  const version = readVersion();
  await becomes(1, 'chasqui_node_info', { version, roles: roleNames.join(',') });
  await becomes(1, 'chasqui_nodes', { version });
  assert.ok(((await valueOf('chasqui_node_heartbeat_age_seconds')) ?? 99) < 10);
  assert.equal(await valueOf('chasqui_database_pool_connections', { state: 'limit' }), 10);
  assert.equal(await valueOf('chasqui_database_pool_waiting'), 0);
  const items = (await valueOf('chasqui_batch_items_sum', { batch: 'accept' })) ?? 0;
  assert.ok(items >= 5, `${items} accepted in batches`);
  await becomes(0, 'chasqui_batch_waiting', { batch: 'delivery_outcomes' });
});

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string };
  labels: { severity: string };
}

const rules = (
  parse(read('deploy/monitoring/chasqui-rules.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
};
const queries = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
];

/** Labels that Prometheus adds, or moves out of the way of its own. */
const added = new Set(['instance', 'job', 'exported_job', 'le']);

test('every metric and label of the dashboard and the alerts is one of the service', async () => {
  assert.ok(queries.length > 60, `${queries.length} queries`);
  const known = await labelsByMetric();
  for (const { of, expr } of queries) {
    const selectors = selectorsOf(expr);
    assert.ok(selectors.length > 0, `${of} selects something`);
    for (const { metric, labels } of selectors) {
      if (metric === 'up') continue;
      const base = metric.replace(/_(bucket|sum|count)$/, '');
      const names = known.get(metric) ?? known.get(base);
      assert.ok(names, `${of}: ${metric}`);
      const strange = labels.filter((label) => !names.includes(label) && !added.has(label));
      assert.deepEqual(strange, [], `${of}: labels of ${metric}`);
    }
  }
});

test('every metric of the service is described in the guide, and every alert too', async () => {
  const guide = read('docs/monitoring.md');
  const names = [...(await labelsByMetric()).keys()].filter((name) => name.startsWith('chasqui_'));
  assert.ok(names.length > 30, `${names.length} metrics`);
  assert.deepEqual(
    names.filter((name) => !guide.includes(`\`${name}\``)),
    [],
  );
  for (const { alert, labels, annotations } of rules) {
    assert.ok(guide.includes(`\`${alert}\``), alert);
    assert.match(labels.severity, /^(critical|warning)$/);
    assert.ok(annotations.summary.length > 10);
  }
});

test('the number of series stays small', async () => {
  const series = (await scrape()).split('\n').filter((line) => line.startsWith('chasqui_'));
  assert.ok(series.length > 100 && series.length < 2_000, `${series.length} series`);
});

/** Names from the running service. Labels from its series, or from the source where there are none yet. */
async function labelsByMetric(): Promise<Map<string, string[]>> {
  const text = await scrape();
  const found = new Map(
    [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => [name, new Set<string>()]),
  );
  for (const [, metric = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const names = found.get(metric) ?? found.get(metric.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) names?.add(label);
  }
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    for (const [, name = '', labels = ''] of read(file).matchAll(
      /name: '(\w+)',\n.*\n\s*labelNames: \[(.*)\]/g,
    )) {
      for (const [, label = ''] of labels.matchAll(/'(\w+)'/g)) found.get(name)?.add(label);
    }
  }
  return new Map([...found].map(([name, labels]) => [name, [...labels]]));
}
