import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { Problem } from '../../base/errors/problem.ts';
import { collectBody } from '../../base/http/collect-body.ts';
import { answerWithPage, type PageAnswer } from '../../base/http/hosted-page.ts';
import { MultipartForm } from '../../base/http/multipart.ts';
import { preferredLanguage, type Language } from '../../base/http/preferred-language.ts';
import { logFailure } from '../../base/http/failure-log.ts';
import { problemOf } from '../../base/http/request-errors.ts';
import { discardUnread } from '../../base/http/unread-body.ts';
import type { Log } from '../../base/log.ts';
import type { Evidence } from '../../consent/index.ts';
import type { MailTokens, TokenUse } from '../../mails/index.ts';
import type { TemplateRenderer } from '../../templates/index.ts';
import type { Tracking } from '../tracking.ts';
import { messagePage } from './page-parts.ts';
import { findShownMail, type ShownMail } from './shown-mail.ts';
import { texts } from './texts.ts';

export interface PagesContext {
  db: Database;
  clock: Clock;
  log: Log;
  tokens: MailTokens;
  renderer: Pick<TemplateRenderer, 'render'>;
  tracking: Pick<Tracking, 'isTakenDown'>;
  /** Where recipients change what the instance knows of them, if it has a form for that. */
  /** The path of the page for privacy requests of an instance. */
  rightsPathOf?: (instanceId: number) => string;
  findUpdateForm: (instanceId: number) => Promise<{ title: string; public_token: string } | undefined>;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** A request for a page about an existing mail. */
export interface Visit {
  request: TokenRequest;
  lang: Language;
  mail: ShownMail;
}

export function languageOf({ headers }: FastifyRequest): Language {
  return preferredLanguage(headers['accept-language']);
}

/** A page, or a query to redirect to the same page with. */
export type Answer = PageAnswer | { again: string };

/** Handles requests with a valid token; others get a page that explains what is wrong with the link. */
export function withMail(
  { db, tokens }: PagesContext,
  use: TokenUse,
  handle: (visit: Visit) => Promise<Answer>,
): (request: TokenRequest, reply: FastifyReply) => Promise<string> {
  const answer = async (request: TokenRequest): Promise<Answer> => {
    const lang = languageOf(request);
    const mailId = tokens.read(use, request.params.token);
    if (mailId === undefined) return { page: messagePage(lang, texts[lang].not_found), status: 404 };
    const mail = await findShownMail(db, mailId);
    if (mail) return await handle({ request, lang, mail });
    const gone = use === 'view' ? texts[lang].view.gone : texts[lang].expired;
    return { page: messagePage(lang, gone), status: 410 };
  };
  return async (request, reply) => {
    const given = await answer(request);
    return 'again' in given ? showAgain(request, reply, given.again) : answerWithPage(reply, given);
  };
}

/** Redirects to the page, so that reloading repeats nothing. */
function showAgain({ params }: TokenRequest, reply: FastifyReply, query: string): string {
  const location = `${encodeURIComponent(params.token)}${query}`;
  reply.code(303).headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  return '';
}

/** Evidence of the request, for the consent record. */
export function evidenceOf({ ip, id, headers }: FastifyRequest): Evidence {
  const user_agent = headers['user-agent'];
  return { address: ip, request_id: id, ...(user_agent === undefined ? {} : { user_agent }) };
}

/** Browsers do not compress request bodies. */
const formGzipRatio = 10;

/** URL-encoded forms; multipart is parsed by the application. */
export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) =>
      new URLSearchParams((await collectBody(request, payload, { gzip_ratio: formGzipRatio })).toString()),
  );
}

/** Reads fields of either encoding. */
export function fieldsOf({ body }: FastifyRequest): (name: string) => string | undefined {
  if (body instanceof MultipartForm) return (name) => body.fields.get(name);
  if (body instanceof URLSearchParams) return (name) => body.get(name) ?? undefined;
  return () => undefined;
}

/** Errors as pages instead of problem documents. */
export function answerErrors(scope: FastifyInstance, log: Log): void {
  scope.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, request);
    logFailure(log, { error, problem, request });
    discardUnread(request.raw);
    reply.removeHeader('connection');
    const { retry_after_seconds } = problem.facts;
    if (retry_after_seconds !== undefined) reply.header('retry-after', retry_after_seconds);
    return answerWithPage(reply, refusal(languageOf(request), problem));
  });
}

/** Page and status by error code; other errors are a malformed request. */
const refusals: Partial<Record<ErrorCode, ['unavailable' | 'too_large' | 'refused' | 'broken', number]>> = {
  service_unavailable: ['unavailable', 503],
  rate_limit_exceeded: ['unavailable', 429],
  request_too_large: ['too_large', 413],
  unsupported_media_type: ['refused', 415],
  internal_error: ['broken', 500],
};

function refusal(lang: Language, { code }: Problem): PageAnswer {
  const [words, status] = refusals[code] ?? ['refused', 400];
  return { page: messagePage(lang, texts[lang][words], { retry: status === 503 }), status };
}
