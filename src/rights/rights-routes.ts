import { Type } from 'typebox';
import type { IdTokens } from '../base/id-tokens.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage } from '../base/http/pagination.ts';
import { Id } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { annotateRequest } from './annotate-request.ts';
import { draftAnswers } from './answers.ts';
import { type ArchiveMailing, mailArchive } from './archive-mail.ts';
import { archiveRoute, type ArchiveRouteContext } from './archive-route.ts';
import { extendRequest, fulfilRequest, liftRequest, refuseRequest } from './decide-request.ts';
import { dataHeld } from './data-held.ts';
import { openRequest } from './open-request.ts';
import {
  Answers,
  answersExample,
  AnswersQuery,
  Extension,
  Fulfilment,
  HeldData,
  heldExample,
  NewRightsRequest,
  Refusal,
  RequestAnnotation,
  requestDetailExample,
  requestExample,
  RequestsQuery,
  RightsRequest,
  RightsRequestDetail,
} from './request-schemas.ts';
import { getRequest, listRequests } from './requests.ts';
import { cancelErasure } from './stop-erasure.ts';

export interface RightsContext extends ArchiveRouteContext {
  hashes: ContactHashes;
  /** Of the pages of instances. */
  page_tokens: IdTokens;
  base_url: string;
  /** Mails the link to the archive. */
  mailing: ArchiveMailing;
}

const tag = 'Rights';
const params = Type.Object({ id: Id('Identifier of the request.') });
/** In the panel too, only owners and admins see personal data. */
const read = { kind: 'api_key', scope: 'rights:read', role: 'admin' } as const;
const write = { kind: 'api_key', scope: 'rights:write', role: 'admin' } as const;
const success = {
  status: 200,
  description: 'The request.',
  schema: RightsRequestDetail,
  example: requestDetailExample,
} as const;
const notOpen = [
  'rights_request_not_found',
  'rights_request_unverified',
  'rights_request_closed',
  'rights_request_running',
] as const;

export function rightsRoutes(context: RightsContext): Operation[] {
  return [
    ...readRoutes(context),
    ...workRoutes(context),
    openRoute(context),
    ...decisionRoutes(context),
    archiveRoute(context),
  ];
}

/** The address of the public request page. */
export function rightsPanelRoute({ base_url, page_tokens }: RightsContext): Operation {
  return operation({
    id: 'panel_get_rights_page',
    method: 'GET',
    path: '/v1/private/rights-page',
    tag,
    summary: 'Read the address of the public request page',
    description:
      'The page where people send privacy requests. Link to it from your site and your privacy policy.',
    access: { kind: 'user', role: 'viewer' },
    success: {
      status: 200,
      description: 'The address.',
      schema: Type.Object({ url: Type.String({ description: 'The page.' }) }),
      example: { url: 'https://mail.example.com/rights/AAAAAAAAACpQZ2Vzc2VuLWlzdC1nZWdlc3Nl' },
    },
    errors: [],
    handle: async ({ caller }) =>
      await Promise.resolve({ url: `${base_url}/rights/${page_tokens.make(caller.instance.id)}` }),
  });
}

