import { classify, type Failure, type Verdict } from './classify/classify.ts';
import { classifyRoute } from './classify/classify-route.ts';
import type { AttemptDetails } from '../events/outcome.ts';
import type { Outcome as SmtpOutcome } from '../protocol/smtp-client/outcome.ts';
import type { OutboundMessage, Session } from '../protocol/smtp-client/session.ts';
import type { Router } from './route/router.ts';
import type { SessionPool, Target } from './session-pool.ts';

export interface RemoteContext {
  router: Router;
  sessions: SessionPool;
}

export interface AttemptResult {
  verdict: Verdict;
  details: Omit<AttemptDetails, 'attempt'>;
}

/** A mail is not tried at more places than this in one attempt: the next attempt goes on with the others. */
const most_places = 4;

/** One attempt at a remote domain: its servers by preference, until one of them says something about the mail. */
export async function attemptRemote(
  { router, sessions }: RemoteContext,
  message: OutboundMessage & { destination: string },
  context: { last_attempt: boolean },
): Promise<AttemptResult> {
  const route = await router.route(message.destination);
  if (route.kind !== 'hosts') {
    const { verdict, enhanced } = classifyRoute(route, context);
    return { verdict, details: { enhanced_code: enhanced, detail: `no route to ${message.destination}` } };
  }
  const targets = route.hosts
    .flatMap(({ name, addresses }) => addresses.map((address) => ({ host: name, address })))
    .slice(0, most_places);
  let last: AttemptResult | undefined;
  for (const target of targets) {
    const result = await attemptAt({ sessions, target, context }, message);
    if (result.answered) return result;
    last = result;
  }
  return last ?? { verdict: classify({ failure: 'dns', phase: 'greeting' }, context), details: {} };
}

interface Place {
  sessions: SessionPool;
  target: Target;
  context: { last_attempt: boolean };
}

/** `answered`: the server said something about this mail, so that no other server is asked in this attempt. */
async function attemptAt(
  { sessions, target, context }: Place,
  message: OutboundMessage,
): Promise<AttemptResult & { answered: boolean }> {
  const began = performance.now();
  let used: Session | undefined;
  const result = await sessions.use(target, async (session) => {
    used = session;
    const [outcome] = await session.send(message);
    return outcome as SmtpOutcome;
  });
  const verdict = verdictOf(result, context);
  const reply = result.kind === 'reply' ? result : undefined;
  return {
    verdict,
    answered: used !== undefined && (result.kind === 'reply' || isUnsupported(result)),
    details: {
      remote_host: target.host,
      remote_ip: used?.remote_address ?? target.address,
      local_ip: used?.local_address,
      tls: used?.tls ? `${used.tls.protocol} ${used.tls.cipher}` : undefined,
      smtp_code: reply?.code,
      enhanced_code: reply?.enhanced_code,
      response: reply
        ? `${reply.code} ${reply.enhanced_code ?? ''} ${reply.text}`.replaceAll(/ +/g, ' ')
        : undefined,
      detail: reply ? undefined : `${result.kind} at ${result.phase}`,
      duration_ms: Math.round(performance.now() - began),
    },
  };
}

const failures: ReadonlySet<string> = new Set([
  'timeout',
  'refused',
  'unreachable',
  'closed',
  'tls',
  'protocol',
]);

function isUnsupported({ kind }: SmtpOutcome): boolean {
  return kind === 'eight_bit_unsupported' || kind === 'smtputf8_unsupported' || kind === 'too_big';
}

function verdictOf(outcome: SmtpOutcome, context: { last_attempt: boolean }): Verdict {
  const phase =
    outcome.phase === 'connect' || outcome.phase === 'rset' || outcome.phase === 'quit'
      ? 'greeting'
      : outcome.phase;
  if (outcome.kind === 'reply') {
    const { code, enhanced_code, text } = outcome;
    return classify({ code, enhanced: enhanced_code ?? null, text, phase }, context);
  }
  if (isUnsupported(outcome)) {
    // The address itself is fine: its server cannot take this message, and will not be able to tomorrow.
    return { verdict: 'bounced', type: 'soft', reason: outcome.kind, throttled: false };
  }
  const failure: Failure = failures.has(outcome.kind) ? (outcome.kind as Failure) : 'closed';
  return classify({ failure, phase }, context);
}
