import { fieldOf, type Field } from '../mime/read-fields.ts';
import { addressesIn } from './reported-address.ts';
import type { Action, ReportedRecipient } from './report.ts';
import { subjectOf } from './auto-reply.ts';
import { paragraphOf, refusedAt } from './paragraph.ts';
import { readReplyText } from './reply-text.ts';

const maxRecipients = 20;
const maxTextLength = 16_000;

/** Names that mail systems write under when they report. */
const daemons =
  /(?:^|<)(?:mailer-?daemon|mail-?daemon|postmaster|microsoftexchange[0-9a-f]{0,64}|mdaemon|bounces?|mail\.delivery)@|mail delivery (?:sub)?system|mail administrator|system administrator/i;

/** How mail systems begin a report; people do not write like this. */
const openings: readonly RegExp[] = [
  /^hi\. this is the qmail-send program/im, // qmail, and what descends from it
  /^this is the mail system at host/im, // Postfix
  /^this message was created automatically by mail delivery software/im, // Exim
  /delivery has failed to these recipients or (?:groups|distribution lists)/i, // Exchange
  /your message did not reach some or all of the intended recipients/i, // Exchange, older
  /^sorry, we were unable to deliver your message to the following address/im, // Yahoo
  /^delivery to the following recipients? (?:failed permanently|has been delayed)/im, // Gmail
  /^ *-----? the following addresses had (?:permanent fatal|transient non-fatal|delivery) (?:errors|problems)/im, // Sendmail
  /^(?:\*\* )?address not found(?: \*\*)?$/im, // Gmail
];

/** What says, with a daemon's name above it, that a mail was not delivered. */
const failure =
  /undeliver|deliver\w{0,4} (?:\w{1,20} ){0,3}fail|fail\w{0,4} (?:\w{1,20} ){0,2}(?:deliver|notice|notification)|returned (?:mail|to sender)|not (?:be )?delivered|could(?:n['’]t| not) (?:\w{1,20} )?(?:be )?deliver|address not found|message (?:blocked|rejected|not delivered)|permanent (?:fatal )?error|no se (?:ha podido|pudo|puede) entregar|no (?:ha sido )?entregad|no entregable|unzustellbar|nicht zugestellt|non (?:remis|distribu)|n[aã]o (?:foi )?entregue/i;

const delay =
  /warning message only|\(delay\)|deliver\w{0,4} (?:\w{1,20} ){0,2}delay|delayed (?:\d+ hours|mail|\()|message (?:\S{1,60} )?delayed|not yet been delivered|transient non-fatal errors|could not send message for past|will (?:continue|keep) (?:to )?try|retraso en la entrega|verz[öo]ger/i;

/** Where the copy of the returned message begins: what it says is not what the server says. */
const copy =
  /^(?:-{3,} ?(?:below this line|this is a copy|original message|unsent message|the (?:header|body|return)|message header|forwarded|returned message|start of returned).*|original message headers:|----- original message -----|-{5,}original message-{5,}|return-path: .*|received: from .*)$/im;

/**
 * The bounces of systems that write prose instead of `message/delivery-status`: they are believed when a mail system's
 * own words or name stand on them, for everything else may be a person's.
 */
export function readTextBounce(fields: readonly Field[], text: string): ReportedRecipient[] | undefined {
  const body = text
    .slice(0, maxTextLength)
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n(?:[ \t]*\n)+/g, '\n\n');
  const report = body.slice(0, copy.exec(body)?.index ?? body.length);
  const subject = subjectOf(fields);
  const failed = addressesIn(fieldOf(fields, 'x-failed-recipients') ?? '', maxRecipients);
  const isOpened = openings.some((opening) => opening.test(report));
  const isDaemon = daemons.test(fieldOf(fields, 'from') ?? '');
  if (failed.length === 0 && !isOpened && !isDaemon) return undefined;
  const action = actionOf(`${subject}\n${report}`, failed.length > 0);
  if (action === undefined) return undefined;
  const recipients = failed.length > 0 ? failed : recipientsIn(report);
  // A report without a recipient still bounces a mail.
  const named: (string | undefined)[] = recipients.length > 0 ? recipients : [undefined];
  return named.map((recipient) => ({
    action,
    final_recipient: recipient,
    original_recipient: undefined,
    ...detailsOf(report, recipient),
  }));
}

function actionOf(text: string, isNamedFailed: boolean): Action | undefined {
  if (delay.test(text)) return 'delayed';
  return isNamedFailed || failure.test(text) ? 'failed' : undefined;
}

/** Lines that are an address, by itself or before the text about it. */
function recipientsIn(report: string): string[] {
  const lines = report
    .split('\n')
    .filter((line) => /^[\s*]*<?[^\s<>@]{1,64}@[^\s<>:]{1,255}[>:.]{0,2}(?:\s|$)/.test(line));
  return addressesIn(lines.join('\n'), maxRecipients);
}

function detailsOf(
  report: string,
  recipient: string | undefined,
): Omit<ReportedRecipient, 'action' | 'final_recipient' | 'original_recipient'> {
  const about = paragraphOf(report, recipient);
  const said = quotedReply(about) ?? quotedReply(report) ?? wordsOf(about, recipient);
  const { smtp_code, status, text } = readReplyText(said);
  return {
    smtp_code,
    status,
    diagnostic: text,
    remote_mta: remoteHost(about) ?? remoteHost(report),
    refused_at: refusedAt(about),
  };
}

const replyLine =
  /(?:^|[\s'":;#(<])((?:#?[45]\.\d{1,3}\.\d{1,3} (?:smtp; ?)?)?[45]\d\d[ :#-]+(?=\S)[^\n]*(?:\n(?![ \t]*(?:\n|<|-|giving up))[^\n]*){0,8})/i;

/** The reply of a server, from its code to the end of what it said. */
function quotedReply(text: string): string | undefined {
  return replyLine.exec(text)?.[1];
}

/** Without a reply, the words of the system itself are all there is. */
function wordsOf(paragraph: string, recipient: string | undefined): string {
  const words = recipient === undefined ? paragraph : paragraph.replace(recipient, '');
  return words.replace(/^[\s<>:]+/, '').slice(0, 500);
}

function remoteHost(text: string): string | undefined {
  return /(?:\bhost|while talking to|recipient domain \S{1,255} by|connected to|generating server:)\s+([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/i
    .exec(text)?.[1]
    ?.toLowerCase();
}
