import { Type } from 'typebox';
import { operation, type Operation } from '../base/http/operation.ts';
import { audienceExample } from './broadcast-examples.ts';
import { type BroadcastsContext, params, path, read, tag } from './broadcast-routes.ts';
import { LeftOut } from './broadcast-schemas.ts';
import { audienceLimits, Audience } from './audience-schemas.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { audienceOf, getBroadcastRow } from './broadcasts.ts';
import { countAudience } from './count-audience.ts';
import { validateAudience } from './validate-audience.ts';

const AudienceCount = Type.Object(
  {
    count: Type.Integer({ description: 'How many would be written to now.' }),
    left_out: Type.Array(LeftOut, {
      description: 'Others who decided about the purpose, by the first reason that leaves them out.',
    }),
    sample: Type.Array(Type.String(), {
      description: `Some of those who would be written to, at most ${audienceLimits.sample}.`,
    }),
  },
  { $id: 'BroadcastAudienceCount' },
);

const success = {
  status: 200,
  description: 'Who would be written to now.',
  schema: AudienceCount,
  example: {
    count: 600_000,
    left_out: [
      { reason: 'consent_revoked', count: 41_210 },
      { reason: 'recipient_unsubscribed', count: 12_004 },
    ],
    sample: ['ana@example.com', 'luis@example.com'],
  },
} as const;

/** Both read what they count in one statement of a few seconds at most. */
export function audienceRoutes({ db }: BroadcastsContext): Operation[] {
  return [
    operation({
      id: 'get_broadcast_audience',
      method: 'GET',
      path: `${path}/audience`,
      tag,
      summary: 'Count the audience of a broadcast',
      description:
        'How many would be written to if it started now, some of them, and how many who decided about its purpose are left out for which reason.',
      access: read,
      params,
      success,
      errors: ['broadcast_not_found', 'search_timeout'],
      handle: async ({ caller: { instance }, params: { id } }) =>
        await countAudience(db, instance.id, audienceOf(await getBroadcastRow(db, instance.id, id))),
    }),
    operation({
      id: 'count_audience',
      method: 'POST',
      path: '/v1/broadcasts/audience',
      tag,
      summary: 'Count an audience',
      description: 'The same for an audience that is not saved, while it is being written. Nothing changes.',
      access: { ...read, role: 'developer' },
      body: Audience,
      body_example: audienceExample,
      success,
      errors: ['search_timeout'],
      handle: async ({ caller: { instance }, body }) => {
        const violations = await validateAudience(db, instance.id, body);
        if (violations.length > 0)
          throw validationProblem(
            violations.map((each) => ({ ...each, pointer: each.pointer.replace(/^\/audience/, '') })),
          );
        return await countAudience(db, instance.id, body);
      },
    }),
  ];
}
