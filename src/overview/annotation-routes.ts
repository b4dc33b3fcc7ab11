import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { Annotation, annotationExample, maxAnnotations, NewAnnotation } from './annotation-schemas.ts';
import { createAnnotation, deleteAnnotation, listAnnotations } from './annotations.ts';

const tag = 'Statistics';
const path = '/v1/annotations' as const;
const read = { kind: 'api_key', scope: 'mail:read', role: 'viewer' } as const;
const write = { kind: 'api_key', scope: 'annotations:write', role: 'developer' } as const;
const date = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 255, description })));

/** Moments that a tenant marks on the charts, such as a deploy. */
export function annotationRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'list_annotations',
      method: 'GET',
      path,
      tag,
      summary: 'List annotations',
      description: 'Moments that were marked on the charts, newest first.',
      access: read,
      query: PageQuery({
        start_date: date('First local date, `YYYY-MM-DD`; three months ago when left out.'),
        end_date: date('Last local date, inclusive; today when left out.'),
        tz: date('IANA zone of the dates; that of the instance by default.'),
      }),
      success: onePage('annotations', Annotation, annotationExample),
      errors: [],
      handle: async ({ caller: { instance }, query }) => {
        const range = readDateRange(query, { now: clock.now(), timezone: instance.timezone, months: 3 });
        return await listAnnotations(db, instance.id, { range, page: query });
      },
    }),
    operation({
      id: 'create_annotation',
      method: 'POST',
      path,
      tag,
      summary: 'Create an annotation',
      description: `Marks a moment on the charts of the panel, such as a deploy. An instance keeps its newest ${maxAnnotations.toLocaleString('en')}.`,
      access: write,
      body: NewAnnotation,
      body_example: { text: 'Deploy 4f2a1c', at: '2026-12-01T12:00:00Z' },
      success: {
        status: 201,
        description: 'The annotation.',
        schema: Annotation,
        example: annotationExample,
      },
      errors: [],
      handle: async (call) =>
        await audited(db, createAnnotation)(call, { annotation: call.body, now: clock.now() }),
    }),
    operation({
      id: 'delete_annotation',
      method: 'DELETE',
      path: '/v1/annotations/{id}',
      tag,
      summary: 'Delete an annotation',
      description: 'The charts no longer show it.',
      access: write,
      params: Type.Object({ id: Id('Identifier of the annotation.') }),
      success: { status: 204, description: 'Deleted.' },
      errors: ['annotation_not_found'],
      handle: async (call) => await audited(db, deleteAnnotation)(call, { id: call.params.id }),
    }),
  ];
}
