import { unbounded, type ByteHold } from '../byte-budget.ts';
import { faultOf, type DataFault, type DataResult } from './data-reader.ts';
import type { Envelope, Verdict } from './handlers.ts';
import { parseMailParameters, refuseRcptParameters } from './mail-parameters.ts';
import { parsePath, type Mailbox, type ParsedPath } from './mailbox-path.ts';
import type { Reply } from './reply.ts';
import { ask, isAcceptance, isRefusal, nameProtocol, type SessionState } from './session-state.ts';

const outOfOrder = (text: string): Reply => ({ code: 503, enhanced: '5.5.1', text });
/** For commands pipelined after a MAIL that was refused: not counted as errors. */
const noSender: Reply = { code: 554, enhanced: '5.5.1', text: 'MAIL was refused' };
const tooBig: Reply = { code: 552, enhanced: '5.3.4', text: 'Message is larger than this server takes' };
const goAhead: Reply = { code: 354, text: 'End the message with <CRLF>.<CRLF>' };
const failing: Reply = { code: 451, enhanced: '4.3.0', text: 'Temporary failure, try again later' };
const needsUtf8: Reply = { code: 553, enhanced: '5.6.7', text: 'Address needs SMTPUTF8' };

const faults: Record<DataFault, Reply> = {
  too_big: tooBig,
  bare_newline: { code: 550, enhanced: '5.6.0', text: 'Message has a CR or LF that is not part of a CRLF' },
  long_line: {
    code: 550,
    enhanced: '5.6.0',
    text: 'Message has a line that is too long (RFC 5322 section 2.1.1): encode it as quoted-printable or base64',
  },
  nul: { code: 550, enhanced: '5.6.0', text: 'Message has a NUL octet: encode it as base64' },
  no_share: { code: 452, enhanced: '4.3.1', text: 'No room beside your other messages, try again later' },
  no_memory: { code: 451, enhanced: '4.3.0', text: 'No room for the message now, try again later' },
};

/** From MAIL to the reply after the message (RFC 5321 §3.3). */
export class Transaction<User> {
  readonly #state: SessionState<User>;
  #envelope: Envelope | undefined;
  #hold = unbounded;
  #refused = 0;
  #wasMailRefused = false;

  constructor(state: SessionState<User>) {
    this.#state = state;
  }

  /** Memory of the message that follows DATA. */
  get hold(): ByteHold {
    return this.#hold;
  }

  get in_progress(): boolean {
    return this.#envelope !== undefined;
  }

  reset(): void {
    this.#envelope = undefined;
    this.#refused = 0;
    this.#wasMailRefused = false;
    this.#state.smtputf8 = false;
    this.#state.info.protocol = nameProtocol(this.#state);
  }