function readRoutes({ db, clock, hashes }: RightsContext): Operation[] {
  return [
    operation({
      id: 'list_rights_requests',
      method: 'GET',
      path: '/v1/rights-requests',
      tag,
      summary: 'List privacy requests',
      description: 'Open ones first, by the day they are due; then the closed ones, newest first.',
      access: read,
      query: RequestsQuery,
      success: onePage('requests', RightsRequest, requestExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await listRequests(db, caller.instance.id, { filters: query, hashes, now: clock.now() }),
    }),
    operation({
      id: 'get_rights_request',
      method: 'GET',
      path: '/v1/rights-requests/{id}',
      tag,
      summary: 'Read a request of a person',
      description: 'One request, with the receipt of each step.',
      access: read,
      params,
      success,
      errors: ['rights_request_not_found'],
      handle: async ({ caller, params: { id } }) =>
        await getRequest(db, caller.instance.id, { id, now: clock.now() }),
    }),
  ];
}

/** What helps to answer a request. */
function workRoutes({ db, clock, archives }: RightsContext): Operation[] {
  return [
    operation({
      id: 'count_rights_data',
      method: 'GET',
      path: '/v1/rights-requests/{id}/held',
      tag,
      summary: 'Count what is held about a person',
      description:
        'What an archive of the person would contain, by kind. It reads as much as an archive, and counts towards the same limit of two at a time.',
      access: read,
      params,
      success: { status: 200, description: 'The counts.', schema: HeldData, example: heldExample },
      errors: ['rights_request_not_found', 'rights_request_unverified', 'rate_limit_exceeded'],
      handle: async ({ caller, params: { id } }) => {
        const leave = archives.enter(caller.instance.id);
        try {
          return await dataHeld(db, caller.instance.id, id);
        } finally {
          leave();
        }
      },
    }),
    operation({
      id: 'list_rights_answers',
      method: 'GET',
      path: '/v1/rights-requests/{id}/answers',
      tag,
      summary: 'Draft answers to a person',
      description:
        'Texts to start from, with the dates and reasons of the request filled in. Nothing is sent. Have a lawyer read them before you use them.',
      access: read,
      params,
      query: AnswersQuery,
      success: { status: 200, description: 'The drafts.', schema: Answers, example: answersExample },
      errors: ['rights_request_not_found'],
      handle: async ({ caller: { instance }, params: { id }, query }) =>
        await draftAnswers(db, instance, { id, language: query.language, now: clock.now() }),
    }),
    operation({
      id: 'annotate_rights_request',
      method: 'PATCH',
      path: '/v1/rights-requests/{id}',
      tag,
      summary: 'Note something about a request',
      description: 'The note and the checklist are for your colleagues. They change nothing else.',
      access: write,
      while_disabled: true,
      params,
      body: RequestAnnotation,
      body_example: { note: 'Asked at the counter in Valdivia.', checked: ['identity_verified'] },
      success,
      errors: ['rights_request_not_found'],
      handle: async (call) => {
        const { id } = call.params;
        const instanceId = call.caller.instance.id;
        return await db.transaction(async (tx) => {
          await annotateRequest(tx, instanceId, { id, changes: call.body, actor: actorOf(call) });
          return await getRequest(tx, instanceId, { id, now: clock.now() });
        });
      },
    }),
  ];
}

function openRoute({ db, clock, hashes }: RightsContext): Operation {
  return operation({
    id: 'create_rights_request',
    method: 'POST',
    path: '/v1/rights-requests',
    tag,
    summary: 'Record a request of a person',
    description:
      'For a request that reached you. You have verified who asked. It is due 30 days after `received_at`.',
    access: write,
    while_disabled: true,
    body: NewRightsRequest,
    body_example: { kind: 'access', contacts: requestExample.contacts },
    success: { ...success, status: 201 },
    location: '/v1/rights-requests/{id}',
    errors: [],
    handle: async (call) => {
      const now = clock.now();
      const instanceId = call.caller.instance.id;
      const origin = call.caller.actor.kind === 'user' ? 'panel' : 'api';
      const opening = { request: call.body, origin, hashes, actor: actorOf(call), now } as const;
      return await db.transaction(async (tx) => {
        const { id } = await openRequest(tx, instanceId, opening);
        return await getRequest(tx, instanceId, { id, now });
      });
    },
  });
}

function decisionRoutes({ db, clock, mailing }: RightsContext): Operation[] {
  const decide = async (
    { caller, params: { id } }: { caller: { instance: { id: number } }; params: { id: number } },
    work: (tx: Queryable, instanceId: number, now: Date) => Promise<void>,
  ) => {
    const now = clock.now();
    return await db.transaction(async (tx) => {
      await work(tx, caller.instance.id, now);
      return await getRequest(tx, caller.instance.id, { id, now });
    });
  };
  const shared = { method: 'POST', tag, access: write, while_disabled: true, params, success } as const;
  return [
    operation({
      ...shared,
      id: 'fulfil_rights_request',
      path: '/v1/rights-requests/{id}/fulfil',
      summary: 'Fulfil a request',
      description:
        'Carries it out. Access and portability: mails the person a link to their archive, which they open with a code of another mail; with `send_archive: false` you hand it over yourself. Rectification: once you corrected your data. Opposition: denies the purposes. Blocking: nothing is sent, shown or exported until it is lifted. Erasure: starts at once, cannot be undone, and stays `open` with `started_at` until nothing is left; one that was stopped goes on.',
      body: Fulfilment,
      body_example: { resolution: 'Archive sent by mail.' },
      errors: [...notOpen, 'rate_limit_exceeded'],
      handle: async (call) =>
        await decide(call, async (tx, instanceId, now) => {
          const resolution = call.body.resolution ?? null;
          const { id } = call.params;
          await fulfilRequest(tx, instanceId, { id, resolution, actor: actorOf(call), now });
          if (call.body.send_archive !== false)
            await mailArchive(tx, mailing, { instance_id: instanceId, id, now });
        }),
    }),
    operation({
      ...shared,
      id: 'refuse_rights_request',
      path: '/v1/rights-requests/{id}/refuse',
      summary: 'Refuse a request',
      description: 'Closes it with the legal ground, which you tell the person.',
      body: Refusal,
      body_example: { ground: 'The identity of the person could not be established.' },
      errors: [...notOpen],
      handle: async (call) =>
        await decide(call, async (tx, instanceId, now) => {
          const { ground } = call.body;
          await refuseRequest(tx, instanceId, { id: call.params.id, ground, actor: actorOf(call), now });
        }),
    }),
    operation({
      ...shared,
      id: 'extend_rights_request',
      path: '/v1/rights-requests/{id}/extend',
      summary: 'Extend the time to answer',
      description: 'Once, by 30 days, with the reason, which you tell the person.',
      body: Extension,
      body_example: { reason: 'The data of two systems have to be brought together.' },
      errors: [...notOpen, 'rights_request_extended_already'],
      handle: async (call) =>
        await decide(call, async (tx, instanceId, now) => {
          const { reason } = call.body;
          await extendRequest(tx, instanceId, { id: call.params.id, reason, actor: actorOf(call), now });
        }),
    }),
    operation({
      ...shared,
      id: 'cancel_rights_erasure',
      path: '/v1/rights-requests/{id}/cancel',
      summary: 'Cancel an erasure',
      description:
        'Ends an erasure that is under way or was stopped. What was erased stays erased. The request is open again: fulfil it later, or refuse it. The person can be written to again, unless another request erased them.',
      errors: ['rights_request_not_found', 'rights_request_not_running'],
      handle: async (call) =>
        await decide(call, async (tx, instanceId, now) => {
          await cancelErasure(tx, instanceId, { id: call.params.id, actor: actorOf(call), now });
        }),
    }),
    operation({
      ...shared,
      id: 'lift_rights_request',
      path: '/v1/rights-requests/{id}/lift',
      summary: 'Lift a blocking',
      description: 'The person is written to again. What was dropped meanwhile stays dropped.',
      errors: ['rights_request_not_found', 'rights_request_not_blocking'],
      handle: async (call) =>
        await decide(call, async (tx, instanceId, now) => {
          await liftRequest(tx, instanceId, { id: call.params.id, actor: actorOf(call), now });
        }),
    }),
  ];
}
