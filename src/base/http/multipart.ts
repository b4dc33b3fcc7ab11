import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { TObject } from 'typebox';
import { Problem, type Violation } from '../errors/problem.ts';
import { readScalar, scalarType, type PropertySchema } from './query-input.ts';
import { escapePointer, wrongType } from './violations.ts';

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
  const form = new MultipartForm();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parser = openParser(headers, limits);
  parser.on('field', (name, value) => form.fields.set(name, value));
  // oxlint-disable-next-line max-params -- the parser's own
  parser.on('file', (field, stream, filename, _encoding, type) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => reject(tooLargeFile(limits.file_bytes)));
    stream.on('end', () =>
      form.files.push({ field, filename: filename ?? '', type, content: Buffer.concat(chunks) }),
    );
  });
  parser.on('partsLimit', () => reject(malformed(`has more than ${most_parts} parts`)));
  parser.on('finish', resolve);
  parser.on('error', (error: unknown) => reject(malformed('is malformed', error)));
  let size = 0;
  source.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.body_bytes) reject(new Problem('request_too_large', { max_bytes: limits.body_bytes }));
  });
  source.once('error', (error) => reject(malformed('did not arrive completely', error)));
  // A source that ended closes too, and may do so before the parser is through with the last of it.
  source.once('close', () => source.readableEnded || reject(malformed('did not arrive completely')));
  source.pipe(parser);
  try {
    await promise;
    return form;
  } finally {
    source.unpipe(parser);
    parser.destroy();
    // A form that is refused is inflated no further; the request's own stream stays, the answer needs its socket.
    if (!(source instanceof IncomingMessage)) source.destroy();
  }
}

function openParser(headers: IncomingHttpHeaders, { body_bytes, file_bytes }: FormLimits): Busboy {
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

/** The text parts as the JSON body they stand for: arrays and objects are JSON inside the form. */
export function bodyOfForm(
  schema: TObject,
  form: MultipartForm,
): { body: Record<string, unknown>; violations: Violation[] } {
  const body: Record<string, unknown> = {};
  const violations: Violation[] = [];
  for (const [name, property] of Object.entries(schema.properties as Record<string, PropertySchema>)) {
    const text = form.fields.get(name);
    if (text === undefined) continue;
    const type = scalarType(property);
    const value = type === 'array' || type === 'object' ? readJson(text) : readScalar(type, text);
    if (value === undefined) violations.push({ pointer: `/${escapePointer(name)}`, ...misread(type, text) });
    else body[name] = value;
  }
  return { body, violations };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function misread(type: string, text: string): Omit<Violation, 'pointer'> {
  if (type !== 'array' && type !== 'object') return wrongType(type, text);
  return { code: 'json_invalid', message: 'This part of the form should be JSON' };
}
