import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { readRoles, roleNames } from '../src/main/roles.ts';
import { readVersion } from '../src/main/version.ts';
import {
  deployFiles,
  instruction,
  ports,
  readYaml,
  stopSeconds,
  wellKnown,
  type Manifest,
} from './support/deploy-files.ts';

const manifests = deployFiles
  .filter((file) => file.startsWith('deploy/kubernetes/'))
  .flatMap((file) => readYaml(file) as Manifest[]);
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);

test('the deployments of Kubernetes have every role, probes that exist, few rights and time to stop', () => {
  const deployments = ofKind('Deployment');
  const config = Object.assign({}, ...ofKind('ConfigMap').map(({ data }) => data)) as Record<string, string>;
  assert.deepEqual(ofKind('Secret'), [], 'applying the manifests cannot replace a secret');
  const needed = stopSeconds(config);
  const roles = deployments.flatMap(({ spec }) => readRoles(spec?.template?.spec.containers[0].args.at(-1)));
  assert.deepEqual(roles.toSorted(), roleNames.toSorted(), 'each role once');
  for (const { metadata, spec } of deployments) {
    const pod = spec?.template?.spec;
    assert.ok(pod?.containers[0].image.endsWith(`:${readVersion()}`), metadata.name);
    assert.ok(pod && pod.terminationGracePeriodSeconds > needed, metadata.name);
    const { securityContext, ports: open, ...container } = pod.containers[0];
    assert.deepEqual(
      [
        pod.securityContext.runAsNonRoot,
        `${pod.securityContext.runAsUser}`,
        pod.automountServiceAccountToken,
      ],
      [true, instruction('USER').split(':')[0], false],
    );
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.ok(open.every(({ containerPort }) => ports.has(containerPort)));
    for (const probe of [container.startupProbe, container.livenessProbe])
      assert.deepEqual(probe.httpGet, { path: '/healthz', port: 'metrics' });
    assert.deepEqual(container.readinessProbe.httpGet, { path: '/readyz', port: 'metrics' });
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      [instruction('VOLUME'), '/tmp'],
    );
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      pod.volumes.map(({ name }) => name),
    );
    const budgets = ofKind('PodDisruptionBudget').filter((budget) =>
      selects(budget.spec?.selector?.matchLabels, spec?.template?.metadata.labels),
    );
    assert.equal(budgets.length, 1, `one disruption budget of ${metadata.name}`);
    assert.ok((spec.replicas ?? 0) > 1, `${metadata.name} goes on while one pod is away`);
  }
});

const selects = (wanted: Record<string, string> = {}, labels: Record<string, string> = {}): boolean =>
  Object.keys(wanted).length > 0 && Object.entries(wanted).every(([key, value]) => labels[key] === value);

test('the services of Kubernetes lead to ports that are open, and the list of files is complete', () => {
  const services = ofKind('Service');
  assert.ok(services.length >= 4);
  for (const { metadata, spec } of services) {
    const target = ofKind('Deployment').find((each) =>
      selects(spec?.selector, each.spec?.template?.metadata.labels),
    );
    const open = target?.spec?.template?.spec.containers[0].ports ?? [];
    for (const { port, targetPort, protocol = 'TCP' } of spec?.ports ?? []) {
      const found = open.find(({ name, protocol: own = 'TCP' }) => name === targetPort && own === protocol);
      assert.ok(found, `${metadata.name}: ${targetPort}`);
      assert.equal(wellKnown[port] ?? found.containerPort, found.containerPort, `${metadata.name}: ${port}`);
    }
  }
  const [kustomization] = ofKind('Kustomization');
  const present = deployFiles
    .filter((file) => file.startsWith('deploy/kubernetes/'))
    .map((file) => path.basename(file));
  assert.deepEqual(
    [...(kustomization?.resources ?? []), 'kustomization.yaml'].toSorted(),
    present.toSorted(),
  );
});
