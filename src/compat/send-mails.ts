import { type BatchResult, type Draft, readBatch, type SendMail } from '../accept/index.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { CompatContext } from './compat-context.ts';
import type { VendorCall, VendorName } from './vendor.ts';

/** A mail of another service as a send of ours, and what of it has no member there. */
export interface MappedMail {
  mail: SendMail;
  /** The stream that its sender must have. */
  stream?: 'transactional' | 'broadcast' | undefined;
  /** The consent purpose of its sender. */
  purpose?: number | undefined;
  /** The stylesheets of its template would be written into the elements there. */
  without_stylesheets?: boolean | undefined;
}

interface Sending<AnswerBody extends object> {
  call: VendorCall;
  /** In the order of the caller; a problem where one could not be mapped. */
  mails: (MappedMail | Problem)[];
  /** The path of the other service: what an idempotency key is about. */
  operation: `${VendorName} /${string}`;
  /** One refusal refuses all: makes what is thrown. */
  refuse?: ((problems: (Problem | undefined)[]) => Error) | undefined;
  answerTo: (results: BatchResult[]) => AnswerBody;
}

/** The way of `/v1/mails/batch`, for mails that were mapped to its form. */
export async function sendMails<AnswerBody extends object>(
  context: CompatContext,
  { call, mails, operation, refuse, answerTo }: Sending<AnswerBody>,
): Promise<{ answer: AnswerBody; is_replay: boolean }> {
  const { id: instance_id } = call.caller.instance;
  return await context.acceptance.acceptBatch({
    instance_id,
    mails: await readMails(context, { call, mails }),
    refuse,
    keyed: call.idempotent && { ...call.idempotent, instance_id, operation },
    answerTo,
  });
}

/** Drafts in the order of the mails; a problem where one breaks a rule. */
export async function readMails(
  { clock, instances }: CompatContext,
  { call, mails }: Pick<Sending<object>, 'call' | 'mails'>,
): Promise<(Draft | Problem)[]> {
  const { instance, actor } = call.caller;
  const { attachment_limit_bytes } = await instances.get(instance.id);
  const read = await readBatch(
    mails.flatMap((mapped) => (mapped instanceof Problem ? [] : [mapped.mail])),
    {
      instance_id: instance.id,
      retention_months: instance.retention_months,
      now: clock.now(),
      traceparent: call.header('traceparent'),
      sandbox_only: actor.kind === 'api_key' && actor.sandbox_only,
      text_alone: true,
    },
    // The body was looked at as a whole.
    { is_text_safe: true },
  );
  const left = read.values();
  return mails.map((mapped) => {
    if (mapped instanceof Problem) return mapped;
    const draft = left.next().value as Draft | Problem;
    if (!(draft instanceof Problem)) {
      draft.required_stream = mapped.stream;
      draft.required_purpose = mapped.purpose;
      draft.without_stylesheets = mapped.without_stylesheets;
    }
    return withinLimit(draft, attachment_limit_bytes);
  });
}

/** Our own API accepts such a mail and drops it, which clients of other services would not notice. */
function withinLimit(draft: Draft | Problem, limit: number): Draft | Problem {
  if (draft instanceof Problem || draft.kind === 'raw') return draft;
  const bytes = draft.attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes <= limit) return draft;
  const message = `Attachments of this instance have at most ${limit} bytes in all; these have ${bytes}`;
  return validationProblem([
    {
      pointer: '/attachments',
      code: 'value_error.too_large',
      message,
      params: { max_bytes: limit, actual_bytes: bytes },
    },
  ]);
}
