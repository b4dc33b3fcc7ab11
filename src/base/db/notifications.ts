import { Client, escapeIdentifier } from 'pg';
import type { ConnectionSettings } from './database.ts';

export interface Notifications {
  /** Calls `listener` with the payload of every NOTIFY on `channel`. */
  on(channel: string, listener: (payload: string) => void): void;
  /** Calls `listener` after a time in which notifications may have been missed. */
  onGap(listener: () => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const reconnect_delay_ms = 1_000;

/** One connection that listens for all rooms. NOTIFY travels with the commit, so a listener never sees it too early. */
export function createNotifications(
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): Notifications {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    const opening = new Client({
      ...connection,
      application_name: 'chasqui listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    opening.on('error', lost);
    opening.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    await opening.connect();
    for (const channel of listeners.keys()) await opening.query(`listen ${escapeIdentifier(channel)}`);
    client = opening;
  }

  function lost(error: Error): void {
    client = undefined;
    if (stopped || retry !== undefined) return;
    onError(error);
    retry = setTimeout(() => {
      retry = undefined;
      connect().then(() => gapListeners.forEach((listener) => listener()), lost);
    }, reconnect_delay_ms);
  }

  return {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onGap(listener) {
      gapListeners.push(listener);
    },
    start: connect,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
