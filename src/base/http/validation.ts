import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { maxViolations, type Violation } from '../errors/problem.ts';
import { list_items } from './list-items.ts';
import { stringLengths } from './string-length.ts';
import { violationOf } from './violations.ts';

/** Of what the validator finds: more than is told, since some findings stand for the same mistake. */
const maxFindings = 10 * maxViolations;

export type Validate = (value: unknown) => Violation[];

/** Compiles one schema. Values are validated as they are: nothing is coerced, filled in or removed. */
export function compileValidator(schema: TSchema): Validate {
  // Schemas are our own, made by a library: judging them against the meta-schema took a second at each start.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    // JSON has no infinity, but 1e400 reads as one.
    strictNumbers: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  });
  for (const keyword of [...stringLengths, list_items])
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  const validate: ValidateFunction = ajv.compile(withoutIds(schema));
  return (value) => {
    if (validate(value)) return [];
    return collapse(validate.errors?.slice(0, maxFindings) ?? []).map(violationOf);
  };
}

/** An `$id` names a part for the OpenAPI document; the validator would take a part used twice for two of one name. */
function withoutIds(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)));
}

function collapse(errors: ErrorObject[]): ErrorObject[] {
  // The rule of the name that is broken is told by itself.
  const dropped = new Set<ErrorObject>(
    errors.filter(({ keyword }) => keyword === 'if' || keyword === 'propertyNames'),
  );
  for (const [index, union] of errors.entries()) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    for (const error of silentIn(union, branchesOf(union, errors, index))) dropped.add(error);
  }
  // A value of the wrong type is not one of the words either; the list of words says more.
  const words = new Set(
    errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath),
  );
  for (const error of errors)
    if (error.keyword === 'type' && words.has(error.instancePath)) dropped.add(error);
  const seen = new Set<string>();
  return errors
    .filter((error) => {
      const place = `${error.instancePath} ${error.propertyName ?? ''}`;
      const key = `${place} ${error.keyword} ${JSON.stringify(error.params)}`;
      return !dropped.has(error) && !seen.has(key) && seen.add(key);
    })
    .slice(0, maxViolations);
}

/**
 * What the branches of a union found in the very value the union validated; items of a list share one schema path. The
 * validator tells of them right before the union.
 */
function branchesOf(union: ErrorObject, errors: readonly ErrorObject[], end: number): ErrorObject[] {
  const isOfBranch = ({ schemaPath, instancePath }: ErrorObject): boolean =>
    schemaPath.startsWith(`${union.schemaPath}/`) &&
    (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`));
  let start = end;
  for (let before = errors[end - 1]; before && isOfBranch(before); before = errors[start - 1]) start -= 1;
  return errors.slice(start, end);
}

/**
 * Of a union and its failed branches, those that say less than the others: branches that got further than a wrong
 * type tell the most; a single type that is not null tells more than the union; several tell less.
 */
function silentIn(union: ErrorObject, branches: ErrorObject[]): ErrorObject[] {
  const wrongType = branches.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath,
  );
  if (wrongType.length < branches.length) return [union, ...wrongType];
  const [wanted, ...others] = wrongType.filter(({ params }) => params['type'] !== 'null');
  // One of them or a list of them: what one has to be says enough.
  const isOneOrMore =
    wanted?.params['type'] === 'object' && others.every(({ params }) => params['type'] === 'array');
  return wanted && (others.length === 0 || isOneOrMore)
    ? [union, ...wrongType.filter((error) => error !== wanted)]
    : wrongType;
}
