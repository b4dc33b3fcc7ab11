import { compileValidator } from '../base/http/validation.ts';
import type { Violation } from '../base/errors/problem.ts';
import { OptionsConfig, type Field } from './field-schemas.ts';

const maxConfigBytes = 64 * 1024;
const validateOptions = compileValidator(OptionsConfig);

/** Rules of `config` that depend on the type of the field. */
export function validateConfig({
  type,
  config,
}: Pick<Field, 'type'> & { config?: Field['config'] }): Violation[] {
  const violations: Violation[] = [];
  if (config && Buffer.byteLength(JSON.stringify(config)) > maxConfigBytes) {
    violations.push({
      pointer: '/config',
      code: 'value_error.too_large',
      message: `config should have at most ${maxConfigBytes} bytes as JSON`,
      params: { max_bytes: maxConfigBytes },
    });
  }
  if (type !== 'select' && type !== 'multiselect') return violations;
  const found = validateOptions(config ?? {});
  violations.push(...found.map((violation) => ({ ...violation, pointer: `/config${violation.pointer}` })));
  if (found.length === 0) violations.push(...duplicates((config as OptionsConfig).options));
  return violations;
}

function duplicates(options: OptionsConfig['options']): Violation[] {
  const seen = new Set<string>();
  return options.flatMap(({ value }, index) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    const message = `Two options cannot have the same value '${value}'`;
    return [
      {
        pointer: `/config/options/${index}/value`,
        code: 'value_error.duplicate',
        message,
        params: { value },
      },
    ];
  });
}
