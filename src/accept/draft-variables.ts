import { validationProblem, type Violation } from '../base/errors/problem.ts';
import {
  dataFor,
  missingVariables,
  TemplateFailure,
  type MessageVariables,
  type SendableTemplate,
} from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';

const none: MessageVariables = { all: {}, by_recipient: {} };

/** The variables of a draft in the form in which they are stored. */
export function variablesOf(draft: Draft): MessageVariables {
  if (draft.kind !== 'template') return none;
  const personal = draft.recipients.flatMap(({ address, variables }) =>
    variables && Object.keys(variables).length > 0 ? [[address.toLowerCase(), variables] as const] : [],
  );
  return { all: draft.template_variables, by_recipient: Object.fromEntries(personal) };
}

interface Required {
  draft: Draft;
  template: SendableTemplate;
  variables: MessageVariables;
}

/** With `strict_variables`, everything that the template reads must be given. */
export async function requireVariables(
  { renderer }: Pick<AcceptContext, 'renderer'>,
  { draft, template, variables }: Required,
): Promise<void> {
  if (draft.kind !== 'template' || !draft.strict_variables) return;
  const used = await renderer
    .variables(draft.instance_id, template)
    .catch((error: unknown) => throwTemplateProblem(error, draft));
  const missing = draft.recipients.map(({ address: email, name, pointer }) => ({
    pointer: `${pointer ?? ''}/variables`,
    names: missingVariables(used, dataFor({ email, name }, variables)),
  }));
  const violations = violationsOf(missing);
  if (violations.length > 0) throw validationProblem(violations);
}

interface Missing {
  pointer: string;
  names: string[];
}

/** What no recipient has is told once, and not of each. */
function violationsOf(missing: Missing[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { names } of missing) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isEverywhere = (name: string): boolean => counts.get(name) === missing.length;
  return [
    ...[...counts.keys()].filter(isEverywhere).map((name) => missingVariable('/template_variables', name)),
    ...missing.flatMap(({ pointer, names }) =>
      names.filter((name) => !isEverywhere(name)).map((name) => missingVariable(pointer, name)),
    ),
  ];
}

function missingVariable(pointer: string, variable: string): Violation {
  const message = `The template reads ${variable}, which is not given`;
  return { pointer, code: 'missing_variable', message, params: { variable } };
}

/** Where the send names its template. */
export function templatePointer(draft: Draft): string {
  return draft.kind === 'template' && 'alias' in draft.template ? '/template_alias' : '/template_id';
}

function throwTemplateProblem(error: unknown, draft: Draft): never {
  if (!(error instanceof TemplateFailure)) throw error;
  const message = `The variables of the template cannot be found: ${error.message}`;
  throw validationProblem([{ pointer: templatePointer(draft), code: 'value_error.liquid', message }]);
}
