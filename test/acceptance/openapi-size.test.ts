import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { objectsIn, resolve } from './openapi-references.fixture.ts';

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters: { $ref?: string; name?: string }[];
  responses: Record<string, object>;
  requestBody?: object;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<'parameters' | 'responses' | 'schemas', Record<string, object>>;
}

let service: TestService;
let text: string;
let document: Document;
let operations: Operation[];
before(async () => {
  service = await startTestService();
  text = await (await fetch(`${service.base_url}/openapi.json`)).text();
  document = JSON.parse(text) as Document;
  operations = [document.paths, document.webhooks].flatMap((items) =>
    Object.values(items).flatMap((methods) => Object.values(methods)),
  );
  assert.ok(operations.length > 50);
});
after(async () => await service.stop());

test('an operation takes at most 3,400 bytes of the document, with its part of what is shared', () => {
  const bytes = Buffer.byteLength(text);
  assert.ok(bytes <= 3_400 * operations.length, `${bytes} bytes for ${operations.length} operations`);
});

test('every reference leads somewhere, and every shared part is referred to', () => {
  const used = new Set<string>();
  for (const { way, object } of objectsIn(document)) {
    const { $ref } = object;
    if (typeof $ref !== 'string') continue;
    assert.ok(resolve(document, $ref), `${way} leads to ${$ref}`);
    used.add($ref);
  }
  assert.ok(used.size > 50);
  for (const kind of ['parameters', 'responses', 'schemas'] as const) {
    for (const name of Object.keys(document.components[kind]))
      assert.ok(used.has(`#/components/${kind}/${name}`), name);
  }
});

test('no parameter and no response with content stands in two operations', () => {
  const seen = new Map<string, string>();
  for (const { operationId, parameters, responses } of operations) {
    const answers = Object.values(responses).filter((response) => 'content' in response);
    for (const part of [...parameters.filter((each) => !('$ref' in each)), ...answers]) {
      const same = JSON.stringify(part);
      assert.equal(seen.get(same), undefined, `${operationId}: ${same.slice(0, 100)}`);
      seen.set(same, operationId);
    }
  }
  assert.ok(seen.size > 0);
});

test('every operation of an instance takes its slug as a header that may be left out', () => {
  let count = 0;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const named = operation.parameters
      .map((each) => (each.$ref === undefined ? each : resolve(document, each.$ref)))
      .filter((each) => (each as { name: string }).name === 'X-Instance-Slug');
    // Open to everyone, or about the installation.
    if (operation.security !== undefined) assert.deepEqual(named, [], operation.operationId);
    else {
      count += 1;
      assert.equal(named.length, 1, operation.operationId);
      assert.partialDeepStrictEqual(named[0], { in: 'header', required: false });
    }
  }
  assert.ok(count > 40);
});

test('no member has a default, which generators would make clients give; its description says it', () => {
  const found = [...objectsIn(document)].filter(
    ({ way, object }) => 'default' in object && !/\/properties$|\/examples?\//.test(way),
  );
  assert.deepEqual(found, []);
  const size = Object.values(document.components.parameters).find(
    (each) => (each as { name: string }).name === 'page_size',
  );
  assert.match((size as { description: string }).description, /Default: `20`\.$/);
});

test('each media type of a body has a schema with a name of its own', () => {
  for (const { operationId, requestBody } of operations) {
    const { content = {} } = (requestBody ?? {}) as {
      content?: Record<string, { schema: { $ref?: string } }>;
    };
    const types = Object.values(content).map(({ schema }) => schema.$ref);
    if (types.length < 2) continue;
    assert.ok(types.every((each) => each !== undefined) && new Set(types).size === types.length, operationId);
  }
});

test('the document is compressed for who takes that, and not sent to who has it', async () => {
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${service.base_url}/openapi.json`, { headers });
    const header = (name: string) => answer.headers.get(name);
    return { status: answer.status, header, text: await answer.text() };
  };
  const plain = await ask({ 'accept-encoding': 'identity' });
  assert.deepEqual([plain.header('content-encoding'), plain.text], [null, text]);
  const etag = plain.header('etag') ?? '';
  assert.match(etag, /^W\/"[\w-]{22}"$/);
  const packed = await ask({ 'accept-encoding': 'gzip' });
  assert.deepEqual([packed.header('content-encoding'), packed.text], ['gzip', text]);
  assert.deepEqual([packed.header('etag'), packed.header('vary')], [etag, 'Accept-Encoding']);
  for (const condition of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const answer = await ask({ 'if-none-match': condition });
    assert.deepEqual([answer.status, answer.text, answer.header('etag')], [304, '', etag], condition);
  }
  assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200);
});

test('the operations of the panel are in a document of their own, with the token of a person', async () => {
  const panel = (await (await fetch(`${service.base_url}/v1/private/openapi.json`)).json()) as Document & {
    security: unknown;
  };
  const ids = Object.values(panel.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const expected = service.service.operations.filter(({ path }) => path.startsWith('/v1/private/'));
  assert.deepEqual(ids.toSorted(), expected.map(({ id }) => id).toSorted());
  assert.ok(ids.length > 100);
  assert.deepEqual(panel.security, [{ access_token: [], instance_slug: [] }]);
  for (const { way, object } of objectsIn(panel)) {
    if (typeof object['$ref'] === 'string') assert.ok(resolve(panel, object['$ref']), `${way} leads nowhere`);
  }
});
