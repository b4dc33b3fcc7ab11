import type { Clock } from '../base/clock.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { operation, Reply, type Operation } from '../base/http/operation.ts';
import { nestedProblem } from '../base/http/problem-response.ts';
import type { BatchResult } from './accept-batch.ts';
import type { Acceptance } from './accept-mail.ts';
import { BatchAnswer, BatchEnvelope, batchLimits, SendBatch } from './batch-schema.ts';
import { keyedCall, replayHeaders } from './keyed-call.ts';
import { readBatch } from './read-batch.ts';

const description = `Accepts up to 500 mails with one call and answers after one commit. Each is judged by itself, by the rules of a single send, and counts
as one in the plan and the bandwidth of the instance; the call counts as one request. The results are in the order given. With \`on_error: skip\` (the default) a refused mail does not
keep the others: the answer is 200 and has its problem. With \`reject\` one refused mail refuses the batch with 422, and the pointers say which: \`/mails/3/to/0/email\`.`;

interface BatchContext {
  acceptance: Acceptance;
  clock: Clock;
  base_url: string;
}

export function batchRoutes({ acceptance, clock, base_url }: BatchContext): Operation[] {
  return [
    operation({
      id: 'send_batch',
      method: 'POST',
      path: '/v1/mails/batch',
      tag: 'Mails',
      summary: 'Send many emails',
      description: description.replaceAll('\n', ' '),
      access: { kind: 'api_key', scope: 'mail:send' },
      body: SendBatch,
      checked_body: BatchEnvelope,
      body_example: {
        mails: [example('ana', 'order-1001'), example('luis', 'order-1002')],
        on_error: 'skip',
      },
      is_repeatable: true,
      max_body_bytes: batchLimits.body_bytes,
      json_values_factor: batchLimits.json_values_factor,
      success: {
        status: 200,
        description: 'What became of each mail.',
        schema: BatchAnswer,
        example: {
          data: [
            { message_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79' },
            { error: nestedProblem(new Problem('sender_not_found'), exampleContext) },
          ],
        },
      },
      errors: ['plan_send_limit_exceeded', 'subscription_inactive'],
      handle: async (call) => {
        const { caller, request_id, trace_id, body } = call;
        const mails = await readBatch(body.mails, {
          instance_id: caller.instance.id,
          retention_months: caller.instance.retention_months,
          now: clock.now(),
          traceparent: call.header('traceparent'),
          sandbox_only: caller.actor.kind === 'api_key' && caller.actor.sandbox_only,
        });
        // Read already: the texts can be freed before the commit.
        body.mails = [];
        const { answer, is_replay } = await acceptance.acceptBatch({
          instance_id: caller.instance.id,
          mails,
          refuse: body.on_error === 'reject' ? refusal : undefined,
          keyed: keyedCall(call, 'batch'),
          answerTo: (results) => ({
            data: results.map((result, index) =>
              presentResult(result, index, { base_url, request_id, trace_id }),
            ),
          }),
        });
        return new Reply(answer, replayHeaders(is_replay));
      },
    }),
  ];
}

const exampleContext = {
  base_url: 'https://mail.example.com',
  request_id: '0198c1f2-7d40-7000-8000-2f6d1c3b5a7a',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
};

function example(name: string, custom_msg_id: string): object {
  return {
    sender_email: 'test@demo.sandbox.test',
    to: [{ email: `${name}@sandbox.test` }],
    subject: `Your ${custom_msg_id.replace('-', ' ')}`,
    html: '<p>It is on its way.</p>',
    custom_msg_id,
  };
}

function presentResult(
  result: BatchResult,
  index: number,
  context: Parameters<typeof nestedProblem>[1],
): { message_id: string } | { error: Record<string, unknown> } {
  if (!(result instanceof Problem)) return { message_id: result.msg_id };
  return { error: nestedProblem(withinBatch(result, index), context) };
}

/** Everything that refuses a mail, as one 422. */
function refusal(problems: (Problem | undefined)[]): Problem {
  return validationProblem(
    problems.flatMap((problem, index): Violation[] => {
      if (!problem) return [];
      const { code, message } = problem;
      return withinBatch(problem, index).facts.errors ?? [{ pointer: `/mails/${index}`, code, message }];
    }),
  );
}

/** Pointers into the body of the batch. */
function withinBatch(problem: Problem, index: number): Problem {
  const { errors } = problem.facts;
  if (!errors) return problem;
  return new Problem(problem.code, {
    ...problem.facts,
    errors: errors.map((each) => ({ ...each, pointer: `/mails/${index}${each.pointer}` })),
  });
}
