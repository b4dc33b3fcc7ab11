import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { escapeHtml } from '../../base/http/html.ts';
import { answerVisit, formRoute, type VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformMail, SendPlatformMail } from '../../base/platform-mail.ts';
import type { RootSecret } from '../../base/secrets.ts';
import {
  limitPlatformMail,
  MailLimitReached,
  type PlatformMailLimits,
  returnPlatformMail,
  type SharedBuckets,
} from '../../limits/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { findDefaultForm } from '../../forms/index.ts';
import { answerErrors, languageOf, messagePage, takeForms } from '../../track/index.ts';
import { openRequest } from '../open-request.ts';
import { requestKinds } from '../request-schemas.ts';
import type { OpeningContext } from '../open-archive.ts';
import { createRightsTokens } from '../rights-tokens.ts';
import { type AskedRequest, findAsked, verifyRequest } from '../verify-request.ts';
import { postArchive, showArchive } from './hosted-archive-page.ts';
import { honeypotName, maxDetail, rightsPage } from './rights-page.ts';
import { rightsTexts } from './rights-texts.ts';
import { verificationMail } from './verification-mail.ts';

export interface RightsPagesContext {
  db: Database;
  clock: Clock;
  log: Log;
  secret: RootSecret;
  buckets: SharedBuckets;
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
  build: OpeningContext['build'];
  archives: OpeningContext['archives'];
}

export interface Context extends RightsPagesContext {
  tokens: ReturnType<typeof createRightsTokens>;
  hashes: ContactHashes;
  address: { readonly base_url: string };
}

export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

const maxBodyBytes = 32 * 1024;
/** A person asks once; an office shares an address. */
const perAddress = { rate: 5 / 3_600, burst: 5 };
const perInstance = { rate: 200 / 3_600, burst: 200 };

/** Where a person asks, and where the link of the mail leads. GET changes nothing. */
export function hostedRightsPages(
  context: RightsPagesContext,
): (app: FastifyInstance, address: { readonly base_url: string }) => void {
  return (app, address) => {
    const { secret } = context;
    const whole = {
      ...context,
      tokens: createRightsTokens(secret),
      hashes: new ContactHashes(secret),
      address,
    };
    const route = (handle: (context: Context, request: TokenRequest) => Promise<VisitAnswer>) => {
      return async (request: TokenRequest, reply: FastifyReply): Promise<string> =>
        answerVisit(reply, await handle(whole, request));
    };
    app.register(async (scope) => {
      takeForms(scope);
      answerErrors(scope, context.log);
      scope.get('/rights/:token', { config: { operation_id: 'show_rights_page' } }, route(showPage));
      scope.post('/rights/:token', formRoute('ask_rights', maxBodyBytes), route(postPage));
      scope.get(
        '/rights/confirm/:token',
        { config: { operation_id: 'show_rights_verification' } },
        route(showVerification),
      );
      scope.get(
        '/rights/archive/:token',
        { config: { operation_id: 'show_rights_archive' } },
        route(showArchive),
      );
      scope.post(
        '/rights/archive/:token',
        formRoute('open_rights_archive', maxBodyBytes),
        async (request: TokenRequest, reply: FastifyReply) => {
          const answer = await postArchive(whole, request);
          if (!('download' in answer)) return answerVisit(reply, answer);
          return await reply
            .header('content-disposition', `attachment; filename="${answer.file_name}"`)
            .header('cache-control', 'no-store')
            .type('application/zip')
            .send(answer.download);
        },
      );
      scope.post(
        '/rights/confirm/:token',
        formRoute('verify_rights_request', maxBodyBytes),
        route(postVerification),
      );
    });
  };
}

async function findInstance(
  { db, tokens }: Context,
  token: string,
): Promise<{ id: number; name: string } | undefined> {
  const id = tokens.page.read(token);
  if (id === undefined) return undefined;
  const [row] = await db.query<{ id: number; name: string }>('select id, name from instances where id = $1', [
    id,
  ]);
  return row;
}

/** Where people correct what they filled in, if the instance has a form for that. */
async function updateFormOf(
  { db, address }: Context,
  instanceId: number,
): Promise<{ title: string; url: string } | undefined> {
  const form = await findDefaultForm(db, instanceId, 'update');
  return form && { title: form.title, url: `${address.base_url}/f/${form.public_token}` };
}

async function showPage(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const lang = languageOf(request);
  const words = rightsTexts[lang];
  const instance = await findInstance(context, request.params.token);
  if (!instance) return { page: messagePage(lang, words.unknown), status: 404 };
  const isSent = new URL(request.url, 'http://localhost').searchParams.has('check-mail');
  if (isSent) return { page: messagePage(lang, words.check_mail) };
  return { page: rightsPage(lang, instance, { update: await updateFormOf(context, instance.id) }) };
}

