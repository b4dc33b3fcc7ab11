import type { BatchResult } from '../../accept/index.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import type { CompatContext } from '../compat-context.ts';
import { sendMails } from '../send-mails.ts';
import { Answer, type VendorRoute } from '../vendor.ts';
import { pointerOf, sentencesOf } from './errors.ts';
import { mapEmail } from './map-email.ts';

const max_body_bytes = 20 * 1024 * 1024;
const maxBatch = 100;
/** Of attachments as lists: 3.6 bytes of JSON each, which cost 0.2 µs to count, parse and copy. Base64 is 50 times cheaper. */
const maxListedOctets = 1_500_000;

export function sendRoutes(context: CompatContext): VendorRoute[] {
  return [sendRoute(context), batchRoute(context)];
}

function sendRoute(context: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/emails',
    scope: 'mail:send',
    max_body_bytes,
    json_numbers: maxListedOctets,
    is_repeatable: true,
    handle: async (call) => {
      const mails = [mapEmail(call.body, { now: context.clock.now(), in_batch: false })];
      const { answer, is_replay } = await sendMails(context, {
        call,
        mails,
        operation: 'resend /emails',
        refuse: ([problem]) => translated(problem as Problem),
        answerTo: ([result]) => idOf(result),
      });
      return new Answer({ status: 200, body: answer, headers: replayed(is_replay) });
    },
  };
}

/** `strict`, the default, refuses all of a batch for one mail; `permissive` sends the others. */
function batchRoute(context: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/emails/batch',
    scope: 'mail:send',
    max_body_bytes,
    json_values_factor: 5,
    is_repeatable: true,
    handle: async (call) => {
      const isPermissive = call.header('x-batch-validation') === 'permissive';
      const emails = readList(call.body);
      call.body = undefined;
      const now = context.clock.now();
      const { answer, is_replay } = await sendMails(context, {
        call,
        mails: emails.map((each) => mapEmail(each, { now, in_batch: true })),
        operation: 'resend /emails/batch',
        refuse: isPermissive ? undefined : refusalOfAll,
        answerTo: (results) => ({
          data: results.filter((result) => !(result instanceof Problem)).map(idOf),
          ...(isPermissive ? { errors: errorsOf(results) } : {}),
        }),
      });
      return new Answer({ status: 200, body: answer, headers: replayed(is_replay) });
    },
  };
}

function readList(body: unknown): unknown[] {
  const refuse = (code: string, message: string) => validationProblem([{ pointer: '', code, message }]);
  if (!Array.isArray(body)) throw refuse('list_type', 'The body of a batch is a list of emails.');
  if (body.length === 0) throw refuse('too_short', 'A batch has at least one email.');
  if (body.length > maxBatch) throw refuse('too_long', `A batch has at most ${maxBatch} emails.`);
  return body;
}

function idOf(result: BatchResult | undefined): { id: string } {
  if (!result || result instanceof Problem) throw new Error('a mail was neither accepted nor refused');
  return { id: result.msg_id };
}

function errorsOf(results: BatchResult[]): { index: number; message: string }[] {
  return results.flatMap((result, index) => {
    if (!(result instanceof Problem)) return [];
    const { errors } = translated(result).facts;
    return [{ index, message: errors ? sentencesOf(errors) : result.message }];
  });
}

/** Our violations with pointers into the form of Resend, distinct. */
function translated(problem: Problem): Problem {
  const { errors } = problem.facts;
  return errors
    ? validationProblem(errors.map((each) => ({ ...each, pointer: pointerOf(each.pointer) })))
    : problem;
}

/** An error that is not about a field, such as an unknown sender, keeps its own message. */
function refusalOfAll(problems: (Problem | undefined)[]): Problem {
  const refused = problems.flatMap((problem) => problem ?? []);
  const other = refused.find(({ code }) => code !== 'validation_error');
  if (other) return other;
  return validationProblem(
    problems.flatMap((problem, index): Violation[] =>
      (problem ? (translated(problem).facts.errors ?? []) : []).map((each) => ({
        ...each,
        pointer: `/${index}${each.pointer}`,
      })),
    ),
  );
}

function replayed(is_replay: boolean): Record<string, string> {
  return is_replay ? { 'idempotent-replayed': 'true' } : {};
}
