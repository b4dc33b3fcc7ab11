import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id } from '../base/http/schemas.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import { audited } from '../audit/index.ts';
import { getInstance } from '../instances/index.ts';
import { invitationMail } from './invitation-mail.ts';
import type { PlatformMailLimits } from '../limits/index.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { changeRole, listMembers, removeMember } from './team.ts';
import {
  Invitation,
  invitationExample,
  Member,
  MemberChanges,
  memberExample,
  NewInvitation,
} from './team-schemas.ts';

export interface TeamContext {
  db: Database;
  clock: Clock;
  base_url: string;
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
}

const tag = 'Team';
const members = '/v1/private/team/members' as const;
const invitations = '/v1/private/team/invitations' as const;
const access = { kind: 'user', role: 'admin' } as const;

export function teamPanelRoutes(context: TeamContext): Operation[] {
  return [...memberRoutes(context), ...invitationRoutes(context)];
}

function memberRoutes({ db, clock }: TeamContext): Operation[] {
  const params = Type.Object({ user_id: Id('Identifier of the member.') });
  return [
    operation({
      id: 'panel_list_members',
      method: 'GET',
      path: members,
      tag,
      summary: 'List the members of the instance',
      description: 'Who they are and what each may do, in the order in which they came.',
      access: { kind: 'user', role: 'viewer' },
      query: PageQuery({}),
      success: onePage('members', Member, memberExample),
      errors: [],
      handle: async ({ caller, query }) => await listMembers(db, caller.instance.id, query),
    }),
    operation({
      id: 'panel_change_member',
      method: 'PATCH',
      path: `${members}/{user_id}`,
      tag,
      summary: 'Change the role of a member',
      description:
        'It holds from the next request on, and revokes the open invitations that the member may no longer send. Only owners make owners or change one; one owner stays.',
      access,
      params,
      body: MemberChanges,
      body_example: { role: 'viewer' },
      success: { status: 200, description: 'The member.', schema: Member, example: memberExample },
      errors: ['member_not_found', 'member_is_last_owner'],
      handle: async (call) =>
        await audited(db, changeRole)(call, {
          user_id: call.params.user_id,
          role: call.body.role,
          now: clock.now(),
        }),
    }),
    operation({
      id: 'panel_remove_member',
      method: 'DELETE',
      path: `${members}/{user_id}`,
      tag,
      summary: 'Remove a member',
      description:
        'The account stays; open invitations by or to the member are revoked. API keys and SMTP credentials belong to the instance and stay. Only owners remove owners; one owner stays.',
      access,
      params,
      success: { status: 204, description: 'Removed.' },
      errors: ['member_not_found', 'member_is_last_owner'],
      handle: async (call) =>
        await audited(db, removeMember)(call, { user_id: call.params.user_id, now: clock.now() }),
    }),
  ];
}

function invitationRoutes(context: TeamContext): Operation[] {
  const { db, clock, mail_limits } = context;
  return [
    operation({
      id: 'panel_list_invitations',
      method: 'GET',
      path: invitations,
      tag,
      summary: 'List open invitations',
      description: 'Those that can still be accepted.',
      access,
      query: PageQuery({}),
      success: onePage('invitations', Invitation, invitationExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await listInvitations(db, caller.instance.id, { request: query, now: clock.now() }),
    }),
    operation({
      id: 'panel_create_invitation',
      method: 'POST',
      path: invitations,
      tag,
      summary: 'Invite a person by mail',
      description:
        'The mail has a link that is good for seven days. Who is invited again gets a new one, and the old one stops working. An address that was written to too often is not invited until later. Only owners invite owners.',
      access,
      body: NewInvitation,
      body_example: { email: 'ana@example.com', role: 'developer' },
      success: {
        status: 201,
        description: 'The invitation, which is on its way.',
        schema: Invitation,
        example: invitationExample,
      },
      errors: ['user_already_member', 'rate_limit_exceeded'],
      handle: async (call) => {
        const creation = { wanted: call.body, now: clock.now(), mail_limits };
        const { invitation, token } = await audited(db, createInvitation)(call, creation);
        const { name } = await getInstance(db, call.caller.instance.slug);
        const instance_id = call.caller.instance.id;
        const to = invitation.email;
        const mail = invitationMail({ ...context, instance_id, to, instance: name, token });
        await context.sendPlatformMail(mail);
        return invitation;
      },
    }),
    operation({
      id: 'panel_revoke_invitation',
      method: 'DELETE',
      path: `${invitations}/{id}`,
      tag,
      summary: 'Take an invitation back',
      description: 'Its link stops working.',
      access,
      params: Type.Object({ id: Id('Identifier of the invitation.') }),
      success: { status: 204, description: 'Taken back.' },
      errors: ['invitation_not_found'],
      handle: async (call) =>
        await audited(db, revokeInvitation)(call, { id: call.params.id, now: clock.now() }),
    }),
  ];
}
