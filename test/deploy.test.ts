import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sendLimits } from '../src/accept/send-schema.ts';
import { readConfig } from '../src/base/config.ts';
import { readRoles, roleNames } from '../src/main/roles.ts';
import {
  composeServices,
  deployFiles,
  image,
  instruction,
  panelStage,
  ports,
  productionStage,
  readText,
  readYaml,
  root,
  stopSeconds,
  unitSettings,
  wellKnown,
  withDefaults,
} from './support/deploy-files.ts';

const settings = new Set(
  [...readText('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name),
);
const compose = ['deploy/compose.yaml', 'deploy/compose-three-nodes.yaml'];
const unit = unitSettings('deploy/systemd/chasqui.service');
test('every file parses, and every setting in it exists', () => {
  assert.ok(deployFiles.length >= 15, `${deployFiles.length} files`);
  for (const file of deployFiles) {
    if (/\.(ya?ml|json)$/.test(file)) assert.ok(readYaml(file).length > 0, file);
    const named = [...readText(file).matchAll(/\b(?:CHASQUI_[A-Z_]+|DATABASE_URL)\b/g)].map(([name]) => name);
    assert.deepEqual(
      named.filter((name) => !settings.has(name)),
      [],
      file,
    );
  }
});

test('the image is not root, listens, and has what the service reads', () => {
  assert.match(instruction('USER'), /^10001:10001$/);
  assert.deepEqual(
    new Set(
      instruction('EXPOSE')
        .split(' ')
        .map((port) => Number.parseInt(port, 10)),
    ),
    ports,
  );
  const environment = Object.fromEntries(
    instruction('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  );
  assert.equal(readConfig(environment).data_dir, instruction('VOLUME'));
  assert.deepEqual(JSON.parse(instruction('ENTRYPOINT')), ['node', '/srv/chasqui/bin/chasqui']);
  assert.deepEqual(JSON.parse(instruction('CMD')), ['serve']);
  assert.match(instruction('HEALTHCHECK'), /\/healthz/);
  const copied = new Set(image.filter(({ name }) => name === 'COPY').flatMap(({ text }) => text.split(' ')));
  for (const needed of ['bin', 'src', 'migrations', 'docs', 'node_modules', 'package.json', 'panel/dist'])
    assert.ok(copied.has(needed), `${needed} is in the image`);
});

test('files of the image exist and are sent to the builder, and no others', () => {
  const [everything, ...lines] = readText('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(everything, '*');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const sources = [panelStage, productionStage, image]
    .flat()
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from'))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
  assert.ok(sources.length > 8);
  for (const source of sources) {
    assert.ok(existsSync(path.join(root, source)), source);
    assert.ok(
      allowed.some((name) => source === name || source.startsWith(`${name}/`)),
      source,
    );
  }
  assert.deepEqual(
    allowed.filter((name) => !sources.some((source) => source === name || source.startsWith(`${name}/`))),
    [],
  );
});

test('images have a version, and packages of the system come without more than is needed', () => {
  const from = [panelStage, productionStage, image].map(([first]) =>
    first?.text.split(' ').find((word) => word.includes(':')),
  );
  const used = [
    ...from,
    ...composeFiles()
      .map(([, service]) => service.image)
      .filter((name) => name !== 'chasqui'),
  ];
  for (const name of used) assert.match(name ?? '', /:\d*[\w.-]+$/);
  assert.ok(!used.some((name) => name?.endsWith(':latest')));
  for (const { text } of productionStage.filter((each) => each.text.includes('apt-get install')))
    assert.match(text, /--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
});

function composeFiles() {
  return compose.flatMap((file) =>
    Object.entries(composeServices(file)).map(([name, service]) => [`${file} ${name}`, service] as const),
  );
}
const composeNodes = composeFiles().filter(([, { image: name }]) => name === 'chasqui');

test('nodes of Compose have valid settings, roles and ports, and few rights', () => {
  assert.equal(composeNodes.length, 4);
  const secret = randomBytes(32).toString('hex'); // also valid within DATABASE_URL
  for (const [name, node] of composeNodes) {
    const environment = Object.fromEntries(
      Object.entries(node.environment).map(([key, value]) => [key, withDefaults(value, secret)]),
    );
    assert.ok(Number.parseInt(node.stop_grace_period ?? '', 10) > stopSeconds(environment), name);
    for (const port of node.ports ?? []) {
      const [inside, outside] = port.split('/')[0]?.split(':').toReversed().map(Number) ?? [];
      assert.ok(ports.has(inside ?? 0), `${name}: ${port}`);
      assert.equal(wellKnown[outside ?? 0] ?? inside, inside, `${name}: ${port}`);
    }
    assert.deepEqual(
      { read_only: node.read_only, drop: node.cap_drop, options: node.security_opt },
      { read_only: true, drop: ['ALL'], options: ['no-new-privileges:true'] },
    );
    const writable = [
      ...(node.tmpfs ?? []),
      ...(node.volumes ?? []).map((volume) => volume.split(':')[1] ?? ''),
    ];
    assert.ok(
      writable.some((place) => place.startsWith(instruction('VOLUME'))),
      name,
    );
    assert.ok(writable.includes('/tmp'), name);
    if (node.build)
      assert.equal(path.join('deploy', node.build.context, node.build.dockerfile), 'deploy/Dockerfile');
  }
  const roles = composeNodes.slice(1).flatMap(([, { command }]) => readRoles(command?.at(-1)));
  assert.deepEqual(new Set(roles), new Set(roleNames));
});

test('the unit has time to stop its database, and binds low ports only by capability', () => {
  assert.deepEqual(unit.get('KillMode'), ['mixed']);
  assert.ok(Number(unit.get('TimeoutStopSec')) > stopSeconds({}));
  assert.deepEqual([unit.get('User'), unit.get('NoNewPrivileges')], [['chasqui'], ['yes']]);
  for (const name of ['AmbientCapabilities', 'CapabilityBoundingSet'])
    assert.deepEqual(unit.get(name), ['CAP_NET_BIND_SERVICE']);
  const environment = Object.fromEntries(
    unitSettings('deploy/systemd/chasqui.env')
      .entries()
      .map(([key, [value]]) => [key, value]),
  );
  const config = readConfig(environment);
  assert.deepEqual(
    [config.inbound_port, config.dns_port, config.submissions_port, config.submission_port],
    [25, 53, 465, 587],
  );
  for (const word of unit.get('ExecStart')?.[0]?.split(' ').slice(0, 2) ?? []) {
    const file = word.replace(/^\/opt\/chasqui\//, '');
    assert.ok(existsSync(path.join(root, file)), file);
  }
});

test('the wrapper of the command line is a valid script, and names what the unit names', () => {
  const checked = spawnSync('sh', ['-n', path.join(root, 'deploy/systemd/chasqui')], { encoding: 'utf8' });
  assert.deepEqual([checked.status, checked.stderr], [0, '']);
  const script = readText('deploy/systemd/chasqui');
  const [program = ''] = unit.get('ExecStart') ?? [];
  for (const word of [
    program.replace(/ serve$/, ''),
    unit.get('EnvironmentFile')?.[0]?.slice(1) ?? '',
    `--reuid=${unit.get('User')?.[0]}`,
  ])
    assert.ok(script.includes(word), word);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'needs systemd-analyze';

test('systemd accepts the unit and finds it well confined', { skip: analyze }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-unit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'chasqui.service');
  writeFileSync(file, readText('deploy/systemd/chasqui.service').replaceAll('/opt/chasqui', root));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  assert.equal(verified.status, 0, verified.stderr);
  // A setting it does not know is only worth a line to it.
  assert.doesNotMatch(verified.stderr, /chasqui\.service/);
  // In tenths: 0 is confined in every way there is, 100 in none.
  const judged = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file], {
    encoding: 'utf8',
  });
  assert.equal(
    judged.status,
    0,
    judged.stdout.split('\n').findLast((line) => line !== ''),
  );
});

test('the proxies lead to our port, let every send through and pass the authority on', () => {
  for (const file of ['deploy/proxy/Caddyfile', 'deploy/proxy/nginx.conf']) {
    const text = readText(file);
    const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
    const body = lines.join('\n');
    assert.equal(body.split('{').length, body.split('}').length, `braces of ${file}`);
    assert.ok(body.includes(`127.0.0.1:${readConfig({}).http_port}`), file);
    assert.match(body, /\/\.well-known\/acme-challenge\//, file);
    const named = [...text.matchAll(/^# {3}([A-Z_]+)=(\S+)/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]);
    const config = readConfig(Object.fromEntries(named) as Record<string, string>);
    const host = new URL(config.base_url).hostname;
    assert.ok(body.includes(`${host} {`) || body.includes(`server_name ${host}`), `${host} in ${file}`);
    assert.ok(config.acme_names.every((name) => body.includes(name)) && config.trust_proxy === 1, file);
  }
  const [, most] = /client_max_body_size (\d+)m;/.exec(readText('deploy/proxy/nginx.conf')) ?? [];
  assert.ok(Number(most) * 2 ** 20 > sendLimits.body_bytes);
});
