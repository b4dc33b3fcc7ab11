import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { minShareBytes, limitsPerThread } from './body-memory.ts';
import { ConfigError, readConfig, type Environment } from './config.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('without any setting the service listens only on this machine, with its own database', () => {
  const config = readConfig({});
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.http_port, 8080);
  assert.equal(config.base_url, 'http://localhost:8080');
  assert.equal(config.database_url, undefined);
  assert.equal(config.data_dir, path.resolve('data'));
  assert.equal(config.data_dir_is_default, true);
  assert.equal(config.secret, undefined);
  assert.equal(config.platform_domain, 'chasqui.test');
  assert.deepEqual(config.dns_servers, []);
  assert.equal(config.trust_proxy, false);
  assert.equal(config.log_level, 'info');
  assert.equal(config.stop_timeout_ms, 30_000);
  assert.equal(config.demo, true);
});

/** Its empty value says no. */
const switchedOffWhenEmpty = 'CHASQUI_COMPAT';

test('an empty variable counts as not set', () => {
  const keys = [...keysRead()].filter((key) => key !== switchedOffWhenEmpty);
  const empty = Object.fromEntries(keys.map((key) => [key, ' ']));
  assert.deepEqual(readConfig(empty), readConfig({}));
});

const accepted: [Environment, Partial<ReturnType<typeof readConfig>>][] = [
  [{ CHASQUI_HTTP_PORT: '0' }, { http_port: 0, base_url: 'http://localhost:0' }],
  [{ CHASQUI_HTTP_PORT: ' 65535 ' }, { http_port: 65535, base_url: 'http://localhost:65535' }],
  [{ CHASQUI_BASE_URL: 'https://mail.example.com//' }, { base_url: 'https://mail.example.com' }],
  [{ DATABASE_URL: 'postgres://u:p@h:1/d?x=y' }, { database_url: 'postgres://u:p@h:1/d?x=y' }],
  [{ CHASQUI_DATA_DIR: '/srv/mail' }, { data_dir: '/srv/mail', data_dir_is_default: false }],
  [{ CHASQUI_PLATFORM_DOMAIN: 'Mail.Example.COM.' }, { platform_domain: 'mail.example.com' }],
  [
    { CHASQUI_DNS_SERVERS: '127.0.0.1:53, [::1]:5300,10.0.0.1' },
    { dns_servers: ['127.0.0.1:53', '[::1]:5300', '10.0.0.1'] },
  ],
  [{ CHASQUI_TRUST_PROXY: 'TRUE' }, { trust_proxy: true }],
  [{ CHASQUI_TRUST_PROXY: '2' }, { trust_proxy: 2 }],
  [{ CHASQUI_TRUST_PROXY: '10.0.0.0/8, ::1' }, { trust_proxy: ['10.0.0.0/8', '::1'] }],
  [{ CHASQUI_DEMO: 'False' }, { demo: false }],
  [{}, { compat: true }],
  [{ CHASQUI_COMPAT: '' }, { compat: false }],
  [{ CHASQUI_COMPAT: 'Off' }, { compat: false }],
  [{ CHASQUI_COMPAT: 'on' }, { compat: true }],
  [{ CHASQUI_STOP_TIMEOUT_SECONDS: '1' }, { stop_timeout_ms: 1_000 }],
];
for (const [env, expected] of accepted) {
  test(`accepted: ${JSON.stringify(env)}`, () => {
    const config = readConfig(env);
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual(config[key as keyof typeof config], value);
  });
}

for (const name of ['CHASQUI_BASE_URL', 'CHASQUI_OTLP_ENDPOINT']) {
  test(`${name} has no password, which links and logs would show, and no query`, () => {
    for (const more of ['user:hush@host', 'user@host', 'host/?a=b', 'host/#c']) {
      const message = `${name} must have no user, password, query or fragment.`;
      assert.throws(
        () => readConfig({ [name]: `https://${more}` }),
        (error) =>
          error instanceof ConfigError && error.message.includes(message) && !error.message.includes('hush'),
      );
    }
    readConfig({ [name]: 'https://host/path/' });
  });
}

