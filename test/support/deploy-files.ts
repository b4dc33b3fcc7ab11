import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/base/config.ts';

export const root = path.resolve(import.meta.dirname, '../..');
export const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export const deployFiles = globSync('deploy/**/*', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
const defaults = readConfig({});
export const ports = new Set([
  defaults.http_port,
  defaults.submission_port,
  defaults.submissions_port,
  defaults.inbound_port,
  defaults.dns_port,
  defaults.metrics_port,
]);
/** Where the world looks for a service, and which of our ports answers there. */
export const wellKnown: Record<number, number> = {
  25: defaults.inbound_port,
  53: defaults.dns_port,
  465: defaults.submissions_port,
  587: defaults.submission_port,
};

/** How long a node with these settings may take to stop. */
export function stopSeconds(environment: Record<string, string>): number {
  const { shutdown_delay_ms, stop_timeout_ms } = readConfig(environment);
  return (shutdown_delay_ms + stop_timeout_ms) / 1000;
}

/** Every document of a YAML file, or of JSON, which is YAML too. Throws at the first error or warning. */
export function readYaml(file: string): unknown[] {
  return parseAllDocuments(readText(file), { merge: true, prettyErrors: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`${file}: ${problem.message}`);
    return document.toJS() as unknown;
  });
}

export interface ComposeService {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  tmpfs?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  build?: { context: string; dockerfile: string };
}

export function composeServices(file: string): Record<string, ComposeService> {
  const [compose] = readYaml(file) as [{ services: Record<string, ComposeService> }];
  return compose.services;
}

/** As Compose fills in variables that are not set: `${NAME:-value}`, and `${NAME:?reason}` by `required`. */
export function withDefaults(text: string, required: string): string {
  return text.replaceAll(/\$\{\w+:(?:-([^}]*)|\?[^}]*)\}/g, (_all, value?: string) => value ?? required);
}

export interface Instruction {
  name: string;
  text: string;
}

/** The instructions of a Dockerfile, by stage. */
export function dockerStages(file: string): Instruction[][] {
  const lines = readText(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const joined = lines.join('\n').replaceAll('\\\n', ' ').split('\n');
  const stages: Instruction[][] = [];
  for (const line of joined) {
    const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`${file}: not an instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** `NAME=value` settings of a section; a setting that comes again adds to the list. */
export function unitSettings(file: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const [, name = '', value = ''] of readText(file).matchAll(/^(\w+)=(.*)$/gm)) {
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

export interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  resources?: string[];
  spec?: {
    replicas?: number;
    maxUnavailable?: number;
    selector?: Record<string, string> & { matchLabels?: Record<string, string> };
    ports?: { port: number; targetPort: string; protocol?: string }[];
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

export interface PodSpec {
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  volumes: { name: string }[];
  containers: [Container];
}

export interface Container {
  image: string;
  args: string[];
  ports: { name: string; containerPort: number; protocol?: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[] };
  };
  volumeMounts: { name: string; mountPath: string }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
}

interface Probe {
  httpGet: { path: string; port: string };
}

export const [panelStage = [], productionStage = [], image = []] = dockerStages('deploy/Dockerfile');
/** Of the image: the last one with this name. */
export const instruction = (name: string): string => image.findLast((each) => each.name === name)?.text ?? '';
