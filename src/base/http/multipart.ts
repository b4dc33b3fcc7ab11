import type { IncomingHttpHeaders } from 'node:http';
import type { TObject } from 'typebox';
import { Problem, type Violation } from '../errors/problem.ts';
import { JsonMeter, tooComplex, type JsonLimits } from './json-meter.ts';
import { decode, MalformedMultipart, readParts } from './multipart-parts.ts';
import { parseJson } from './parse-json.ts';
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
  /** Of all JSON in it together. */
  readonly json_limits: JsonLimits;

  constructor(json_limits: JsonLimits) {
    this.json_limits = json_limits;
  }
}

const maxParts = 200;
/** Content and files are parts of their own: what is left for JSON is lists of recipients and the like. */
const maxJson = 1024 * 1024;

/** Text parts and files apart. Of several text parts with one name the last counts. */
export function readMultipart(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { file_bytes, json }: { file_bytes: number; json: JsonLimits },
): MultipartForm {
  const form = new MultipartForm(json);
  try {
    let parts = 0;
    for (const { name, filename, type, charset, content } of readParts(headers['content-type'] ?? '', body)) {
      parts += 1;
      if (parts > maxParts) throw new MalformedMultipart(`has more than ${maxParts} parts`);
      if (filename === undefined) form.fields.set(name, decode(content, charset));
      else form.files.push({ field: name, filename, type, content });
      if (filename !== undefined && content.length > file_bytes) throw tooLargeFile(file_bytes);
    }
  } catch (error) {
    if (!(error instanceof MalformedMultipart)) throw error;
    throw new Problem('bad_request', { detail: `The multipart body ${error.message}.`, cause: error });
  }
  return form;
}

/** What makes two forms the same: clients choose another boundary each time that they send a form. */
export function contentOfForm({ fields, files }: MultipartForm): (string | Buffer)[] {
  const described = files.flatMap(({ field, filename, type, content }) => [
    JSON.stringify([field, filename, type, content.length]),
    content,
  ]);
  return [JSON.stringify([...fields]), ...described];
}

function tooLargeFile(limit: number): Problem {
  return new Problem('request_too_large', { detail: `A file of the form is larger than ${limit} bytes.` });
}

/**
 * The text parts as the JSON body they stand for: arrays and objects are JSON inside the form. A number or boolean
 * that does not read as one stays text, for the schema to tell of, as does a part that the schema does not know.
 */
export function bodyOfForm(
  schema: TObject,
  form: MultipartForm,
): { body: Record<string, unknown>; violations: Violation[] } {
  const properties = schema.properties as Record<string, PropertySchema>;
  const violations: Violation[] = [];
  const readJson = jsonReader(form.json_limits);
  const members = Array.from(form.fields, ([name, text]): [string, unknown] => {
    const type = Object.hasOwn(properties, name) ? formType(properties[name] ?? {}) : 'string';
    const isJson = type === 'array' || type === 'object';
    const value = isJson ? readJson(text) : readScalar(type, text);
    if (value === undefined && isJson) {
      const message = 'This part of the form should be JSON';
      violations.push({ pointer: `/${escapePointer(name)}`, code: 'json_invalid', message });
    }
    return [name, value === undefined ? text : value];
  });
  return { body: Object.fromEntries(members), violations };
}

/** A named schema that may be null is a union of the two. */
function formType(property: PropertySchema & { anyOf?: PropertySchema[] }): string {
  const present = property.anyOf?.find(({ type }) => type !== 'null');
  return scalarType(present ?? property);
}

/** Reads one part after the other; undefined is invalid JSON. What they are made of counts together. */
function jsonReader(limits: JsonLimits): (text: string) => unknown {
  const meter = new JsonMeter(limits);
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > maxJson) throw tooComplex(`a form with more than ${maxJson} characters of JSON`);
    meter.next();
    const refusal = meter.read(Buffer.from(text));
    if (refusal) throw refusal;
    try {
      return parseJson(text.replace(/^\uFEFF/, ''));
    } catch {
      return undefined;
    }
  };
}
