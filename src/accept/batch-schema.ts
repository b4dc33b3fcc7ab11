import { Type } from 'typebox';
import { Enum } from '../base/http/schemas.ts';
import { ProblemDocument } from '../base/openapi/shared-parts.ts';
import { SendMail } from './send-schema.ts';

/** Contract §16. */
export const batchLimits = {
  mails: 500,
  body_bytes: 20 * 1024 * 1024,
  /** Times the JSON values of a single send. */
  json_values_factor: 5,
};

const closed = { additionalProperties: false };

const on_error = Type.Optional(
  Enum(['skip', 'reject'], {
    default: 'skip',
    description:
      'What a mail that is refused does to the others: `skip` accepts them, `reject` refuses the batch and stores nothing.',
  }),
);

export const SendBatch = Type.Object(
  {
    mails: Type.Array(SendMail, {
      minItems: 1,
      maxItems: batchLimits.mails,
      description: 'Each as the body of a single send.',
    }),
    on_error,
  },
  { $id: 'NewBatch', ...closed },
);

/** Each mail is read by itself, since it can be refused by itself. */
export const BatchEnvelope = Type.Object(
  {
    mails: Type.Array(Type.Any(), {
      minItems: 1,
      maxItems: batchLimits.mails,
      description: 'Each is an object with the arguments of `send_mail`.',
    }),
    on_error,
  },
  closed,
);

const BatchResult = Type.Union(
  [
    Type.Object({
      message_id: Type.String({ description: 'Identifier of the message: `msg_id` in reports.' }),
    }),
    Type.Object({ error: ProblemDocument }),
  ],
  { $id: 'BatchResult' },
);

export const BatchAnswer = Type.Object(
  { data: Type.Array(BatchResult, { description: 'One result for each mail, in the order given.' }) },
  { $id: 'BatchAnswer' },
);