const refused: Environment = {
  CHASQUI_HTTP_PORT: '65536',
  CHASQUI_METRICS_PORT: '-1',
  CHASQUI_DNS_PORT: '53.5',
  CHASQUI_BASE_URL: 'mail.example.com',
  DATABASE_URL: 'mysql://root@db/mail',
  CHASQUI_DATABASE_POOL_SIZE: '1',
  CHASQUI_SECRET: 'too short',
  CHASQUI_PLATFORM_DOMAIN: 'no_domain',
  CHASQUI_DNS_SERVERS: 'dns.example.com:53',
  CHASQUI_TRUST_PROXY: 'yes',
  CHASQUI_LOG_LEVEL: 'loud',
  CHASQUI_STOP_TIMEOUT_SECONDS: '0',
  CHASQUI_DEMO: 'yes',
};

test('everything that is wrong is told at once, one line each, by name', () => {
  assert.throws(
    () => readConfig(refused),
    (error: Error) => {
      assert.ok(error instanceof ConfigError);
      const [first, ...lines] = error.message.split('\n');
      assert.equal(first, `The configuration has ${lines.length} problem(s):`);
      assert.deepEqual(
        lines.map((line) => /^ {2}(\w+) must /.exec(line)?.[1] ?? '').toSorted(),
        Object.keys(refused).toSorted(),
      );
      return true;
    },
  );
});

const alsoRefused = [
  ['CHASQUI_DNS_SERVERS', '127.0.0.1:53,256.0.0.1'],
  ['CHASQUI_DNS_SERVERS', '127.0.0.1:65536'],
  ['CHASQUI_DNS_SERVERS', '::1'],
  ['CHASQUI_TRUST_PROXY', '10.0.0.0/33'],
  ['CHASQUI_TRUST_PROXY', '10.0.0.0/8/8'],
  ['CHASQUI_HTTP_PORT', '8080x'],
  ['CHASQUI_SMARTHOST', 'https://relay.example.com'],
  ['CHASQUI_SMARTHOST', 'smtp://user:100%@relay.example.com'],
  ['CHASQUI_SMARTHOST', 'smtp://'],
  ['CHASQUI_BODY_MEMORY_INSTANCE_BYTES', '50331647'],
  ['CHASQUI_SECRET', 'change-me-change-me-change-me-change-me'],
] as const;
for (const [key, value] of [...Object.entries(refused), ...alsoRefused]) {
  test(`refused: ${key}=${value}`, () => {
    assert.throws(() => readConfig({ [key]: value }), new RegExp(`has 1 problem\\(s\\):\\n  ${key} must `));
  });
}

test('memory for bodies has room for the largest one in each thread', () => {
  const config = readConfig({ CHASQUI_THREADS: '8' });
  assert.deepEqual(limitsPerThread({ total_bytes: config.body_memory_bytes, share_bytes: 1 }, 8), {
    total_bytes: minShareBytes,
    share_bytes: minShareBytes,
  });
  assert.throws(() => readConfig({ CHASQUI_THREADS: '8', CHASQUI_BODY_MEMORY_BYTES: '201326592' }));
});

test('a weak root secret is accepted only where that is asked for', () => {
  const CHASQUI_SECRET = 'x'.repeat(40);
  assert.throws(() => readConfig({ CHASQUI_SECRET }), /must be random/);
  assert.equal(readConfig({ CHASQUI_SECRET, CHASQUI_ALLOW_WEAK_SECRET: 'true' }).secret, CHASQUI_SECRET);
});

test('a complaint never repeats a secret', () => {
  assert.throws(
    () =>
      readConfig({
        CHASQUI_SECRET: 'hush',
        DATABASE_URL: 'mysql://root:hush@db/mail',
        CHASQUI_SMARTHOST: 'smtp://u:hush%@relay',
      }),
    (error: Error) => !error.message.includes('hush'),
  );
});

/** The names that readConfig asks the environment for. */
function keysRead(): Set<string> {
  const keys = new Set<string>();
  readConfig(
    new Proxy<Environment>(
      {},
      {
        get: (_env, key) => void keys.add(String(key)),
      },
    ),
  );
  return keys;
}

test('.env.example explains every setting there is, and no other', () => {
  const inMain = globSync('src/main/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/env\['(\w+)'\]/g)].map(([, key = '']) => key),
  );
  const lines = readFileSync(path.join(root, '.env.example'), 'utf8').split('\n');
  const explained = lines.flatMap((line, index) => {
    const key = /^#([A-Z][A-Z0-9_]+)=/.exec(line)?.[1];
    if (key === undefined) return [];
    // Some share one.
    assert.match(lines[index - 1] ?? '', /^# ?\S/, `${key} has an explanation above it`);
    return [key];
  });
  assert.deepEqual(explained.toSorted(), [...new Set([...keysRead(), ...inMain])].toSorted());
});
