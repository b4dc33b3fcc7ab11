import type { BatchResult } from '../../accept/index.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import type { CompatContext } from '../compat-context.ts';
import { sendMails } from '../send-mails.ts';
import { Answer, type VendorCall, type VendorRoute } from '../vendor.ts';
import { errorCodeOf, messageOf, pointerOf, too_many } from './errors.ts';
import { mapMessage } from './map-message.ts';

const max_body_bytes = 20 * 1024 * 1024;
const maxBatchBytes = 50 * 1024 * 1024;
const maxBatch = 500;

export function sendRoutes(context: CompatContext): VendorRoute[] {
  return [
    sendRoute(context, '/email', false),
    sendRoute(context, '/email/withTemplate', true),
    batchRoute(context, '/email/batch', false),
    batchRoute(context, '/email/batchWithTemplates', true),
  ];
}

function sendRoute(context: CompatContext, path: string, with_template: boolean): VendorRoute {
  return {
    method: 'POST',
    path,
    scope: 'mail:send',
    max_body_bytes,
    is_repeatable: true,
    handle: async (call) => {
      const { body } = call;
      const { answer } = await sendMails(context, {
        call,
        mails: [mapMessage(body, with_template)],
        operation: `postmark ${path}` as 'postmark /email',
        refuse: ([problem]) => translated(problem as Problem),
        answerTo: ([result]) => presentResult(result, body, context.clock.now()),
      });
      // All of its recipients are inactive: its clients expect a refusal.
      return new Answer({ status: answer.ErrorCode === 0 ? 200 : 422, body: answer });
    },
  };
}

/** Always 200: what became of each message is in its place. */
function batchRoute(context: CompatContext, path: string, with_template: boolean): VendorRoute {
  return {
    method: 'POST',
    path,
    scope: 'mail:send',
    max_body_bytes: maxBatchBytes,
    json_values_factor: 5,
    is_repeatable: true,
    handle: async (call) => {
      const messages = readList(call, with_template);
      call.body = undefined;
      const { answer } = await sendMails(context, {
        call,
        mails: messages.map((each) => mapMessage(each, with_template)),
        operation: `postmark ${path}` as 'postmark /email/batch',
        answerTo: (results) =>
          results.map((result, index) => presentResult(result, messages[index], context.clock.now())),
      });
      return answer;
    },
  };
}

function readList({ body }: VendorCall, with_template: boolean): unknown[] {
  const list = with_template ? membersOf(body)['Messages'] : body;
  const refuse = (message: string) => validationProblem([{ pointer: '', code: 'value_error', message }]);
  if (!Array.isArray(list) || list.length === 0) {
    throw refuse(
      `A batch is ${with_template ? '{ "Messages": [ … ] }' : 'a list'} with at least one message.`,
    );
  }
  if (list.length > maxBatch) {
    const message = `A batch has at most ${maxBatch} messages; this one has ${list.length}.`;
    throw validationProblem([{ pointer: '', code: too_many, message }]);
  }
  return list;
}

function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

interface SendResult {
  ErrorCode: number;
  Message: string;
  [member: string]: unknown;
}

function presentResult(result: BatchResult | undefined, given: unknown, now: Date): SendResult {
  if (!result) throw new Error('a message was neither accepted nor refused');
  if (result instanceof Problem) {
    const problem = translated(result);
    const { errors } = problem.facts;
    return {
      ErrorCode: errorCodeOf(problem),
      Message: messageOf(problem),
      code: problem.code,
      ...(errors && { errors }),
    };
  }
  const { To, Cc, Bcc } = membersOf(given);
  return {
    ...(typeof To === 'string' ? { To } : {}),
    ...(Cc ? { Cc } : {}),
    ...(Bcc ? { Bcc } : {}),
    SubmittedAt: now.toISOString(),
    MessageID: result.msg_id,
    ...inactivity(result),
  };
}

const explanation =
  'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.';
const inactive: ReadonlySet<string> = new Set(['recipient_restricted', 'recipient_unsubscribed']);

/** Clients read the addresses out of these sentences. Recipients who lack consent are not inactive: their mail is dropped. */
export function inactivity({
  drops,
  recipients,
}: {
  drops?: ReadonlyMap<string, string>;
  recipients?: number;
}): SendResult {
  const addresses = [...(drops ?? [])].flatMap(([address, reason]) =>
    inactive.has(reason) ? [address] : [],
  );
  if (addresses.length === 0) return { ErrorCode: 0, Message: 'OK' };
  const named = addresses.join(', ');
  return addresses.length === recipients
    ? {
        ErrorCode: 406,
        Message: `You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ${named}. ${explanation}`,
      }
    : {
        ErrorCode: 0,
        Message: `Message OK, but will not deliver to these inactive addresses: ${named}. ${explanation}`,
      };
}

/** Our violations with pointers into the form of Postmark. */
function translated(problem: Problem): Problem {
  const { errors } = problem.facts;
  return errors
    ? validationProblem(errors.map((each) => ({ ...each, pointer: pointerOf(each.pointer) })))
    : problem;
}
