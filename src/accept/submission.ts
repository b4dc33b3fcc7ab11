import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { isLarge, yieldForLargeWork } from '../base/yield-large-work.ts';
import { problemFromError } from '../base/errors/from-error.ts';
import { Problem } from '../base/errors/problem.ts';
import { smtpReplyFor } from '../base/errors/smtp-reply.ts';
import type { InstanceDirectory } from '../instances/index.ts';
import { refuseBeyond, type SharedBuckets } from '../limits/index.ts';
import type { AuthenticateSmtp } from '../credentials/index.ts';
import { type Address, canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { ReceivedMessage, SmtpHandlers } from '../protocol/smtp/handlers.ts';
import { joinPieces } from '../protocol/smtp/piece-list.ts';
import type { Reply } from '../protocol/smtp/reply.ts';
import type { Acceptance } from './accept-mail.ts';
import { readSubmission } from './read-submission.ts';
import type { RestrictionPrefetch } from './restriction-prefetch.ts';

export interface SubmissionContext {
  acceptance: Acceptance;
  authenticate: AuthenticateSmtp;
  instances: InstanceDirectory;
  clock: Clock;
  buckets: SharedBuckets;
  config: { submission_max_header_bytes: number };
  log: Log;
}

interface SubmissionUser {
  id: string;
  instance_id: number;
  sandbox_only: boolean;
}

/** What is known of a message in transmission: the notes of its envelope. */
interface Incoming {
  recipients: Address[];
  prefetch: RestrictionPrefetch;
}

/** Maps SMTP commands to the calls that HTTP makes. */
export function submissionHandlers(context: SubmissionContext): SmtpHandlers<SubmissionUser> {
  const { acceptance, authenticate, log } = context;
  const refuse = (error: unknown): Reply => {
    const problem = problemFromError(error);
    if (!problem) log.error({ err: error }, 'unexpected error in a submission');
    return smtpReplyFor(problem ?? new Problem('internal_error'));
  };
  return {
    async onAuth({ username, password, session }) {
      try {
        return { ok: true, user: await authenticate({ username, password, address: session.peer.address }) };
      } catch (error) {
        return { ok: false, reply: refuse(error) };
      }
    },
    async onMail({ user }) {
      try {
        if (user) await limitMessages(context, user);
        return undefined;
      } catch (error) {
        return refuse(error);
      }
    },
    onRcpt({ to, envelope, user }) {
      const recipient = canonicalAddress(to.address);
      if (!recipient)
        return { code: 553, enhanced: '5.1.3', text: 'This is not an address mail can be sent to' };
      if (!user) return undefined;
      envelope.notes ??= { recipients: [], prefetch: acceptance.prefetchRestrictions(user.instance_id) };
      const { recipients, prefetch } = envelope.notes as Incoming;
      recipients.push(recipient);
      prefetch.start(recipient.address);
      return undefined;
    },
    async onMessage(message) {
      try {
        const msg_id = await submit(context, message);
        return { code: 250, enhanced: '2.0.0', text: `queued as ${msg_id}` };
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

async function limitMessages({ instances, buckets }: SubmissionContext, user: SubmissionUser): Promise<void> {
  const { smtp_messages_per_second: rate } = await instances.get(user.instance_id);
  if (rate === 0) return;
  refuseBeyond(await buckets.take(`smtp ${user.id}`, 1, { rate, burst: rate * 2 }));
}

async function submit(
  { acceptance, instances, clock, config }: SubmissionContext,
  { user, data, size, envelope }: ReceivedMessage<SubmissionUser>,
): Promise<string> {
  const incoming = envelope.notes as Incoming | undefined;
  if (!user || !incoming) throw new Problem('unauthorized');
  const { attachment_limit_bytes, retention_months } = await instances.get(user.instance_id);
  if (isLarge(size)) await yieldForLargeWork();
  const draft = readSubmission({
    instance_id: user.instance_id,
    sandbox_only: user.sandbox_only,
    raw: joinPieces(data),
    recipients: incoming.recipients,
    attachment_limit_bytes,
    max_header_bytes: config.submission_max_header_bytes,
    now: clock.now(),
    retention_months,
  });
  const { idempotent, instance_id } = draft;
  const keyed = idempotent && { ...idempotent, instance_id, operation: 'submission' as const };
  const { msg_id } = await acceptance.acceptMail(draft, { prefetch: incoming.prefetch, keyed });
  return msg_id;
}
