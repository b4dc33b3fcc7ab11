import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionCaps } from '../protocol/smtp/connection-caps.ts';
import type { SmtpEvent } from '../protocol/smtp/log.ts';

/** Gauges of open connections, and a counter of connections refused or evicted by a limit. */
export function countSubmission(registry: Registry, caps: ConnectionCaps): (event: SmtpEvent) => void {
  const open = new Gauge({
    name: 'chasqui_submission_connections',
    help: 'Open SMTP submission connections.',
    labelNames: ['authenticated'],
    registers: [registry],
    collect() {
      open.set({ authenticated: 'true' }, caps.authenticated);
      open.set({ authenticated: 'false' }, caps.unauthenticated);
    },
  });
  const refused = new Counter({
    name: 'chasqui_submission_refused_total',
    help: 'SMTP submission connections that were refused or evicted.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return (event) => {
    if (event.event === 'connection_refused') refused.inc({ reason: event.reason });
    if (event.event === 'closed' && event.reason === 'evicted') refused.inc({ reason: 'evicted' });
  };
}
