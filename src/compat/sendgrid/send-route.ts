import { randomUUID } from 'node:crypto';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import type { CompatContext } from '../compat-context.ts';
import { readMails, sendMails } from '../send-mails.ts';
import { Answer, type VendorRoute } from '../vendor.ts';
import { pointerOf } from './errors.ts';
import { mapMail } from './map-mail.ts';

export function sendRoute(context: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/v3/mail/send',
    scope: 'mail:send',
    max_body_bytes: 30 * 1024 * 1024,
    json_values_factor: 5,
    is_repeatable: true,
    handle: async (call) => {
      if (call.header('on-behalf-of') !== undefined) {
        throw new Problem('forbidden', {
          detail: 'An API key belongs to one instance: On-Behalf-Of is not supported.',
        });
      }
      const { mails, is_sandbox } = mapMail(call.body, randomUUID());
      call.body = undefined;
      if (is_sandbox) {
        const read = await readMails(context, { call, mails });
        const problems = read.map((each) => (each instanceof Problem ? each : undefined));
        if (problems.some((problem) => problem)) throw refusalOfAll(problems);
        return new Answer({ status: 200 });
      }
      const group = mails[0]?.mail.custom_group_code ?? '';
      const { answer, is_replay } = await sendMails(context, {
        call,
        mails,
        operation: 'sendgrid /v3/mail/send',
        refuse: refusalOfAll,
        answerTo: () => ({ group }),
      });
      return new Answer({
        status: 202,
        headers: { 'x-message-id': answer.group, ...(is_replay ? { 'idempotent-replayed': 'true' } : {}) },
      });
    },
  };
}

/** An error that is not about a field, such as an unknown sender, keeps its own message. */
function refusalOfAll(problems: (Problem | undefined)[]): Problem {
  const other = problems.find((problem) => problem && problem.code !== 'validation_error');
  if (other) return other;
  const unique = new Map<string, Violation>();
  for (const [index, problem] of problems.entries()) {
    for (const each of problem?.facts.errors ?? []) {
      const pointer = pointerOf(each.pointer, index);
      unique.set(`${pointer} ${each.code}`, { ...each, pointer });
    }
  }
  return validationProblem([...unique.values()]);
}
