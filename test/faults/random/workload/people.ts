import { setTimeout as sleep } from 'node:timers/promises';
import type {
  PlannedConsent,
  PlannedForm,
  PlannedLift,
  PlannedReaction,
  PlannedRight,
} from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';
import { call } from './call.ts';

export async function consent(stage: Stage, planned: PlannedConsent, node: RandomNode): Promise<void> {
  const { id, action } = planned;
  const address = addressOf(stage, planned.person);
  const { term_id, purpose_id } = stage.account;
  const rule = (channel: string, contact_type: string, contact: string): object => ({
    channel,
    contact_type,
    contact,
    purpose_id,
    action,
  });
  await call(stage, {
    id,
    kind: 'consent',
    node,
    method: 'POST',
    path: '/v1/consent-events',
    request: { addresses: [address], action },
    body: {
      term_id,
      method: 'single_opt_in',
      // The second says which call it was.
      rules: [rule('mail', 'email_address', address), rule('push', 'uniquecode', id)],
    },
  });
}

const paths = { unsubscribe: 'u', resubscribe: 'u', complain: 'report', open: 'o', click: 'c' } as const;
const fields = {
  unsubscribe: { 'List-Unsubscribe': 'One-Click' },
  resubscribe: { action: 'resubscribe' },
  complain: { type: 'spam' },
  open: undefined,
  click: undefined,
};

/** With the newest mail that they got and that has such a link. */
export async function react(stage: Stage, planned: PlannedReaction, node: RandomNode): Promise<void> {
  const { id, kind, person } = planned;
  const address = addressOf(stage, person);
  const path = paths[kind];
  const mail = stage.history.mails.findLast(({ to, tokens }) => to === address && tokens[path] !== undefined);
  if (!mail) return;
  const given = fields[kind];
  await call(stage, {
    id,
    kind,
    node,
    method: given ? 'POST' : 'GET',
    path: `/${path}/${mail.tokens[path]}`,
    request: { addresses: [address], subject: mail.subject },
    // Not the program of a scanner.
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    ...(given ? { body: new URLSearchParams(given) } : {}),
  });
}

/** Opens a request and carries it out. */
export async function exerciseRight(stage: Stage, planned: PlannedRight, node: RandomNode): Promise<void> {
  const { id, kind, person } = planned;
  const address = addressOf(stage, person);
  const request = { addresses: [address], action: kind };
  const opened = await call(stage, {
    id,
    kind: `open ${kind}`,
    node,
    request,
    method: 'POST',
    path: '/v1/rights-requests',
    body: { kind, contacts: [{ contact: address, contact_type: 'email_address' }] },
  });
  const request_id = opened.answer['id'];
  if (opened.outcome !== 'acknowledged' || typeof request_id !== 'number') return;
  await call(stage, {
    id,
    kind,
    node,
    request,
    method: 'POST',
    path: `/v1/rights-requests/${request_id}/fulfil`,
    body: {},
  });
}

export async function lift(stage: Stage, { id, of }: PlannedLift, node: RandomNode): Promise<void> {
  const opened = stage.history.entries.find((entry) => entry.id === of && entry.kind === 'open blocking');
  const request_id = opened?.answer['id'];
  if (!opened || typeof request_id !== 'number') return;
  await call(stage, {
    id,
    kind: 'lift',
    node,
    method: 'POST',
    path: `/v1/rights-requests/${request_id}/lift`,
    request: opened.request,
  });
}

/** Fills in the form and, a while later, follows the link of the mail. */
export async function fillIn(stage: Stage, planned: PlannedForm, node: RandomNode): Promise<void> {
  const { id, address, confirms_after_ms } = planned;
  const { form, term_id, version_id } = stage.account;
  // Each from a network of their own, since one gets few submissions.
  const from = {
    'x-forwarded-for': `198.51.${stage.random.integer(0, 255)}.${stage.random.integer(1, 254)}`,
  };
  const answers = { EMAIL: address, consent: String(term_id), version: String(version_id) };
  const request = { addresses: [address] };
  await call(stage, {
    id,
    kind: 'form',
    node,
    request,
    method: 'POST',
    path: `/f/${form}`,
    headers: from,
    body: new URLSearchParams(answers),
  });
  if (confirms_after_ms === undefined) return;
  await sleep(confirms_after_ms);
  const token = stage.history.mails.find(({ to, tokens }) => to === address && tokens['confirm'])?.tokens[
    'confirm'
  ];
  if (token === undefined) return;
  await call(stage, {
    id,
    kind: 'confirm',
    node,
    request,
    method: 'POST',
    path: `/confirm/${token}`,
    headers: from,
    body: new URLSearchParams(),
  });
}

function addressOf({ plan }: Stage, person: number): string {
  return plan.people[person]?.address ?? '';
}
