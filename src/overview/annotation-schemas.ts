import { Type, type Static } from 'typebox';
import { DateTime, Id, Nullable } from '../base/http/schemas.ts';

export const maxTextLength = 200;
/** Of an instance. The oldest go. */
export const maxAnnotations = 1_000;

export const NewAnnotation = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: maxTextLength,
      pattern: '\\S',
      description: 'What happened, in a few words. Shown on the chart as plain text.',
      examples: ['Deploy 4f2a1c'],
    }),
    at: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          description: 'When, at most a year away; now when left out.',
          examples: ['2026-12-01T12:00:00Z'],
        }),
      ),
    ),
  },
  { $id: 'NewAnnotation' },
);
export type NewAnnotation = Static<typeof NewAnnotation>;

export const Annotation = Type.Object(
  {
    id: Id('Identifier of the annotation.'),
    text: Type.String({ description: 'What happened.' }),
    at: DateTime('When it happened.'),
    created_at: DateTime('When the annotation was created.'),
  },
  { $id: 'Annotation' },
);
export type Annotation = Static<typeof Annotation>;

export const annotationExample = {
  id: 31,
  text: 'Deploy 4f2a1c',
  at: '2026-12-01T12:00:00.000Z',
  created_at: '2026-12-01T12:00:03.210Z',
};
