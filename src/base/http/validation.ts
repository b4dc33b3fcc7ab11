import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Violation } from '../errors/problem.ts';
import { violationOf } from './violations.ts';

/** What a client can act on; a body with more mistakes than this is wrong as a whole. */
const most_violations = 200;

export type Validate = (value: unknown) => Violation[];

/** Compiles one schema. Values are judged as they are: nothing is coerced, filled in or removed. */
export function compileValidator(schema: TSchema): Validate {
  // Each schema has its own instance: `$id`s repeat between operations and would clash in a shared one.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    validateFormats: false,
    inlineRefs: true,
  });
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return collapse(validate.errors ?? []).map(violationOf);
  };
}

/** The failed branches of an anyOf say less than the anyOf itself, unless one branch got further than a wrong type. */
function collapse(errors: ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const dropped = new Set<ErrorObject>(errors.filter(({ keyword }) => keyword === 'if'));
  for (const union of unions) {
    const branches = errors.filter(
      (error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`),
    );
    const deeper = branches.filter(({ keyword }) => keyword !== 'type');
    for (const error of deeper.length > 0
      ? [union, ...branches.filter((b) => !deeper.includes(b))]
      : branches) {
      dropped.add(error);
    }
  }
  // A value of the wrong type is none of the words either; the words say more.
  const words = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  for (const error of errors)
    if (error.keyword === 'type' && words.has(error.instancePath)) dropped.add(error);
  const seen = new Set<string>();
  return errors
    .filter((error) => {
      const key = `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`;
      return !dropped.has(error) && !seen.has(key) && seen.add(key);
    })
    .slice(0, most_violations);
}
