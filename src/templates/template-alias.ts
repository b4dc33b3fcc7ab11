import { Type } from 'typebox';

const pattern = '^[A-Za-z][A-Za-z0-9._-]{0,63}$';
const whole = new RegExp(pattern);

export function isTemplateAlias(text: string): boolean {
  return whole.test(text);
}

/** It cannot begin with a digit, which distinguishes it from an id. */
export function TemplateAlias(description: string) {
  return Type.String({ pattern, description, examples: ['welcome'] });
}
