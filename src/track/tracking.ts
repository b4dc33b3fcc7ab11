import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { EngagementRecorder } from './engagement-recorder.ts';
import { isMachine, type Visitor } from './machine-visitor.ts';
import { TrackingTokens } from './tracking-token.ts';

export type TrackingAnswer = { kind: 'pixel' } | { kind: 'redirect'; url: string };

export interface Tracking {
  tokens: TrackingTokens;
  /** Answers `/o/<token>` and `/c/<token>` and records the visit; undefined for an invalid token. */
  visit(path: string, visitor: Visitor & { is_scripted?: boolean }): TrackingAnswer | undefined;
  stop(): Promise<void>;
  abort(): void;
}

interface TrackingOptions {
  db: Pick<Database, 'transaction'>;
  clock: Clock;
  log: Log;
  secret: RootSecret;
  registry: Registry;
}

const longest_agent = 512;

export function createTracking({ clock, secret, ...store }: TrackingOptions): Tracking {
  const tokens = new TrackingTokens(secret);
  const recorder = new EngagementRecorder(store);
  return {
    tokens,
    visit(path, visitor) {
      const isClick = path.startsWith('/c/');
      const found = isClick || path.startsWith('/o/') ? tokens.read(path.slice(3)) : undefined;
      if (!found || isClick !== (found.url !== null)) return undefined;
      const event = isClick ? 'clicked' : 'opened';
      recorder.record({
        mail_id: found.mail_id,
        url: found.url,
        at: clock.now(),
        event,
        user_agent: visitor.headers['user-agent']?.slice(0, longest_agent) ?? null,
        is_machine: isMachine(event, visitor),
        is_scripted: visitor.is_scripted ?? false,
      });
      return found.url === null ? { kind: 'pixel' } : { kind: 'redirect', url: found.url };
    },
    stop: async () => await recorder.stop(),
    abort: () => recorder.abort(),
  };
}
