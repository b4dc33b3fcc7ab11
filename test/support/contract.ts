import assert from 'node:assert/strict';
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
  validators: Map<string, ValidateFunction>;
}

const contracts = new Map<string, Promise<Contract>>();

async function load(base_url: string): Promise<Contract> {
  const response = await fetch(`${base_url}/openapi.json`);
  const document = (await response.json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', ...document });
  return { document, ajv, validators: new Map() };
}

async function contractOf(base_url: string): Promise<Contract> {
  let contract = contracts.get(base_url);
  if (!contract) contracts.set(base_url, (contract = load(base_url)));
  return await contract;
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
export async function bodyValidator(
  base_url: string,
  method: 'post' | 'patch',
  path: string,
): Promise<ValidateFunction> {
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  return validatorAt(await contractOf(base_url), place);
}

/** Holds an answer of a published operation against the document that the service itself publishes. */
export async function checkAgainstContract(exchange: {
  base_url: string;
  method: string;
  path: string;
  answer: ApiResponse;
}): Promise<void> {
  const { base_url, method, answer } = exchange;
  const contract = await contractOf(base_url);
  const { document, ajv } = contract;
  assert.match(answer.headers.get('x-request-id') ?? '', /./, 'every answer has X-Request-Id');
  const [path = ''] = exchange.path.split('?');
  const template = matchingPath(document, path);
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

/** Fixed segments win over parameters, as in the router. */
function matchingPath({ paths }: OpenApi, path: string): string | undefined {
  return Object.keys(paths)
    .filter((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}
