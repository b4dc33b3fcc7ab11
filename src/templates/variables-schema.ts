import { Type } from 'typebox';
import { variableLimits } from './variables.ts';

const { bytes, depth, values } = variableLimits;

/** An object of variables, in sends and previews. `validateVariables` bounds its size. */
export const TemplateVariables = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: `${description} JSON of at most ${bytes / 1024} KB, ${depth} deep, ${values} values.`,
    examples: [{ order: { number: 1001, total: '$ 24.990' } }],
  });
