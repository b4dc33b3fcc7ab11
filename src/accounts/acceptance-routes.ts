import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { acceptInvitation, findInvitation } from './accept-invitation.ts';
import { createHashingQueue } from './hashing-queue.ts';
import { hashPassword } from './passwords.ts';
import { Acceptance, InvitationToken, OpenInvitation, openInvitationExample } from './team-schemas.ts';

const tag = 'Panel access';
const invitation = {
  description: 'The invitation.',
  schema: OpenInvitation,
  example: openInvitationExample,
} as const;
const token = 'c29tZSB0aGlydHktdHdvIGJ5dGVzIG9mIHRva2VuISE';

/** For people who only have an invitation token, which is never part of a path or query. */
export function acceptanceRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  const hashing = createHashingQueue();
  const hash = async (password: string): Promise<string> =>
    await hashing.run(async () => await hashPassword(password));
  return [
    operation({
      id: 'panel_look_at_invitation',
      method: 'POST',
      path: '/v1/private/auth/invitation',
      tag,
      summary: 'Look at an invitation',
      description: 'Whose it is and what for, before it is accepted.',
      access: { kind: 'open' },
      body: InvitationToken,
      body_example: { token },
      max_body_bytes: 16 * 1024,
      success: { status: 200, ...invitation },
      errors: ['invitation_not_found'],
      handle: async ({ body }) => await findInvitation(db, body.token, clock.now()),
    }),
    operation({
      id: 'panel_accept_invitation',
      method: 'POST',
      path: '/v1/private/auth/invitation/accept',
      tag,
      summary: 'Accept an invitation',
      description:
        'Makes the person a member. Without an account yet, one is made with the password given; then sign in. An invitation holds only while who sent it is a member that may send it.',
      access: { kind: 'open' },
      body: Acceptance,
      body_example: { token, name: 'Ana', password: 'a long password' },
      max_body_bytes: 16 * 1024,
      success: { status: 200, ...invitation },
      errors: ['invitation_not_found', 'user_already_member', 'instance_disabled'],
      handle: async ({ body, address }) =>
        await acceptInvitation({ db, hash }, body, { now: clock.now(), address }),
    }),
  ];
}
