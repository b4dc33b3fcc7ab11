import type { Violation } from '../base/errors/problem.ts';
import { validateVariables, variableLimits, type Variables } from '../templates/index.ts';
import type { RawSendBody } from './raw-send-body.ts';

/** The variables of a send and of its recipients: only with a template, each and together within their bounds. */
export function validateSendVariables(given: RawSendBody): Violation[] {
  const objects = givenVariables(given);
  if (given.template_id === undefined && given.template_alias === undefined) {
    const pointers = objects.map(({ pointer }) => pointer);
    if (given.strict_variables) pointers.push('/strict_variables');
    return pointers.map(withoutTemplate);
  }
  const violations = objects.flatMap(({ pointer, variables }) => validateVariables(pointer, variables));
  if (violations.length > 0 || objects.length < 2) return violations;
  const bytes = objects.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each.variables)), 0);
  const max_bytes = variableLimits.total_bytes;
  if (bytes <= max_bytes) return [];
  const message = `All variables together should have at most ${max_bytes} bytes as JSON; split the send`;
  return [{ pointer: '/to', code: 'value_error.too_large', message, params: { max_bytes } }];
}

interface Given {
  pointer: string;
  variables: Variables;
}

function givenVariables(given: RawSendBody): Given[] {
  const objects: Given[] = [];
  const add = (pointer: string, variables: Variables | undefined): void => {
    if (variables) objects.push({ pointer, variables });
  };
  add('/template_variables', given.template_variables);
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [index, { variables }] of given[kind].entries()) add(`/${kind}/${index}/variables`, variables);
  }
  return objects;
}

function withoutTemplate(pointer: string): Violation {
  const message = 'Variables fill in a template: this needs a template_id or a template_alias';
  return { pointer, code: 'value_error.template_required', message };
}
