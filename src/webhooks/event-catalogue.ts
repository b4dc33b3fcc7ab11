import { Type } from 'typebox';
import { operation, type Operation } from '../base/http/operation.ts';
import { Enum } from '../base/http/schemas.ts';
import { onePage, pageOf, PageQuery } from '../base/http/pagination.ts';
import { eventTypes } from './event-types.ts';
import { publishedEvents } from './payload-schemas.ts';

const types = [...eventTypes, 'webhook.test'] as const;

const EventDescription = Type.Object(
  {
    type: Enum(types, { description: 'As in the `events` of a webhook.' }),
    summary: Type.String({ description: 'When it is sent.' }),
    example: Type.Record(Type.String(), Type.Unknown(), {
      description: 'A request body of the format `chasqui`.',
    }),
  },
  { $id: 'EventDescription' },
);

const catalogue = publishedEvents.map(({ name, summary, example }) => ({
  type: name as (typeof types)[number],
  summary,
  example: example as Record<string, unknown>,
}));

/** The same as `webhooks` of the OpenAPI document, for programs and pages that show one event at a time. */
export function eventCatalogueRoute(): Operation {
  return operation({
    id: 'list_webhook_events',
    method: 'GET',
    path: '/v1/webhook-events',
    tag: 'Webhooks',
    summary: 'List the events that webhooks send',
    description: 'Every type, with an example of its body.',
    access: { kind: 'api_key', scope: 'webhooks:read' },
    query: PageQuery({}),
    success: onePage('events', EventDescription, catalogue[0]),
    errors: [],
    handle: async ({ query: { page = 1, page_size = 20 } }) => {
      const rest = catalogue.slice((page - 1) * page_size);
      return await Promise.resolve(pageOf(rest, { page, page_size, total_items: catalogue.length }));
    },
  });
}
