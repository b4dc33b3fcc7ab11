import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import secureJson from 'secure-json-parse';
import type { TObject } from 'typebox';
import { Problem, type Violation } from '../errors/problem.ts';
import { readScalar, scalarType, type PropertySchema } from './query-input.ts';
import { escapePointer } from './violations.ts';

export interface FormFile {
  field: string;
  filename: string;
  type: string;
  content: Buffer;
}

/** A multipart body as it arrived. */
export class MultipartForm {
  readonly fields = new Map<string, string>();
  readonly files: FormFile[] = [];
}

interface FormLimits {
  body_bytes: number;
  file_bytes: number;
}

const most_parts = 200;

/** Reads the parts as they flow; a file or a body over its limit ends the reading at once. */
export async function readMultipart(
  headers: IncomingHttpHeaders,
  source: Readable,
  limits: FormLimits,
): Promise<MultipartForm> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parser = openParser(headers, limits);
  const form = gather(parser, limits, reject);
  parser.on('finish', resolve);
  parser.on('error', (error: unknown) => reject(malformed('is malformed', error)));
  let size = 0;
  const count = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limits.body_bytes) reject(new Problem('request_too_large', { max_bytes: limits.body_bytes }));
  };
  source.on('data', count);
  source.once('error', (error) =>
    reject(error instanceof Problem ? error : malformed('did not arrive completely', error)),
  );
  // One that inflates closes as soon as it has given all, while the parser is still at it.
  source.once('close', () => source.readableEnded || reject(malformed('did not arrive completely')));
  source.pipe(parser);
  try {
    await promise;
    return form;
  } finally {
    source.off('data', count);
    source.unpipe(parser);
    // Else the rest of a bomb would still be inflated; the request's own stream stays, the answer needs its socket.
    if (!(source instanceof IncomingMessage)) source.destroy();
  }
}

/** Keeps what the parser finds, and tells what cannot be kept. */
function gather(parser: Busboy, limits: FormLimits, refuse: (problem: Problem) => void): MultipartForm {
  const form = new MultipartForm();
  const nameless = malformed('has a part without a name');
  parser.on('field', (name: string | undefined, value) => {
    if (name === undefined) refuse(nameless);
    else form.fields.set(name, value);
  });
  parser.on('file', (field: string | undefined, stream, filename, _encoding, type) => {
    if (field === undefined) refuse(nameless);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => refuse(tooLargeFile(limits.file_bytes)));
    // Without a listener, a form that ends in the middle of a file would end the process.
    stream.on('error', (error: unknown) => refuse(malformed('is malformed', error)));
    stream.on('end', () =>
      form.files.push({
        field: field ?? '',
        filename: filename ?? '',
        type,
        content: Buffer.concat(chunks),
      }),
    );
  });
  parser.on('partsLimit', () => refuse(malformed(`has more than ${most_parts} parts`)));
  return form;
}

function openParser(headers: IncomingHttpHeaders, { body_bytes, file_bytes }: FormLimits): Busboy {
  // The parser would take an empty one.
  if (/boundary\s*=\s*(""|;|$)/i.test(headers['content-type'] ?? '')) throw malformed('has no boundary');
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fileSize: file_bytes, fieldSize: body_bytes, parts: most_parts },
    });
  } catch (error) {
    throw malformed('has no boundary', error);
  }
}

function tooLargeFile(limit: number): Problem {
  return new Problem('request_too_large', { detail: `A file of the form is larger than ${limit} bytes.` });
}

function malformed(what: string, cause?: unknown): Problem {
  return new Problem('bad_request', { detail: `The multipart body ${what}.`, cause });
}

/**
 * The text parts as the JSON body they stand for: arrays and objects are JSON inside the form. A number or boolean
 * that does not read as one stays text, for the schema to tell of.
 */
export function bodyOfForm(
  schema: TObject,
  form: MultipartForm,
): { body: Record<string, unknown>; violations: Violation[] } {
  const body: Record<string, unknown> = {};
  const violations: Violation[] = [];
  for (const [name, property] of Object.entries(schema.properties as Record<string, PropertySchema>)) {
    const text = form.fields.get(name);
    if (text === undefined) continue;
    const type = formType(property);
    const isJson = type === 'array' || type === 'object';
    const value = isJson ? readJson(text) : readScalar(type, text);
    body[name] = value === undefined ? text : value;
    if (value !== undefined || !isJson) continue;
    const message = 'This part of the form should be JSON';
    violations.push({ pointer: `/${escapePointer(name)}`, code: 'json_invalid', message });
  }
  return { body, violations };
}

/** A named schema that may be null is a union of the two. */
function formType(property: PropertySchema & { anyOf?: PropertySchema[] }): string {
  const present = property.anyOf?.find(({ type }) => type !== 'null');
  return scalarType(present ?? property);
}

function readJson(text: string): unknown {
  try {
    return secureJson.parse(text, null, { protoAction: 'remove', constructorAction: 'remove' }) as unknown;
  } catch {
    return undefined;
  }
}