/** The answer is the same whether or not anything is known about the address. */
async function postPage(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const lang = languageOf(request);
  const words = rightsTexts[lang];
  const instance = await findInstance(context, request.params.token);
  if (!instance) return { page: messagePage(lang, words.unknown), status: 404 };
  const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const given = {
    kind: fields.get('kind') ?? '',
    email: (fields.get('email') ?? '').slice(0, 320),
    detail: (fields.get('detail') ?? '').slice(0, maxDetail).toWellFormed().replaceAll('\0', ''),
  };
  const done = { location: `${encodeURIComponent(request.params.token)}?check-mail` };
  // A bot gets the usual answer.
  if (fields.get(honeypotName)) return done;
  const kind = requestKinds.find((each) => each === given.kind);
  const email = canonicalAddress(given.email)?.address;
  if (!kind || email === undefined) {
    const update = await updateFormOf(context, instance.id);
    return { page: rightsPage(lang, instance, { given, update }), status: 422 };
  }
  if (!(await takeTokens(context, instance.id, request.ip))) {
    return { page: messagePage(lang, words.busy), status: 429 };
  }
  try {
    const asked = { kind, email, detail: given.detail.trim() || null, lang };
    const id = await storeRequest(context, instance.id, { asked, address: request.ip });
    const link = `${context.address.base_url}/rights/confirm/${context.tokens.verification.make(id)}`;
    const about = { instance_id: instance.id, instance: instance.name, kind, link };
    await sendLink(context, verificationMail(lang, { ...about, to: email }));
    return done;
  } catch (error) {
    if (!(error instanceof MailLimitReached)) throw error;
    return error.limit === 'recipient' ? done : { page: messagePage(lang, words.busy), status: 429 };
  }
}

/** A mail that could not be queued does not count for its recipient: the page would tell of one that never comes. */
async function sendLink({ db, sendPlatformMail }: Context, mail: PlatformMail): Promise<void> {
  try {
    await sendPlatformMail(mail);
  } catch (error) {
    await returnPlatformMail(db, { kind: 'rights', recipient: mail.to });
    throw error;
  }
}

async function takeTokens({ buckets }: Context, instanceId: number, ip: string): Promise<boolean> {
  const own = await buckets.take(`rights ${instanceId} ${sourceOf(ip)}`, 1, perAddress);
  return own.ok && (await buckets.take(`rights ${instanceId}`, 1, perInstance)).ok;
}

interface Asked {
  kind: (typeof requestKinds)[number];
  email: string;
  detail: string | null;
  lang: 'es' | 'en';
}

async function storeRequest(
  { db, clock, hashes, mail_limits }: Context,
  instanceId: number,
  { asked: { kind, email, detail, lang }, address }: { asked: Asked; address: string },
): Promise<number> {
  const contacts = [{ contact_type: 'email_address' as const, contact: email }];
  return await db.transaction(async (tx) => {
    await limitPlatformMail(tx, mail_limits, {
      kind: 'rights',
      instance_id: instanceId,
      recipient: email,
      address,
    });
    const { id } = await openRequest(tx, instanceId, {
      request: { kind, contacts, detail },
      origin: 'page',
      is_unverified: true,
      language: lang,
      hashes,
      // Not the address of the visitor: it would outlive an erasure.
      actor: { kind: 'system' },
      now: clock.now(),
    });
    return id;
  });
}

/** Asks before it verifies: mail scanners follow every link. */
async function showVerification(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const lang = languageOf(request);
  const words = rightsTexts[lang];
  const { db, clock, tokens } = context;
  const asked = await findAsked(db, tokens.verification.read(request.params.token), clock.now());
  if (!asked) return { page: messagePage(lang, words.expired), status: 404 };
  if (asked.status !== 'unverified') {
    const { title, text } = words.confirmed;
    return { page: messagePage(lang, { title, text: text(dayOf(asked)) }) };
  }
  if (asked.is_expired) return { page: messagePage(lang, words.expired), status: 410 };
  const { title, text, button } = words.confirm;
  const page = messagePage(lang, { title, text: text(words.kinds[asked.kind], asked.instance_name) });
  return {
    page: {
      ...page,
      main: `${page.main}\n<form method="post"><button>${escapeHtml(button)}</button></form>`,
    },
  };
}

/** Where the instance is: in UTC it may be the day after. */
function dayOf({ due_at, timezone: timeZone }: AskedRequest): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(due_at);
}

async function postVerification({ db, clock, tokens }: Context, request: TokenRequest): Promise<VisitAnswer> {
  const id = tokens.verification.read(request.params.token);
  if (id !== undefined) {
    const now = clock.now();
    await db.transaction(async (tx) => await verifyRequest(tx, id, { actor: { kind: 'system' }, now }));
  }
  return { location: encodeURIComponent(request.params.token) };
}
