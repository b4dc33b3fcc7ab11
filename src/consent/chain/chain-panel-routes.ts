import { Type } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { anchorPattern, readAnchor } from './chain.ts';
import { readChainStatus } from './chain-status.ts';
import { chainProblems, verifyChain } from './verify-chain.ts';

/** Longest time of one request; a longer chain is checked in several. */
const within_ms = 15_000;

export const ConsentChainCheck = Type.Object(
  {
    is_intact: Type.Boolean({ description: 'Nothing wrong was found as far as was checked.' }),
    is_complete: Type.Boolean({
      description: 'The end was reached. If not, ask again with `after` = `sequence`.',
    }),
    checked: Type.Integer({ description: 'Rows checked now.' }),
    sequence: Type.Integer({ description: 'The last good place. Note it elsewhere, with its hash.' }),
    hash: Type.String({ description: 'SHA-256 of that place, in hexadecimal.' }),
    first_break: Nullable(
      Type.Object({
        sequence: Type.Integer({ description: 'The place where something is wrong.' }),
        problem: Enum(chainProblems, {
          description:
            '`missing`: taken out. `inserted`: put in. `unlinked`: does not follow the one before it. `altered`: no longer says what was hashed. `text_altered`: the text of the version is not the one agreed to.',
        }),
        consent_event_id: Nullable(Id('The event at this position, if there is one.')),
      }),
    ),
  },
  { $id: 'ConsentChainCheck' },
);

const ConsentChainStatus = Type.Object(
  {
    sequence: Type.Integer({
      description: 'Rows in the chain: events, results of pending events, and receipts of rights requests.',
    }),
    hash: Type.String({ description: 'SHA-256 of the last row, in hexadecimal. Note it elsewhere.' }),
    last_recorded_at: Nullable(DateTime('When the last row was recorded.')),
    recent: ConsentChainCheck,
  },
  { $id: 'ConsentChainStatus' },
);

const checkExample = {
  is_intact: true,
  is_complete: true,
  checked: 200,
  sequence: 1204,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  first_break: null,
};

export function consentChainPanelRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'panel_get_consent_chain_status',
      method: 'GET',
      path: '/v1/private/consent-chain/status',
      tag: 'Consent',
      summary: 'Read where the chain of the evidence stands',
      description:
        'How long the chain is, when it last grew, and a check of its newest 200 rows. To check all of it, verify it.',
      access: { kind: 'user', role: 'viewer' },
      success: {
        status: 200,
        description: 'The status.',
        schema: ConsentChainStatus,
        example: {
          sequence: 1204,
          hash: checkExample.hash,
          last_recorded_at: '2026-12-01T12:00:00.000Z',
          recent: checkExample,
        },
      },
      errors: [],
      handle: async ({ caller }) => await readChainStatus(db, caller.instance.id),
    }),
    operation({
      id: 'panel_verify_consent_chain',
      method: 'GET',
      path: '/v1/private/consent-chain',
      tag: 'Consent',
      summary: 'Check that no evidence was tampered with',
      description:
        'Walks through the hash chain of the consent events, their outcomes and the receipts of rights requests and points at the first place where a row was altered, taken out, put in or moved, or where the text of a version is not the one that was agreed to.',
      access: { kind: 'user', role: 'viewer' },
      query: Type.Object({
        after: Type.Optional(
          Nullable(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'Begin after this place, which an earlier check reached.',
            }),
          ),
        ),
        anchor: Type.Optional(
          Nullable(
            Type.String({
              maxLength: 100,
              pattern: anchorPattern,
              description:
                'A place that was noted elsewhere, as `sequence:hash`: it must still be as it was. Only this detects a chain that was rewritten from its beginning.',
              examples: [`1204:${checkExample.hash}`],
            }),
          ),
        ),
      }),
      success: {
        status: 200,
        description: 'What was found.',
        schema: ConsentChainCheck,
        example: { ...checkExample, checked: 1204 },
      },
      errors: [],
      handle: async ({ caller, query }) =>
        await verifyChain(db, caller.instance.id, {
          after: query.after ?? 0,
          anchor: readAnchor(query.anchor ?? ''),
          within_ms,
        }),
    }),
  ];
}
