import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';

/** Converters of collections are not dependencies either: see openapi-generators.test.ts. */
const folder = path.resolve(process.env['CHASQUI_GENERATORS'] ?? '/nowhere', 'node_modules');
const load = createRequire(path.join(folder, 'any.js'));
const text = readFileSync(path.resolve(import.meta.dirname, '../../openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, { operationId?: string; security?: unknown }>>;
};
const operations = Object.values(document.paths).flatMap((path_) =>
  Object.values(path_).filter(({ operationId }) => operationId !== undefined),
);

/** Open to everyone, or about the installation. */
const ofNoInstance = operations.filter(({ security }) => security !== undefined);

interface Converted {
  name: string;
  /** Those that are sent, by their name in lower case. */
  headers: string[];
}

interface PostmanItem {
  name: string;
  item?: PostmanItem[];
  request?: { header?: { key: string; disabled?: boolean }[] };
}

async function toPostman(): Promise<Converted[]> {
  const { convertV2 } = load('openapi-to-postmanv2') as {
    convertV2: (
      input: object,
      options: object,
      done: (error: Error | null, answer: { output?: { data: { item: PostmanItem[] } }[] }) => void,
    ) => void;
  };
  const items = await new Promise<PostmanItem[]>((resolve, reject) => {
    convertV2({ type: 'string', data: text }, {}, (error, { output }) =>
      error ? reject(error) : resolve(output?.[0]?.data.item ?? []),
    );
  });
  const flatten = (item: PostmanItem): PostmanItem[] => item.item?.flatMap(flatten) ?? [item];
  return items.flatMap(flatten).map(({ name, request }) => ({
    name,
    headers: (request?.header ?? [])
      .filter(({ disabled }) => disabled !== true)
      .map(({ key }) => key.toLowerCase()),
  }));
}

interface BrunoItem {
  name: string;
  items?: BrunoItem[];
  request?: { headers?: { name: string; enabled: boolean }[] };
}

async function toBruno(): Promise<Converted[]> {
  const { openApiToBruno } = load('@usebruno/converters') as {
    openApiToBruno: (document_: unknown) => { items: BrunoItem[] } | Promise<{ items: BrunoItem[] }>;
  };
  const { items } = await openApiToBruno(document);
  const flatten = (item: BrunoItem): BrunoItem[] => item.items?.flatMap(flatten) ?? [item];
  return items.flatMap(flatten).map(({ name, request }) => ({
    name,
    headers: (request?.headers ?? [])
      .filter(({ enabled }) => enabled)
      .map((header) => header.name.toLowerCase()),
  }));
}

for (const [converter, convert] of Object.entries({
  'openapi-to-postmanv2': toPostman,
  '@usebruno/converters': toBruno,
})) {
  const skip = existsSync(path.join(folder, converter)) ? false : `${converter} is not installed`;
  test(
    `every request of ${converter} has the slug, but those that act on no instance`,
    { skip },
    async () => {
      const requests = await convert();
      assert.equal(requests.length, operations.length);
      const without = requests.filter(({ headers }) => !headers.includes('x-instance-slug'));
      assert.equal(without.length, ofNoInstance.length, without.map(({ name }) => name).join(', '));
    },
  );
}
