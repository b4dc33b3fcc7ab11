import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionCaps } from '../protocol/smtp/connection-caps.ts';
import type { SmtpEvent } from '../protocol/smtp/log.ts';

/** Open connections, those refused or evicted by a limit, attempts to authenticate, and messages by reply. */
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
  const authentications = new Counter({
    name: 'chasqui_submission_authentications_total',
    help: 'SMTP authentications by result: accepted, refused or throttled.',
    labelNames: ['result'],
    registers: [registry],
  });
  const messages = new Counter({
    name: 'chasqui_submission_messages_total',
    help: 'Messages over SMTP submission, by the reply to their data.',
    labelNames: ['code'],
    registers: [registry],
  });
  return (event) => {
    if (event.event === 'message') messages.inc({ code: event.code });
    if (event.event === 'authenticated') authentications.inc({ result: 'accepted' });
    if (event.event === 'auth_failed')
      authentications.inc({ result: event.throttled ? 'throttled' : 'refused' });
    if (event.event === 'connection_refused') refused.inc({ reason: event.reason });
    if (event.event === 'closed' && event.reason === 'evicted') refused.inc({ reason: 'evicted' });
  };
}
