import { audited } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { createSender, deleteSender, updateSender } from './change-sender.ts';
import { senderParams as params } from './sender-routes.ts';
import { NewSender, Sender, SenderChanges, senderExample } from './sender-schemas.ts';
import { getSender } from './senders.ts';

const tag = 'Senders';
const path = '/v1/senders/{id}' as const;
const access = { kind: 'api_key', scope: 'senders:write', role: 'developer' } as const;
const sender = { description: 'The sender.', schema: Sender, example: senderExample } as const;

export function senderWriteRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'create_sender',
      method: 'POST',
      path: '/v1/senders',
      tag,
      summary: 'Create a sender',
      description: 'Its domain must be a verified one of the instance.',
      access,
      body: NewSender,
      body_example: { name: 'Acme', email_address: 'hello@mail.example.com', external_id: 'shop/hello' },
      success: { status: 201, ...sender },
      location: path,
      errors: [
        'external_id_already_exists',
        'domain_not_found',
        'domain_not_verified',
        'sender_already_exists',
      ],
      handle: async (call) => await audited(db, createSender)(call, { sender: call.body }),
    }),
    ...updateRoutes(db),
    operation({
      id: 'delete_sender',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a sender',
      description: 'Mail already accepted is still delivered; its address can be used again.',
      access,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['sender_not_found', 'sender_is_default'],
      handle: async (call) => await audited(db, deleteSender)(call, { id: call.params.id }),
    }),
  ];
}

function updateRoutes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: SenderChanges) =>
    await audited(db, updateSender)(call, { id: call.params.id, changes });
  const patch = operation({
    id: 'update_sender',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a sender',
    description: 'What is left out stays. Its address never changes: past mail is reported under it.',
    access,
    params,
    body: SenderChanges,
    body_example: { name: 'Acme Ltd' },
    success: { status: 200, ...sender },
    errors: ['sender_not_found', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'SenderReplacement',
    summary: 'Replace a sender',
    params,
    creation: NewSender,
    changes: SenderChanges,
    fixed: ['email_address'],
    canonical: { email_address: (value) => canonicalAddress(String(value))?.address },
    read: async ({ caller, params: { id } }) => await getSender(db, caller.instance.id, id),
    apply,
  });
  return [patch, put];
}
