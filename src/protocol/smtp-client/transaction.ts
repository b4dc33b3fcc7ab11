import type { Channel, Failure } from './channel.ts';
import { endsWithCrlf } from './dot-stuffing.ts';
import type { Outcome, Phase } from './outcome.ts';
import { isPositive, isRefusal, replyOutcome, type Reply } from './reply.ts';

export interface Transaction {
  /** Whether the one before left something behind. */
  reset_first: boolean;
  /** Lines with their CRLF. */
  mail: string;
  rcpt: readonly string[];
  data: readonly Buffer[];
  confirm: (() => Promise<boolean>) | undefined;
}

export interface TransactionResult {
  /** One for each recipient, in their order. */
  outcomes: Outcome[];
  /** Whether the server has forgotten the transaction, so that the next may begin without RSET. */
  finished: boolean;
}

interface Step {
  phase: Phase;
  line: string;
}

/** The replies to the steps, in their order; fewer when the connection failed or going on was useless. */
interface Answers {
  replies: readonly Reply[];
  failure: Failure | undefined;
}

const dot = Buffer.from('.\r\n');
const crlf = Buffer.from('\r\n');

/** One message from MAIL to the reply after the dot. With `pipelining` all commands go out at once (RFC 2920). */
export async function transact(
  channel: Channel,
  transaction: Transaction,
  pipelining: boolean,
): Promise<TransactionResult> {
  const steps = stepsOf(transaction);
  const answers = pipelining
    ? await channel.exchange(
        steps.map(({ phase }) => phase),
        steps.map(({ line }) => line).join(''),
      )
    : await askOneByOne(channel, steps);
  const { recipients, data } = evaluate(channel, steps, answers);
  if (data !== undefined) return { outcomes: recipients.map((known) => known ?? data), finished: false };
  if (transaction.confirm && !(await transaction.confirm())) {
    // There is no command to call it off at this point (RFC 5321 §3.3): only the end of the connection does.
    channel.fail('aborted', 'the message was withdrawn', 'data');
    return {
      outcomes: recipients.map((known) => known ?? channel.failure ?? notAsked('data')),
      finished: false,
    };
  }
  return await sendBody(channel, recipients, transaction.data);
}

function stepsOf({ reset_first, mail, rcpt }: Transaction): Step[] {
  const steps: Step[] = reset_first ? [{ phase: 'rset', line: 'RSET\r\n' }] : [];
  steps.push({ phase: 'mail', line: mail });
  for (const line of rcpt) steps.push({ phase: 'rcpt', line });
  steps.push({ phase: 'data', line: 'DATA\r\n' });
  return steps;
}

async function askOneByOne(channel: Channel, steps: readonly Step[]): Promise<Answers> {
  const answers: Reply[] = [];
  let recipients = 0;
  for (const { phase, line } of steps) {
    if (phase === 'data' && recipients === 0) break;
    const { replies, failure } = await channel.exchange([phase], line);
    answers.push(...replies);
    if (failure !== undefined) return { replies: answers, failure };
    const positive = replies.every(isPositive);
    if (phase === 'rcpt' && positive) recipients += 1;
    if (phase !== 'rcpt' && !positive) break;
  }
  return { replies: answers, failure: undefined };
}

interface Envelope {
  /** Undefined for those who were accepted and await what becomes of the message. */
  recipients: (Outcome | undefined)[];
  /** Why the message cannot follow; undefined when the server waits for it. */
  data: Outcome | undefined;
}

/** What went wrong at RSET or MAIL went wrong for all recipients; else each of them has a reply of its own. */
function evaluate(channel: Channel, steps: readonly Step[], { replies, failure }: Answers): Envelope {
  const common: (Outcome | undefined)[] = [];
  const recipients: (Outcome | undefined)[] = [];
  let data: Outcome | undefined;
  steps.forEach(({ phase }, index) => {
    const reply = replies[index];
    const outcome = reply === undefined ? (failure ?? notAsked(phase)) : classifyReply(channel, phase, reply);
    if (phase === 'rcpt') recipients.push(outcome);
    else if (phase === 'data') data = outcome;
    else common.push(outcome);
  });
  const verdict = common.find((outcome) => outcome !== undefined);
  return { recipients: recipients.map((own) => verdict ?? own), data: data ?? channel.failure };
}

/** The reply of a step that is left out, which happens only when the outcomes of all recipients are known. */
function notAsked(phase: Phase): Outcome {
  return { kind: 'protocol', phase, message: 'left out' };
}

/** Undefined when the server agrees. What it cannot say here, or a refused RSET, ends the session. */
function classifyReply(channel: Channel, phase: Phase, reply: Reply): Outcome | undefined {
  const agrees = phase === 'data' ? !isPositive(reply) && !isRefusal(reply) : isPositive(reply);
  if (agrees) return undefined;
  const outcome = replyOutcome(reply, phase);
  if (isRefusal(reply) && phase !== 'rset') return outcome;
  channel.fail('protocol', `unexpected reply: ${outcome.code} ${outcome.text}`, phase);
  return channel.failure;
}

/** When no recipient is left, a server that nevertheless waits for the message gets a dot (RFC 2920 §3.1). */
async function sendBody(
  channel: Channel,
  recipients: readonly (Outcome | undefined)[],
  data: readonly Buffer[],
): Promise<TransactionResult> {
  const wanted = recipients.includes(undefined);
  const end = endsWithCrlf(data) ? [dot] : [crlf, dot];
  const { replies, failure } = await channel.exchange(['body'], wanted ? [...data, ...end] : [dot]);
  const [reply] = replies;
  const outcome =
    reply === undefined ? failure : (classifyReply(channel, 'body', reply) ?? replyOutcome(reply, 'body'));
  const rest = outcome ?? notAsked('body');
  return { outcomes: recipients.map((known) => known ?? rest), finished: true };
}
