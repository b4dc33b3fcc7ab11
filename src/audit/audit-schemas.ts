import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const AuditEvent = Type.Object(
  {
    id: Id('Identifier of the event.'),
    at: DateTime('When it was done.'),
    actor_kind: Enum(['user', 'api_key', 'operator', 'system'], {
      description: '`operator`: a person who can run commands on the machine.',
    }),
    actor_id: Nullable(Type.String({ description: 'Identifier of the user or of the key.' })),
    actor_email: Nullable(Type.String({ description: 'Of a user who still has an account.' })),
    address: Nullable(Type.String({ description: 'From where.' })),
    action: Type.String({ description: 'What was done.', examples: ['api_key.created'] }),
    object_kind: Type.String({ examples: ['api_key'] }),
    object_id: Nullable(Type.String()),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Changes, filters and the like; `via` is `mcp` for what was done over MCP.',
      },
    ),
  },
  { $id: 'AuditEvent' },
);
export type AuditEvent = Static<typeof AuditEvent>;

const filter = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

export const auditFilters = {
  action: filter(100, 'Only this act, such as `api_key.created`.'),
  actor_id: filter(100, 'Only what this user or key did.'),
  object_kind: filter(100, 'Only what was done to objects of this kind.'),
  object_id: filter(100, 'Only what was done to the object with this identifier.'),
  start_date: filter(30, 'First local day, YYYY-MM-DD.'),
  end_date: filter(30, 'Last local day, included, YYYY-MM-DD.'),
  tz: filter(254, 'IANA zone of the dates; that of the instance by default.'),
};

export const auditExample = {
  id: 77,
  at: '2026-12-01T12:00:00.000Z',
  actor_kind: 'user',
  actor_id: '3',
  actor_email: 'ana@example.com',
  address: '203.0.113.7',
  action: 'api_key.created',
  object_kind: 'api_key',
  object_id: '3k9v0c2m5x8q1w7e',
  details: { name: 'website', scopes: ['mail:send'], ip_allowlist: [], sandbox_only: false },
};
