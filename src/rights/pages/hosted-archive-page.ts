import type { Readable } from 'node:stream';
import type { VisitAnswer } from '../../base/http/hosted-page.ts';
import { limitPlatformMail, MailLimitReached } from '../../limits/index.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { languageOf, messagePage } from '../../track/index.ts';
import { findMailedArchive, issueCode, type MailedArchive, takeCode } from '../archive-access.ts';
import { codeMail } from '../archive-mail.ts';
import { openArchive } from '../open-archive.ts';
import { lockRequest } from '../requests.ts';
import { archivePage, archiveTexts } from './archive-page.ts';
import type { Context, TokenRequest } from './hosted-rights-pages.ts';

/** A person tries a few codes; an office shares an address. */
const perAddress = { rate: 30 / 3_600, burst: 30 };

/** Where the link of the mail leads. GET changes nothing: mail scanners follow every link. */
export async function showArchive(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const found = await find(context, request);
  if (!found) return expired(request);
  const { archive, lang } = found;
  return { page: archivePage(lang, { name: archive.instance_name }, { hasCode: archive.has_code }) };
}

/** Mails a code, or takes one and answers with the archive. */
export async function postArchive(
  context: Context,
  request: TokenRequest,
): Promise<VisitAnswer | { download: Readable; file_name: string }> {
  const found = await find(context, request);
  if (!found) return expired(request);
  const { archive, lang } = found;
  const busy = { page: messagePage(lang, archiveTexts[lang].busy), status: 429 };
  const bucket = `rights archive ${archive.instance_id} ${sourceOf(request.ip)}`;
  if (!(await context.buckets.take(bucket, 1, perAddress)).ok) return busy;
  const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (fields.get('action') !== 'open')
    return (await mailCode(context, archive)) ? { location: request.params.token } : busy;
  const { db, clock } = context;
  const now = clock.now();
  const code = (fields.get('code') ?? '').slice(0, 20).replaceAll(/\D/g, '');
  const isRight = await db.transaction(async (tx) => await takeCode(tx, archive.id, { code, now }));
  if (!isRight) {
    const page = archivePage(lang, { name: archive.instance_name }, { hasCode: true, isWrong: true });
    return { page, status: 422 };
  }
  const locked = await lockRequest(db, archive.instance_id, archive.id);
  const opening = { request: locked, actor: { kind: 'system' }, made_at: now } as const;
  const download = await openArchive(context, archive.instance_id, opening);
  return { download, file_name: `rights-request-${archive.id}.zip` };
}

async function find(context: Context, request: TokenRequest) {
  const { db, clock, tokens } = context;
  const archive = await findMailedArchive(db, tokens.archive.read(request.params.token), clock.now());
  return archive && !archive.is_expired ? { archive, lang: languageOf(request) } : undefined;
}

function expired(request: TokenRequest): VisitAnswer {
  const lang = languageOf(request);
  return { page: messagePage(lang, archiveTexts[lang].expired), status: 410 };
}

/** False where the address was written to often enough. */
async function mailCode(
  { db, clock, mail_limits, sendPlatformMail }: Context,
  { id, instance_id, to, language }: MailedArchive,
): Promise<boolean> {
  try {
    const code = await db.transaction(async (tx) => {
      await limitPlatformMail(tx, mail_limits, {
        kind: 'archive-code',
        instance_id,
        recipient: to,
        address: null,
      });
      return await issueCode(tx, id, clock.now());
    });
    await sendPlatformMail(codeMail({ instance_id, to, language, code }));
    return true;
  } catch (error) {
    if (error instanceof MailLimitReached) return false;
    throw error;
  }
}
