import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiResponse } from './api.ts';

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Response_> }>>;
  components: { responses: Record<string, Response_> };
}
interface Response_ {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}

interface Contract {
  document: OpenApi;
  ajv: Ajv2020;
  /** Fixed segments win over parameters, as in the router. */
  paths: { template: string; pattern: RegExp }[];
  validators: Map<string, ValidateFunction>;
}

/**
 * The document in the repository, which `test/generated.test.ts` holds against the operations. Each service would make the
 * same one, and tests start hundreds: to make, read and compile it took a third of a second of a processor for each.
 */
let contract: Contract | undefined;

function readContract(): Contract {
  const file = new URL('../../openapi.json', import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  ajv.addSchema({ $id: 'openapi', ...document });
  const paths = Object.keys(document.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return { document, ajv, paths, validators: new Map() };
}

function validatorAt({ ajv, validators }: Contract, place: string[]): ValidateFunction {
  const pointer = place
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  let validate = validators.get(pointer);
  if (!validate) validators.set(pointer, (validate = ajv.compile({ $ref: `openapi#/${pointer}` })));
  return validate;
}

/** Tells whether a JSON body is one that a published operation takes. */
export function bodyValidator(method: 'post' | 'patch', path: string): ValidateFunction {
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  return validatorAt((contract ??= readContract()), place);
}

/** Holds an answer of a published operation against the document. */
export function checkAgainstContract(exchange: { method: string; path: string; answer: ApiResponse }): void {
  const { method, answer } = exchange;
  contract ??= readContract();
  const { document, ajv, paths } = contract;
  assert.match(answer.headers.get('x-request-id') ?? '', /./, 'every answer has X-Request-Id');
  const [path = ''] = exchange.path.split('?');
  const template = paths.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (template === undefined || !operation) return;
  const where = `${method} ${template} → ${answer.status}`;
  const described = operation.responses[String(answer.status)];
  const shared = described?.$ref?.replace(/^.*\//, '');
  const response = shared === undefined ? described : document.components.responses[shared];
  assert.ok(response, `${where} is not in the contract: ${answer.text.slice(0, 300)}`);
  if (!response.content) {
    assert.equal(answer.text, '', `${where} has no body`);
    return;
  }
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  assert.ok(response.content[type], `${where} is not ${type} in the contract`);
  if (answer.json === undefined) return;
  const place =
    shared === undefined
      ? ['paths', template, method.toLowerCase(), 'responses', String(answer.status)]
      : ['components', 'responses', shared];
  const validate = validatorAt(contract, [...place, 'content', type, 'schema']);
  assert.ok(validate(answer.json), `${where} breaks the contract: ${ajv.errorsText(validate.errors)}`);
}
