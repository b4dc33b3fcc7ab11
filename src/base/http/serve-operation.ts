import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { validationProblem, type Violation } from '../errors/problem.ts';
import type { Authenticate } from './access.ts';
import { authenticated } from './authenticate-request.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { bodyOfForm, MultipartForm, type FormFile } from './multipart.ts';
import { pageSecurityPolicy } from './html.ts';
import { demandOf, Download, EventStream, HtmlPage, Reply, type Operation } from './operation.ts';
import { hasMalformedPath } from './path-encoding.ts';
import { parseQuery, readStrings } from './query-input.ts';
import { distinctViolations, RequestCall, type Input } from './request-call.ts';
import { sendStaticDocument, StaticDocument } from './static-document.ts';
import { findUnsafeText } from './text-safety.ts';
import { undecodable } from './undecodable.ts';
import { compileValidator, type Validate } from './validation.ts';
import { escapePointer } from './violations.ts';

export function registerOperation(
  app: FastifyInstance,
  operation: Operation,
  authenticate: Authenticate,
): void {
  const demand = demandOf(operation);
  const readInput = inputReader(operation);
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      operation_id: operation.id,
      ignores_body: operation.body === undefined,
      never_bad_request: operation.never_bad_request === true,
      is_repeatable: operation.is_repeatable === true,
      json_values_factor: operation.json_values_factor ?? 1,
      ...(operation.multipart ? { max_file_bytes: operation.multipart.max_file_bytes } : {}),
    },
    ...(operation.max_body_bytes === undefined ? {} : { bodyLimit: operation.max_body_bytes }),
    // Before the body is read: who is not allowed in does not get to upload.
    ...(demand === undefined ? {} : { onRequest: authenticated(authenticate, demand) }),
    handler: async (request, reply) => {
      const { body_hold } = request;
      // From here on the body is the handler's, also when its client goes away.
      request.body_hold = undefined;
      let result: unknown;
      try {
        const call = new RequestCall(request, reply, readInput(request));
        request.body = undefined;
        result = await operation.handle(call as never);
      } finally {
        body_hold?.release();
      }
      if (result instanceof Download) return await openDownload(request, reply, result);
      if (result instanceof EventStream) return await openEventStream(request, reply, result);
      if (result instanceof HtmlPage) return sendHtml(reply, result);
      if (result instanceof StaticDocument) return await sendStaticDocument(request, reply, result);
      if (!(result instanceof Reply)) return answer(reply, operation, result);
      reply.headers(result.headers);
      return answer(reply, operation, result.body);
    },
  });
}

/** What a part of the request says, as far as it could be read, and what of it could not. */
interface Reading {
  values: unknown;
  violations: Violation[];
}

/** Reads and validates path, query and body together, so that one answer lists every violation. */
function inputReader(operation: Operation): (request: FastifyRequest) => Input {
  const { params, query, body, checked_body } = operation;
  // By the first request that asks for them: all of them together took half a second of every start, and 10 MB.
  let validators: { params: Validator; query: Validator; body: Validator } | undefined;
  return (request) => {
    validators ??= { params: compile(params), query: compile(query), body: compile(checked_body ?? body) };
    if (hasMalformedPath(request.raw)) throw undecodable('The path has a malformed percent-encoding.');
    const search = parseQuery(request.raw.url ?? '');
    const path = request.params as Record<string, string>;
    const fromPath = params && readStrings(params, (name) => (path[name] === undefined ? [] : [path[name]]));
    const fromQuery = query && readStrings(query, (name) => search.getAll(name));
    const fromBody = readBody(operation, request.body);
    const named = operation.is_repeatable ? readIdempotencyKey(request) : undefined;
    const violations = [
      ...(named?.violations ?? []),
      ...violationsIn(fromPath, validators.params),
      ...violationsIn(fromQuery, validators.query),
      ...violationsIn(fromBody, validators.body, checked_body === undefined),
    ];
    const { values: given, files } = fromBody;
    if (violations.length > 0) {
      const more = given === undefined ? [] : (operation.validate?.(given, files) ?? []);
      throw validationProblem(distinctViolations([...violations, ...more]));
    }
    return {
      params: fromPath?.values,
      query: fromQuery?.values,
      body: given,
      files,
      idempotent: named?.idempotent,
    };
  };
}

function violationsIn(reading: Reading | undefined, validate: Validator, checksText = true): Violation[] {
  if (!reading || !validate) return [];
  const { values, violations } = reading;
  if (values === undefined) return [{ pointer: '', code: 'missing', message: 'A JSON body is required' }];
  const found = checksText ? [...findUnsafeText(values), ...validate(values)] : validate(values);
  if (violations.length === 0) return found;
  const misread = new Set(violations.map(({ pointer }) => pointer));
  return [...violations, ...found.filter(({ pointer }) => !misread.has(pointer))];
}

function readBody(operation: Operation, body: unknown): Reading & { files: FormFile[] } {
  return body instanceof MultipartForm
    ? readForm(operation, body)
    : { values: body, violations: [], files: [] };
}

/** A file where text belongs, or text where files belong, is a mistake in the form and not lost in silence. */
function readForm({ body, multipart }: Operation, form: MultipartForm): Reading & { files: FormFile[] } {
  const reading = bodyOfForm(body as TObject, form);
  const field = multipart?.file_field ?? '';
  const violations = reading.violations.filter(({ pointer }) => pointer !== `/${field}`);
  if (form.fields.has(field)) {
    violations.push({
      pointer: `/${field}`,
      code: 'value_error.file_expected',
      message: `${field} should be file parts with a filename`,
    });
    delete reading.body[field];
  }
  for (const file of form.files.filter((each) => each.field !== field)) {
    const message = `Files belong in ${field}`;
    violations.push({
      pointer: `/${escapePointer(file.field)}`,
      code: 'value_error.file_unexpected',
      message,
    });
  }
  return { values: reading.body, files: form.files.filter((each) => each.field === field), violations };
}

type Validator = Validate | undefined;

function compile(schema: TSchema | undefined): Validator {
  return schema && compileValidator(schema);
}

/** The payload is returned, not sent: a reply is a promise of its own end, and waiting for that costs every request. */
function answer(reply: FastifyReply, operation: Operation, result: unknown): string | undefined {
  const { status } = operation.success;
  reply.code(status).header('cache-control', 'no-store');
  if (operation.location) {
    reply.header('location', fillPath(operation.location, result as Record<string, unknown>));
  }
  if (status === 204) return undefined;
  reply.header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(result);
}

/** The framework breaks the connection when the stream fails, and ends the stream when the connection breaks. */
async function openDownload(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { content_type, file_name, open }: Download,
): Promise<Readable | string> {
  const content = method === 'HEAD' ? '' : await open();
  reply.headers({
    'cache-control': 'no-store',
    'content-type': content_type,
    'content-disposition': `attachment; filename="${file_name}"`,
  });
  return content;
}

function sendHtml(reply: FastifyReply, { html }: HtmlPage): string {
  reply.headers({
    'cache-control': 'no-store',
    'content-security-policy': pageSecurityPolicy,
    'content-type': 'text/html; charset=utf-8',
    vary: 'accept',
  });
  return html;
}

/** Proxies that gather an answer before they pass it on are asked not to. */
async function openEventStream(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { open }: EventStream,
): Promise<Readable | string> {
  const content = method === 'HEAD' ? '' : await open();
  reply.headers({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  return content;
}

function fillPath(path: string, values: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));
}
