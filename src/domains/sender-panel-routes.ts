import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { createSender, deleteSender, updateSender } from './change-sender.ts';
import { NewSender, Sender, SenderChanges, senderExample } from './sender-schemas.ts';

const tag = 'Senders';
const params = Type.Object({ id: Id('Identifier of the sender.') });
const access = { kind: 'user', role: 'developer' } as const;

export function senderPanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_create_sender',
      method: 'POST',
      path: '/v1/private/senders',
      tag,
      summary: 'Create a sender',
      description: 'Its domain must be a verified one of the instance.',
      access,
      body: NewSender,
      body_example: { name: 'Acme', email_address: 'hello@mail.example.com' },
      success: { status: 201, description: 'The sender.', schema: Sender, example: senderExample },
      location: '/v1/private/senders/{id}',
      errors: ['domain_not_found', 'domain_not_verified', 'sender_already_exists'],
      handle: async (call) => await audited(db, createSender)(call, { sender: call.body }),
    }),
    operation({
      id: 'panel_update_sender',
      method: 'PATCH',
      path: '/v1/private/senders/{id}',
      tag,
      summary: 'Change a sender',
      description: 'Its address stays: past mail is reported under it.',
      access,
      params,
      body: SenderChanges,
      body_example: { name: 'Acme Ltd' },
      success: { status: 200, description: 'The sender.', schema: Sender, example: senderExample },
      errors: ['sender_not_found'],
      handle: async (call) =>
        await audited(db, updateSender)(call, { id: call.params.id, changes: call.body }),
    }),
    operation({
      id: 'panel_delete_sender',
      method: 'DELETE',
      path: '/v1/private/senders/{id}',
      tag,
      summary: 'Delete a sender',
      description: 'Mail already accepted is still delivered; its address can be used again.',
      access,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['sender_not_found'],
      handle: async (call) => await audited(db, deleteSender)(call, { id: call.params.id }),
    }),
  ];
}
