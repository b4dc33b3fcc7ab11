import { Type, type Static } from 'typebox';
import { Enum, Nullable } from '../base/http/schemas.ts';
import { MailTemplatePreview } from './template-schemas.ts';

const pointer = Enum(['/subject', '/source', '/text', '/template_variables'], {
  description: 'The member of the body that it is about.',
});
const line = Type.Integer({ description: 'Line in that text, from 1.', examples: [3] });
const column = Type.Integer({ description: 'Column in that line, from 1.', examples: [5] });

export const MailTemplateAnalysis = Type.Object(
  {
    problems: Type.Array(
      Type.Object({
        pointer,
        code: Type.String({ examples: ['value_error.liquid'] }),
        message: Type.String(),
        line: Nullable(line),
        column: Nullable(column),
      }),
      { description: 'What keeps it from being saved; the same as the 422 of a save would say.' },
    ),
    variables: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['order.number'] }),
        pointer,
        line,
        column,
        is_given: Type.Boolean({ description: 'Whether `template_variables` has it.' }),
      }),
      {
        description:
          'Variables that the text reads, beyond the placeholders of the service: each once in each text, where it stands first. At most 500.',
      },
    ),
    links: Type.Array(
      Type.Object({
        url: Type.String({ examples: ['https://example.com/'] }),
        count: Type.Integer({ description: 'How often it stands in the HTML.', examples: [2] }),
      }),
      { description: 'Where the HTML leads, in the order of the text, at most 500 different ones.' },
    ),
    size: Nullable(
      Type.Object({
        html_bytes: Type.Integer({
          description: 'Of the HTML as it was rendered, in UTF-8.',
          examples: [1830],
        }),
        text_bytes: Type.Integer({ examples: [240] }),
        clipped_above_bytes: Type.Integer({
          description: 'Gmail hides the rest of HTML that is longer.',
          examples: [104448],
        }),
      }),
    ),
    preview: Nullable(MailTemplatePreview),
    text_part: Nullable(
      Type.String({
        description: 'The plain-text part of the mail: `text` as it was rendered, or made from the HTML.',
      }),
    ),
  },
  {
    $id: 'MailTemplateAnalysis',
    description:
      '`size`, `preview` and `text_part` are null, and `links` is empty, while there are problems.',
  },
);
export type MailTemplateAnalysis = Static<typeof MailTemplateAnalysis>;
