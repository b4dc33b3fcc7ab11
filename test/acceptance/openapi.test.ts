import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { errorCodes, type ErrorCode } from '../../src/base/errors/catalogue.ts';
import type { Operation } from '../../src/base/http/operation.ts';
import { possibleErrors } from '../../src/base/openapi/error-responses.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { withoutReferences } from './openapi-references.fixture.ts';
import { send } from './raw-http.fixture.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: { code: string; status: number } }>;
}
interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: unknown[];
  'x-required-scope'?: string;
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; headers: object; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  security: unknown[];
  paths: Record<string, Record<string, Described>>;
}

let service: TestService;
/** As it is served. */
let written: Document;
/** With each parameter and each response where it is referred to. */
let document: Document;
let published: { operation: Operation; described: Described; where: string }[];
let ajv: Ajv2020;
/** The linter below judges the schemas themselves. */
const checking = { strict: false, allErrors: true, validateFormats: false, validateSchema: false };
before(async () => {
  service = await startTestService();
  written = (await (await fetch(`${service.base_url}/openapi.json`)).json()) as Document;
  document = withoutReferences(written);
  published = service.service.operations
    .filter((operation) => !operation.path.startsWith('/v1/private/'))
    .map((operation) => {
      const where = `${operation.method} ${operation.path}`;
      const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
      assert.ok(described, `${where} is in the document`);
      return { operation, described, where };
    });
  ajv = new Ajv2020(checking);
  ajv.addSchema({ $id: 'document', ...written });
});
after(async () => await service.stop());

const validators = new Map<string, ValidateFunction>();

/** Holds a value to a schema of the document, whose references lead into the document. Hundreds share the schema of errors. */
function assertValid(schema: object, value: unknown, where: string): void {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`);
}

test('the root leads to the reference and to the document, and both are there', async () => {
  const root = await send(service.base_url, {});
  assert.equal(root.header('content-type'), 'application/json; charset=utf-8');
  const { name, docs, openapi } = root.json;
  assert.equal(name, 'Chasqui');
  for (const [link, type] of [
    [docs, 'text/html'],
    [openapi, 'application/json'],
  ]) {
    const answer = await fetch(link);
    await answer.text();
    assert.equal(answer.status, 200, link);
    assert.ok(answer.headers.get('content-type')?.startsWith(type), link);
  }
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document.servers, [{ url: service.base_url }]);
});

test('the document has every public operation and none of the panel', () => {
  const listed = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  assert.equal(listed.length, published.length);
  assert.equal(new Set(listed.map(({ operationId }) => operationId)).size, listed.length);
  assert.deepEqual(
    Object.keys(document.paths).filter((each) => each.startsWith('/v1/private')),
    [],
  );
});

test('an API key secures what does not say otherwise', () => {
  assert.deepEqual(document.security, [{ api_key: [] }]);
});

test('every operation says what it is, who may call it, and what its parameters are', () => {
  for (const { operation, described, where } of published) {
    assert.match(described.summary, /^[A-Z].*[^.]$/, where);
    assert.match(described.description, /^[A-Z].*\./s, where);
    assert.equal(described.operationId, operation.id, where);
    assert.match(described.operationId, /^[a-z][a-z_]+$/, where);
    if (operation.access.kind === 'api_key') {
      assert.equal(described.security, undefined, `${where} is secured as the document says`);
      assert.equal(described['x-required-scope'], operation.access.scope, where);
      assert.ok(described.description.includes(`\`${operation.access.scope}\``), where);
    } else {
      const needed = operation.access.kind === 'operator' ? [{ operator_key: [] }] : [];
      assert.deepEqual(described.security, needed, where);
    }
    for (const parameter of described.parameters) {
      assert.match(parameter.description ?? '', /\.$/, `${where} ${parameter.name} has a description`);
    }
  }
});

test('every tag says what it is about', () => {
  const silent = document.tags.filter(({ description }) => !description).map(({ name }) => name);
  assert.deepEqual(silent, [], 'add a line to src/base/openapi/document.ts');
});

test('every body and every success has an example that is valid by its own schema', () => {
  for (const { operation, described, where } of published) {
    const success = described.responses[String(operation.success.status)];
    assert.ok(success, where);
    for (const content of [described.requestBody?.content, success.content]) {
      const json = content?.['application/json'];
      if (!json) continue;
      const named = Object.values(json.examples ?? {}).map(({ value }) => value);
      for (const example of named.length > 0 ? named : [json.example]) {
        assert.notEqual(example, undefined, `${where} has an example`);
        assertValid(json.schema, example, where);
      }
    }
    assert.equal(described.requestBody !== undefined, operation.body !== undefined, where);
    assert.equal(success.content === undefined, operation.success.status === 204, where);
  }
});

test('the examples of the panel are valid too', () => {
  const isPanel = ({ path: at }: Operation): boolean => at.startsWith('/v1/private/');
  for (const { id, body, body_example, success } of service.service.operations.filter(isPanel)) {
    for (const [schema, example] of [
      [body, body_example],
      [success.schema, success.example],
    ]) {
      if (schema === undefined || example === undefined) continue;
      const plain = JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value));
      assertValid(JSON.parse(plain), example, id);
    }
  }
});

test('every error an operation can give is in its responses, with a valid example', () => {
  for (const { operation, described, where } of published) {
    const codes = new Set<string>();
    for (const [status, { content }] of Object.entries(described.responses)) {
      const { schema, examples = {} } = content?.['application/problem+json'] ?? { schema: {} };
      for (const [code, { value }] of Object.entries(examples)) {
        assert.deepEqual([value.code, String(value.status)], [code, status], where);
        assertValid(schema, value, `${where} ${code}`);
        codes.add(code);
      }
    }
    assert.deepEqual([...codes].sort(), [...new Set(possibleErrors(operation))].sort(), where);
  }
});

/** Codes that need no operation to declare them, and who gives them. */
const elsewhere: Partial<Record<ErrorCode, string>> = {
  not_found: 'the router, for a route that does not exist',
  method_not_allowed: 'the router, for a path that does not take the method',
  request_timeout: 'the listener, for a request that does not arrive',
  request_header_fields_too_large: 'the listener, for headers beyond its limit',
  user_not_found: 'the command line',
  plan_send_limit_exceeded: 'accepting mail, whichever way it comes in',
  subscription_inactive: 'accepting mail, whichever way it comes in',
  sandbox_relay_restricted: 'accepting mail, whichever way it comes in',
  domain_sender_not_verified: 'accepting mail, whichever way it comes in',
  template_not_public: 'accepting mail, whichever way it comes in',
};

test('every code of the catalogue is given by some operation, or it is known by whom', () => {
  const given = new Set(service.service.operations.flatMap(possibleErrors));
  assert.deepEqual(
    errorCodes.filter((code) => !given.has(code) && !elsewhere[code]),
    [],
    'let the operations that throw these declare them, or say here who does',
  );
});

test('an independent linter finds nothing to say against the document', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-lint-'));
  try {
    // The linter rightly wants no localhost among the servers; this service is a test.
    const servers = [{ url: 'https://mail.chasqui.test' }];
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify({ ...written, servers }, undefined, 2));
    await writeFile(path.join(folder, 'redocly.yaml'), 'extends: [recommended-strict]\ntelemetry: off\n');
    const redocly = path.resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
    const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', HOME: folder };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', 'openapi.json', '--config', 'redocly.yaml'],
      { cwd: folder, env: { PATH: process.env['PATH'], ...environment } },
    ).catch((error: { stdout: string; stderr: string }) => error);
    assert.match(`${stdout}${stderr}`, /Your API description is valid/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
