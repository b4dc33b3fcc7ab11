import { Client, escapeIdentifier } from 'pg';
import type { ConnectionSettings } from './database.ts';

export interface Notifications {
  /** Calls `listener` with the payload of every NOTIFY on `channel`. Call it before `start`. */
  on(channel: string, listener: (payload: string) => void): void;
  /** Calls `listener` after a reconnect: notifications may have been missed. */
  onGap(listener: () => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const reconnectDelayMs = 1_000;

/** One connection that listens on all channels. NOTIFY is delivered with the commit. */
export function createNotifications(
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): Notifications {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let state: 'new' | 'started' | 'stopped' = 'new';

  async function connect(): Promise<void> {
    const opening = new Client({
      ...connection,
      application_name: 'chasqui listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      connectionTimeoutMillis: 5_000,
    });
    opening.on('error', (error) => {
      if (client === opening) lost(error);
    });
    opening.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) call(() => listener(payload ?? ''));
    });
    try {
      await opening.connect();
      for (const channel of listeners.keys()) await opening.query(`listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      void opening.end();
      throw error;
    }
    if (state === 'stopped') void opening.end();
    else client = opening;
  }

  /** A listener that throws does not affect the others. */
  function call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      onError(error as Error);
    }
  }

  function lost(error: Error): void {
    client = undefined;
    if (state === 'stopped') return;
    onError(error);
    retry = setTimeout(() => {
      connect().then(() => gapListeners.forEach(call), lost);
    }, reconnectDelayMs);
  }

  return {
    on(channel, listener) {
      if (state !== 'new') throw new Error(`Listen on ${channel} before the notifications are started.`);
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onGap(listener) {
      gapListeners.push(listener);
    },
    async start() {
      state = 'started';
      await connect();
    },
    async stop() {
      state = 'stopped';
      clearTimeout(retry);
      const open = client;
      client = undefined;
      // Nothing runs on it, and to say goodbye would be to wait for a server that may be silent.
      open?.connection.stream.destroy();
    },
  };
}
