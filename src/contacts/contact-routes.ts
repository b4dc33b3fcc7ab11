import { Type } from 'typebox';
import { type Caller, isAtLeast } from '../base/http/access.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { type ExportContext, exportOperation } from '../exports/index.ts';
import {
  Contact,
  contactExample,
  contactFilters,
  ContactListItem,
  ExportedContact,
  exportExample,
  listExample,
} from './contact-schemas.ts';
import type { ImportContext } from './import/import-contacts.ts';
import { readContact } from './read-contact.ts';
import { listContacts, selectContacts } from './select-contacts.ts';

export const tag = 'Contacts';
const scope = 'contacts:read';

export function contactRoutes({ db, clock, hashes }: ImportContext): Operation[] {
  return [
    operation({
      id: 'list_contacts',
      method: 'GET',
      path: '/v1/contacts',
      tag,
      summary: 'List contacts',
      description:
        'Every email address that gave a consent or filled in a form, or was imported with a consent, by address. It is read from the consents and submissions themselves. With more than 10,000 of them use `contact`, or the export.',
      access: { kind: 'api_key', scope },
      query: PageQuery(contactFilters),
      success: onePage('contacts', ContactListItem, listExample),
      errors: [],
      handle: async ({ caller, query }) => await listContacts(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_contact',
      method: 'GET',
      path: '/v1/contacts/{contact}',
      tag,
      summary: 'Read a contact',
      description:
        'All that is known about an email address: fields, consents, suppressions, submissions, mails and privacy requests. People who are blocked are not found.',
      access: { kind: 'api_key', scope },
      params: Type.Object({
        contact: Type.String({
          minLength: 1,
          maxLength: 254,
          description: 'The email address, in any spelling.',
          examples: ['ana@example.com'],
        }),
      }),
      success: { status: 200, description: 'The contact.', schema: Contact, example: contactExample },
      errors: ['contact_not_found'],
      handle: async ({ caller, params: { contact } }) =>
        await readContact(db, caller.instance.id, {
          contact,
          hashes,
          now: clock.now(),
          with_requests: mayReadRequests(caller),
        }),
    }),
  ];
}

/** As the operations of privacy requests demand. */
function mayReadRequests({ actor }: Caller): boolean {
  return actor.kind === 'api_key' ? actor.scopes.has('rights:read') : isAtLeast(actor.role, 'admin');
}

export function contactExportRoute(context: ExportContext): Operation {
  return exportOperation(
    {
      id: 'export_contacts',
      path: '/v1/contacts/export',
      tag,
      summary: 'Export contacts',
      description:
        'The list of contacts with the same filters, a column for each field, and the codes of the purposes that are allowed or denied over mail.',
      scope,
      filters: contactFilters,
      row: ExportedContact,
      example: { json: exportExample },
      name: 'contacts',
      select: async ({ caller: { instance }, query }) => await selectContacts(context.db, instance.id, query),
    },
    context,
  );
}
