import type { Operation } from '../base/http/operation.ts';
import { type ExportContext, exportOperation } from '../exports/index.ts';
import { selectComplaints, selectRestrictions, selectUnsubscribes } from './select-suppressions.ts';
import {
  Complaint,
  complaintExample,
  complaintFilters,
  Restriction,
  restrictionExample,
  restrictionFilters,
  Unsubscribe,
  unsubscribeExample,
  unsubscribeFilters,
} from './suppression-schemas.ts';

const shared = { tag: 'Suppressions', scope: 'mail:read' } as const;

export function suppressionExportRoutes(context: ExportContext): Operation[] {
  return [
    exportOperation(
      {
        ...shared,
        id: 'export_restrictions',
        path: '/v1/mail-restrictions/export',
        summary: 'Export restrictions',
        description: 'The list of restrictions with the same filters.',
        filters: restrictionFilters,
        row: Restriction,
        example: { json: restrictionExample },
        name: 'mail-restrictions',
        select: async ({ caller: { instance }, ...call }) =>
          selectRestrictions(instance.id, { ...call, timezone: instance.timezone }),
      },
      context,
    ),
    exportOperation(
      {
        ...shared,
        id: 'export_unsubscribes',
        path: '/v1/mail-unsubscribes/export',
        summary: 'Export unsubscribes',
        description: 'The list of unsubscribes with the same filters. In CSV `lifted_for` is JSON.',
        filters: unsubscribeFilters,
        row: Unsubscribe,
        example: { json: unsubscribeExample },
        name: 'mail-unsubscribes',
        select: async ({ caller: { instance }, ...call }) =>
          selectUnsubscribes(instance.id, { ...call, timezone: instance.timezone }),
      },
      context,
    ),
    exportOperation(
      {
        ...shared,
        id: 'export_complaints',
        path: '/v1/mail-complaints/export',
        summary: 'Export complaints',
        description: 'The list of complaints with the same filters.',
        filters: complaintFilters,
        row: Complaint,
        example: { json: complaintExample },
        name: 'mail-complaints',
        select: async ({ caller: { instance }, ...call }) =>
          selectComplaints(instance.id, { ...call, timezone: instance.timezone }),
      },
      context,
    ),
  ];
}
