import { Type } from 'typebox';
import { audited } from '../../audit/index.ts';
import type { Database } from '../../base/db/database.ts';
import { notBlocked } from '../../base/db/blocked-contacts.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery, selectPage } from '../../base/http/pagination.ts';
import { Id } from '../../base/http/schemas.ts';
import type { SendPlatformMail } from '../../base/platform-mail.ts';
import type { RootSecret } from '../../base/secrets.ts';
import { getInstance } from '../../instances/index.ts';
import type { PlatformMailLimits } from '../../limits/index.ts';
import { ForwardAddress, forwardAddressExample } from './forward-address-schemas.ts';
import { forwardAddressMail } from './forward-address-mail.ts';
import { askForwardAddress, deleteForwardAddress, forwardColumns } from './forward-addresses.ts';
import { createForwardTokens } from './forward-tokens.ts';

const tag = 'Receiving';
const path = '/v1/forward-addresses';

export interface ForwardAddressContext {
  db: Database;
  secret: RootSecret;
  base_url: string;
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
}

/** Addresses that agreed to get the mail that routes forward. */
export function forwardAddressRoutes(context: ForwardAddressContext): Operation[] {
  const { db } = context;
  return [
    operation({
      id: 'list_forward_addresses',
      method: 'GET',
      path,
      tag,
      summary: 'List forward addresses',
      description: 'Addresses that were asked whether routes may forward mail to them.',
      access: { kind: 'api_key', scope: 'inbound:read' },
      query: PageQuery({}),
      success: onePage('addresses', ForwardAddress, forwardAddressExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await selectPage<ForwardAddress>(
          db,
          {
            columns: forwardColumns,
            source: `from forward_addresses where instance_id = $1 and ${notBlocked('address_key', '$1')}`,
            order_by: 'address_key',
            values: [caller.instance.id],
          },
          query,
        ),
    }),
    asking(context),
    operation({
      id: 'delete_forward_address',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Delete a forward address',
      description:
        'Routes that forward to it send it nothing more; one that forwards to no other address stores its mail.',
      access: { kind: 'api_key', scope: 'inbound:write', role: 'developer' },
      params: Type.Object({ id: Id('Identifier of the address.') }),
      success: { status: 204, description: 'Deleted.' },
      errors: ['forward_address_not_found'],
      handle: async (call) => await audited(db, deleteForwardAddress)(call, { id: call.params.id }),
    }),
  ];
}

function asking({ db, secret, base_url, sendPlatformMail, mail_limits }: ForwardAddressContext): Operation {
  const tokens = createForwardTokens(secret);
  return operation({
    id: 'create_forward_address',
    method: 'POST',
    path,
    tag,
    summary: 'Ask an address for its agreement',
    description:
      'Sends a mail with a link, good for seven days. Routes forward to the address once the link is confirmed. One that has not agreed yet is asked again.',
    access: { kind: 'api_key', scope: 'inbound:write', role: 'developer' },
    body: Type.Object(
      { address: Type.String({ minLength: 3, maxLength: 320 }) },
      { $id: 'NewForwardAddress' },
    ),
    body_example: { address: 'ana@example.org' },
    success: {
      status: 201,
      description: 'The address; the mail is on its way.',
      schema: ForwardAddress,
      example: forwardAddressExample,
    },
    errors: ['forward_address_verified', 'forward_address_limit_reached', 'rate_limit_exceeded'],
    handle: async (call) => {
      const { address } = call.body;
      const asked = await audited(db, askForwardAddress)(call, { address, mail_limits, from: call.address });
      const { id: instance_id, slug } = call.caller.instance;
      const { name } = await getInstance(db, slug);
      const link = `${base_url}/forward/${tokens.make(asked.id)}`;
      await sendPlatformMail(forwardAddressMail({ instance_id, instance: name, to: asked.address, link }));
      return asked;
    },
  });
}
