import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';
import { collectBody, refuseAnnounced } from './collect-body.ts';
import { digestBody } from './idempotency-key.ts';
import { defaultJsonLimits, type JsonLimits } from './json-meter.ts';
import { contentOfForm, readMultipart } from './multipart.ts';
import { parseJson } from './parse-json.ts';
import { discardUnread } from './unread-body.ts';

/** What a body may be, beside its size. */
export interface BodyLimits {
  json: JsonLimits;
  /** How many times its transferred bytes a gzip body may inflate to. */
  gzip_ratio: number;
}

const defaultLimits: BodyLimits = { json: defaultJsonLimits, gzip_ratio: 100 };

/**
 * JSON bodies, plain or gzip, and forms where a route takes them. Routes that take no body ignore what they get, since
 * many clients send a Content-Type with an empty POST.
 */
export function registerBodyParsing(app: FastifyInstance, limits: BodyLimits = defaultLimits): void {
  app.removeAllContentTypeParsers();
  const { json, gzip_ratio } = limits;
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { json_values_factor = 1, json_numbers = 0 } = request.routeOptions.config;
    const rules = { gzip_ratio, json: { values: json.values * json_values_factor, numbers: json_numbers } };
    const body = await collectBody(request, payload, rules);
    digestBody(request, () => [body]);
    return readJson(body);
  });
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseAnnounced(request);
      const file_bytes = request.routeOptions.config.max_file_bytes;
      if (file_bytes === undefined) throw new Problem('unsupported_media_type');
      const body = await collectBody(request, payload, { gzip_ratio });
      const form = readMultipart(request.headers, body, { file_bytes, json });
      digestBody(request, () => contentOfForm(form));
      return form;
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.ignores_body) {
      discardUnread(payload);
      return undefined;
    }
    refuseAnnounced(request);
    throw new Problem('unsupported_media_type');
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return parseJson(utf8.decode(body));
  } catch (error) {
    throw new Problem('bad_request', { detail: 'The body is not valid JSON in UTF-8.', cause: error });
  }
}
