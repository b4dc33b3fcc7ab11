import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { deployFiles, readText, readYaml, root } from './support/deploy-files.ts';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }>;
}

const workflow = readYaml('.github/workflows/release.yml')[0] as Workflow;
const script = (name: string): string => path.join(root, 'scripts', name);

test('the release runs scripts that exist, reads by default, and builds both platforms of the image', () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const named = steps.flatMap(({ run = '' }) => run.match(/(?:scripts|\.ci)\/[\w-]+/g) ?? []);
  assert.ok(new Set(named).size >= 3, named.join());
  for (const file of named) accessSync(path.join(root, file), constants.X_OK);
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  const writers = Object.entries(workflow.jobs).filter(
    ([, job]) => job.permissions?.['contents'] === 'write',
  );
  assert.deepEqual(
    writers.map(([name]) => name),
    ['release'],
  );
  assert.match(readText('.github/workflows/release.yml'), /platforms: linux\/amd64,linux\/arm64\n/);
});

test('the notes of a release are the section of its version, and a version without one is refused', () => {
  const notes = execFileSync(script('release-notes'), ['0.2.0'], { encoding: 'utf8' });
  assert.match(notes, /^### /);
  assert.doesNotMatch(notes, /^## /m);
  const refused = spawnSync(script('release-notes'), ['9.9.9'], { encoding: 'utf8' });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /has no section for version '9\.9\.9'/);
});

test('no file for Kubernetes can create or replace a secret, and the overlay changes what is there', () => {
  const files = deployFiles.filter((file) => /^deploy\/kubernetes.*\.yaml$/.test(file));
  assert.ok(files.includes('deploy/kubernetes-overlay/kustomization.yaml'));
  for (const file of files) {
    for (const document of readYaml(file) as Record<string, unknown>[]) {
      assert.notEqual(document['kind'], 'Secret', file);
      assert.equal(document['secretGenerator'], undefined, file);
    }
  }
  const [{ data }] = readYaml('deploy/kubernetes/config.yaml') as [{ data: Record<string, string> }];
  const [overlay] = readYaml('deploy/kubernetes-overlay/kustomization.yaml') as [
    { patches: { patch: string }[]; replicas: { name: string }[] },
  ];
  const paths = overlay.patches.flatMap(({ patch }) => patch.match(/(?<=path: \/data\/)\w+/g) ?? []);
  assert.ok(paths.length >= 3);
  for (const name of paths) assert.ok(name in data, name);
  const manifests = files.map(readText).join('\n');
  for (const { name } of overlay.replicas)
    assert.match(manifests, new RegExp(`kind: Deployment\\nmetadata:\\n {2}name: ${name}\\n`));
});

test('slim refuses an install that can build, and a folder that is not an install', (t) => {
  const empty = mkdtempSync(path.join(tmpdir(), 'chq-slim-'));
  t.after(() => rmSync(empty, { recursive: true }));
  for (const [folder, why] of [
    [path.join(root, 'node_modules'), /can build and test/],
    [empty, /is not an install/],
  ] as const) {
    const refused = spawnSync(process.execPath, [script('slim'), folder], { encoding: 'utf8' });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, why);
  }
});