  async mail(argument: string): Promise<Reply> {
    const { options, info, user } = this.#state;
    if (this.#envelope !== undefined) return outOfOrder('A transaction is already in progress');
    // Until it is accepted, at the end.
    this.#wasMailRefused = true;
    const path = parseArgument(argument, 'FROM:');
    if ('code' in path) return path;
    const parameters = parseMailParameters(path.rest, options.handlers.onAuth !== undefined);
    if ('code' in parameters) return parameters;
    if (path.mailbox?.domain === '') return badAddress('FROM:');
    if (path.mailbox?.is_utf8 === true && !parameters.smtputf8) return needsUtf8;
    if ((parameters.size ?? 0) > options.max_message_bytes) return tooBig;
    const full = this.#reserve(parameters.size);
    // Only a check: the client may take its time until DATA.
    this.#hold.release();
    if (full !== undefined) return full;
    const command = { from: path.mailbox, parameters, user, session: info };
    const verdict = await ask(this.#state, () => options.handlers.onMail?.(command), failing);
    if (!isAcceptance(verdict)) return refusal(verdict);
    this.#envelope = { from: path.mailbox, recipients: [], parameters, notes: undefined };
    this.#wasMailRefused = false;
    this.#state.smtputf8 = parameters.smtputf8;
    info.protocol = nameProtocol(this.#state);
    return verdict ?? { code: 250, enhanced: '2.1.0', text: 'Sender OK' };
  }

  rcpt(argument: string): Reply | Promise<Reply> {
    if (this.#envelope === undefined) return this.#noTransaction();
    const path = parseArgument(argument, 'TO:');
    if ('code' in path) return path;
    const { mailbox } = path;
    if (mailbox === undefined) return badAddress('TO:');
    const parameters = refuseRcptParameters(path.rest);
    if (parameters !== undefined) return parameters;
    if (mailbox.is_utf8 && !this.#envelope.parameters.smtputf8) return needsUtf8;
    return this.#admit(this.#envelope, mailbox);
  }

  data(argument: string): Reply {
    if (argument !== '') return { code: 501, enhanced: '5.5.4', text: 'DATA takes no argument' };
    if (this.#envelope === undefined) return this.#noTransaction();
    if (this.#envelope.recipients.length > 0) {
      return this.#reserve(this.#envelope.parameters.size) ?? goAhead;
    }
    if (this.#refused > 0) return { code: 554, enhanced: '5.5.1', text: 'No valid recipients' };
    return outOfOrder('Send RCPT first');
  }

  async message(result: DataResult): Promise<Reply> {
    const { options, info, user } = this.#state;
    const complete = this.#envelope;
    if (complete === undefined) return outOfOrder('Send MAIL first');
    const { data: pieces, size, fault } = result;
    // A copy: the session goes on changing.
    const received = { envelope: complete, data: pieces, size, user, session: { ...info } };
    const verdict =
      fault === undefined
        ? await ask(this.#state, () => options.handlers.onMessage(received), failing)
        : faults[fault];
    const reply = isAcceptance(verdict) ? verdict : refusal(verdict);
    const recipients = complete.recipients.length;
    options.log?.({ event: 'message', session: info, code: reply.code, size, recipients });
    this.reset();
    return reply;
  }

  /** Reserves the announced size (RFC 1870 §6.1); returns the refusal when there is not enough memory. */
  #reserve(announced = 0): Reply | undefined {
    const { options, info, user } = this.#state;
    this.#hold = options.hold?.(user, info) ?? unbounded;
    const shortage = this.#hold.growTo(announced);
    return shortage && faults[faultOf(shortage)];
  }

  #admit(open: Envelope, to: Mailbox): Reply | Promise<Reply> {
    const { options, info, user } = this.#state;
    if (open.recipients.length >= options.max_recipients) {
      return this.#countRefusal({ code: 452, enhanced: '4.5.3', text: 'Too many recipients' });
    }
    const command = { to, count: open.recipients.length, envelope: open, user, session: info };
    const verdict = ask(this.#state, () => options.handlers.onRcpt?.(command), failing);
    const decide = (given: Verdict): Reply => {
      if (!isAcceptance(given)) return this.#countRefusal(refusal(given));
      open.recipients.push(to);
      return given ?? { code: 250, enhanced: '2.1.5', text: 'Recipient OK' };
    };
    return verdict instanceof Promise ? verdict.then(decide) : decide(verdict);
  }

  #noTransaction(): Reply {
    return this.#wasMailRefused ? noSender : outOfOrder('Send MAIL first');
  }

  #countRefusal(reply: Reply): Reply {
    this.#refused += 1;
    if (this.#refused <= this.#state.options.limits.max_refused_recipients) return reply;
    return { code: 421, enhanced: '4.7.0', text: 'Too many refused recipients' };
  }
}

/** A reply that neither accepts nor refuses would desynchronize client and session. */
function refusal(verdict: Verdict): Reply {
  return verdict !== undefined && isRefusal(verdict) ? verdict : failing;
}

function badAddress(prefix: 'FROM:' | 'TO:'): Reply {
  return prefix === 'FROM:'
    ? { code: 501, enhanced: '5.1.7', text: 'Bad sender address syntax' }
    : { code: 501, enhanced: '5.1.3', text: 'Bad recipient address syntax' };
}

function parseArgument(argument: string, prefix: 'FROM:' | 'TO:'): ParsedPath | Reply {
  if (argument.slice(0, prefix.length).toUpperCase() !== prefix) {
    return { code: 501, enhanced: '5.5.4', text: `Expected ${prefix}<address>` };
  }
  return parsePath(argument.slice(prefix.length)) ?? badAddress(prefix);
}
