import { audited } from '../../audit/index.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import {
  createWebhook,
  deleteWebhook,
  type EventType,
  getWebhook,
  listWebhooks,
  requireUrl,
  rotateSecret,
  updateWebhook,
  type Webhook,
} from '../../webhooks/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { everyPage } from '../every-page.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { readCursor, readIntegerId } from './cursor.ts';
import { membersOf, refused } from './members.ts';

const max_body_bytes = 64 * 1024;

/** Ours for each of theirs. What is dropped is either suppressed or failed there. */
const events: Readonly<Record<string, EventType>> = {
  'email.delivered': 'mail.sent',
  'email.delivery_delayed': 'mail.deferred',
  'email.bounced': 'mail.bounced',
  'email.complained': 'mail.complained',
  'email.opened': 'mail.opened',
  'email.clicked': 'mail.clicked',
  'email.suppressed': 'mail.dropped',
  'email.failed': 'mail.dropped',
};

/** Webhooks of format `resend`: those of other formats have no events of theirs. */
export function webhookRoutes(context: CompatContext): VendorRoute[] {
  return [...readRoutes(context), ...changeRoutes(context), rotateRoute(context)];
}

function readRoutes({ webhooks: { db, clock } }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/webhooks',
      scope: 'webhooks:read',
      handle: async ({ caller: { instance }, query }) => {
        const { limit, after, before } = readCursor(query, readIntegerId);
        const now = clock.now();
        const data = await everyPage(async (page) => await listWebhooks(db, instance.id, { page, now }));
        const rest = data
          .toReversed()
          .filter(({ format }) => format === 'resend')
          .filter(({ id }) => (after === undefined || id < after) && (before === undefined || id > before));
        const shown = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
        return { object: 'list', has_more: rest.length > limit, data: shown.map(webhookOf) };
      },
    },
    {
      method: 'GET',
      path: '/webhooks/:id',
      scope: 'webhooks:read',
      handle: async (call) => ({ object: 'webhook', ...webhookOf(await findOne({ db, clock }, call)) }),
    },
  ];
}

/** Without its secret, which is shown once. */
function webhookOf({ id, url, is_active, events: types, created_at }: Webhook) {
  const names = Object.keys(events).filter((each) => types?.includes(events[each] as EventType));
  return {
    id: String(id),
    created_at,
    status: is_active ? 'enabled' : 'disabled',
    endpoint: url,
    events: types === null ? null : names,
  };
}

async function findOne(
  { db, clock }: Pick<CompatContext, 'db' | 'clock'>,
  { caller, params }: VendorCall,
): Promise<Webhook> {
  const id = readIntegerId(params['id'] ?? '');
  const webhook = await getWebhook(db, caller.instance.id, { id, now: clock.now() });
  if (webhook.format !== 'resend') throw new Problem('webhook_not_found');
  return webhook;
}

function changeRoutes({ webhooks: { db, clock, root, policy } }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'POST',
      path: '/webhooks',
      scope: 'webhooks:write',
      max_body_bytes,
      handle: async (call) => {
        const { endpoint, events: types } = membersOf(call.body, ['endpoint', 'events']);
        const url = readEndpoint(endpoint);
        const wanted = readEvents(types);
        await requireEndpoint(url, policy);
        const webhook = { name: new URL(url).host, url, events: wanted, format: 'resend' as const };
        const created = await audited(db, createWebhook)(call, { webhook, root, now: clock.now() });
        return { object: 'webhook', id: String(created.id), signing_secret: created.secret };
      },
    },
    {
      method: 'PATCH',
      path: '/webhooks/:id',
      scope: 'webhooks:write',
      max_body_bytes,
      handle: async (call) => {
        const { id } = await findOne({ db, clock }, call);
        const changes = readChanges(call.body);
        if (changes.url !== undefined) await requireEndpoint(changes.url, policy);
        await audited(db, updateWebhook)(call, { id, changes, root, now: clock.now() });
        return { object: 'webhook', id: String(id) };
      },
    },
    {
      method: 'DELETE',
      path: '/webhooks/:id',
      scope: 'webhooks:write',
      handle: async (call) => {
        const { id } = await findOne({ db, clock }, call);
        await audited(db, deleteWebhook)(call, { id });
        return { object: 'webhook', id: String(id), deleted: true };
      },
    },
  ];
}

function rotateRoute({ webhooks: { db, clock, root } }: CompatContext): VendorRoute {
  return {
    method: 'POST',
    path: '/webhooks/:id/signing-secret/rotate',
    scope: 'webhooks:write',
    handle: async (call) => {
      const { id } = await findOne({ db, clock }, call);
      const { secret } = await audited(db, rotateSecret)(call, { id, root, now: clock.now() });
      return { object: 'webhook', id: String(id), signing_secret: secret };
    },
  };
}

function readChanges(body: unknown): { url?: string; events?: EventType[]; is_active?: boolean } {
  const { endpoint, events: types, status } = membersOf(body, ['endpoint', 'events', 'status']);
  if (status !== undefined && status !== 'enabled' && status !== 'disabled') {
    throw refused('status', 'The `status` is `enabled` or `disabled`.');
  }
  return {
    ...(endpoint === undefined ? {} : { url: readEndpoint(endpoint) }),
    ...(types === undefined ? {} : { events: readEvents(types) }),
    ...(status === undefined ? {} : { is_active: status === 'enabled' }),
  };
}

const maxUrlLength = 2_048;

function readEndpoint(given: unknown): string {
  if (given === undefined) throw missing('endpoint');
  if (typeof given === 'string' && given.length <= maxUrlLength && URL.canParse(given)) return given;
  throw refused('endpoint', 'The `endpoint` is an https URL.');
}

async function requireEndpoint(url: string, policy: CompatContext['webhooks']['policy']): Promise<void> {
  try {
    await requireUrl(url, policy);
  } catch (error) {
    const errors = error instanceof Problem ? error.facts.errors : undefined;
    if (!errors) throw error;
    throw validationProblem(errors.map((each) => ({ ...each, pointer: '/endpoint' })));
  }
}

function readEvents(given: unknown): EventType[] {
  if (given === undefined) throw missing('events');
  const isList = Array.isArray(given) && given.length > 0 && given.length <= 100;
  if (!isList) throw refused('events', 'The `events` are a list of event types.');
  const violations = given.flatMap((each, index): Violation[] => {
    if (typeof each === 'string' && Object.hasOwn(events, each)) return [];
    const known = Object.keys(events).join(', ');
    const message = `Chasqui’s \`events\` for clients of Resend are ${known}, not ${String(each).slice(0, 100)}.`;
    return [{ pointer: `/events/${index}`, code: 'value_error.event', message }];
  });
  if (violations.length > 0) throw validationProblem(violations);
  return [...new Set(given.map((each) => events[each as string] as EventType))];
}

function missing(field: string): Problem {
  return validationProblem([
    { pointer: `/${field}`, code: 'missing', message: `Missing \`${field}\` field.` },
  ]);
}
