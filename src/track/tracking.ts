import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { EngagementRecorder } from './engagement-recorder.ts';
import { type FollowedLink, LinkStanding, type Standing } from './link-standing.ts';
import { isMachine, type Visitor } from './machine-visitor.ts';
import { type TrackedVisit, TrackingTokens } from './tracking-token.ts';

/** Given at once, or a page that says why the link does not lead on. */
export type DirectAnswer = { kind: 'pixel' } | { kind: 'redirect'; url: string };
export type TrackingAnswer = DirectAnswer | { kind: 'warning'; url: string; why: Exclude<Standing, 'good'> };

type TrackedVisitor = Visitor & { is_scripted?: boolean };

export interface Tracking {
  tokens: TrackingTokens;
  /** Reads which links show a warning, before the first visit. */
  start(): Promise<void>;
  /** Answers `/o/<token>` and `/c/<token>` and records the visit; undefined where only `visit` can answer. */
  visitAtOnce(path: string, visitor: TrackedVisitor): DirectAnswer | undefined;
  /** The answer to all of them; undefined for an invalid token. What ends at a warning is not recorded. */
  visit(path: string, visitor: TrackedVisitor): Promise<TrackingAnswer | undefined>;
  /** For pages that show a message as it was written. */
  isTakenDown(url: string): boolean;
  stop(): Promise<void>;
  abort(): void;
}

interface TrackingOptions {
  db: Pick<Database, 'transaction' | 'query'>;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  secret: RootSecret;
  registry: Registry;
}

const longestAgent = 512;

export function createTracking({ clock, secret, notifications, ...store }: TrackingOptions): Tracking {
  const tokens = new TrackingTokens(secret);
  const recorder = new EngagementRecorder(store);
  const links = new LinkStanding({ ...store, notifications });

  function read(path: string): TrackedVisit | undefined {
    const isClick = path.startsWith('/c/');
    const found = isClick || path.startsWith('/o/') ? tokens.read(path.slice(3)) : undefined;
    return found && isClick === (found.url !== null) ? found : undefined;
  }

  function answer({ mail_id, url }: TrackedVisit, visitor: TrackedVisitor): DirectAnswer {
    const event = url === null ? 'opened' : 'clicked';
    recorder.record({
      mail_id,
      url,
      at: clock.now(),
      event,
      user_agent: visitor.headers['user-agent']?.slice(0, longestAgent) ?? null,
      is_machine: isMachine(event, visitor),
      is_scripted: visitor.is_scripted ?? false,
    });
    return url === null ? { kind: 'pixel' } : { kind: 'redirect', url };
  }

  return {
    tokens,
    start: async () => await links.load(),
    visitAtOnce(path, visitor) {
      const found = read(path);
      if (!found || (isLink(found) && links.now(found) !== 'good')) return undefined;
      return answer(found, visitor);
    },
    async visit(path, visitor) {
      const found = read(path);
      if (!found) return undefined;
      const why = isLink(found) ? await links.of(found) : 'good';
      return why === 'good' ? answer(found, visitor) : { kind: 'warning', url: found.url ?? '', why };
    },
    isTakenDown: (url) => links.isTakenDown(url),
    stop: async () => await recorder.stop(),
    abort: () => recorder.abort(),
  };
}

function isLink(visit: TrackedVisit): visit is FollowedLink {
  return visit.url !== null;
}
