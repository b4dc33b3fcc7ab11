import { Temporal } from 'temporal-polyfill';
import type { Violation } from '../base/errors/problem.ts';
import { isWebAddress } from '../base/web-address.ts';
import { canonicalContact, isPhoneNumber } from '../base/contacts.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { FormField } from './fillable-form.ts';

export type Answer = string | number | boolean | string[];

/** A value as stored, or its violation. */
type Read = { answer: Answer } | Omit<Violation, 'pointer'>;

type Reader = (text: string, config: Record<string, unknown>) => Read;

const wrong = (code: string, message: string, params?: Record<string, unknown>): Read => ({
  code,
  message,
  ...(params ? { params } : {}),
});

/**
 * Reads the value of a field by its type. Pages send text, programs may send typed values. Options are compared by
 * `value`: labels may change, stored values may not (contract §18).
 */
export function readAnswer({ type, config }: Pick<FormField, 'type' | 'config'>, sent: unknown): Read {
  const rules = (config ?? {}) as Record<string, unknown>;
  if (type === 'multiselect') return readSeveral(sent, rules);
  if (type === 'boolean' && typeof sent === 'boolean') return { answer: sent };
  if (type === 'number' && typeof sent === 'number') return inRange(sent, rules);
  if (typeof sent !== 'string') return wrong('string_type', 'Input should be a valid string');
  return readers[type](type === 'textarea' ? sent : sent.trim(), rules);
}

const readers: Record<Exclude<FormField['type'], 'multiselect'>, Reader> = {
  email: (text) => {
    const address = canonicalAddress(text)?.address;
    return address === undefined
      ? wrong('value_error.email', 'This is not an email address')
      : { answer: address };
  },
  phone: (text) => {
    const number = canonicalContact({ contact_type: 'phone_number', contact: text });
    return isPhoneNumber(number)
      ? { answer: number }
      : wrong('value_error.phone', 'This is not a phone number');
  },
  text: (text, config) => ofLength(text, config, 1_000),
  address: (text, config) => ofLength(text, config, 1_000),
  textarea: (text, config) => ofLength(text.replaceAll('\r\n', '\n'), config, 10_000),
  url: (text) =>
    text.length <= 2_048 && isWebAddress(text)
      ? { answer: text }
      : wrong('value_error.url', 'This is not a URL that begins with https:// or http://'),
  number: (text, config) =>
    /^[+-]?\d{1,15}(\.\d{1,10})?$/.test(text)
      ? inRange(Number(text), config)
      : wrong('float_parsing', 'Input should be a valid number'),
  date: (text, config) =>
    isDate(text) ? inRange(text, config) : wrong('date_parsing', 'Input should be a date, YYYY-MM-DD'),
  boolean: (text) =>
    text === 'true' || text === 'false'
      ? { answer: text === 'true' }
      : wrong('bool_parsing', 'Input should be true or false'),
  select: (text, config) =>
    optionsOf(config).includes(text) ? { answer: text } : notAnOption(optionsOf(config)),
};

function readSeveral(sent: unknown, config: Record<string, unknown>): Read {
  const values: unknown[] = Array.isArray(sent) ? sent : [sent];
  const options = optionsOf(config);
  const known = values.filter((value) => typeof value === 'string' && options.includes(value)) as string[];
  return known.length === values.length ? { answer: [...new Set(known)] } : notAnOption(options);
}

function notAnOption(options: string[]): Read {
  return wrong('enum', 'This is not the value of one of the options', { expected: options.slice(0, 50) });
}

function optionsOf({ options }: Record<string, unknown>): string[] {
  return Array.isArray(options) ? options.map((option: { value: string }) => option.value) : [];
}

/** Only text areas may contain line breaks; other control characters are refused. */
function ofLength(text: string, config: Record<string, unknown>, most: number): Read {
  const max_length = Math.min(limitOf(config, 'max_length') ?? most, most);
  const min_length = limitOf(config, 'min_length') ?? 0;
  const { length } = text;
  if (length > max_length) {
    return wrong('string_too_long', `Text should have at most ${max_length} characters`, { max_length });
  }
  if (length < min_length) {
    return wrong('string_too_short', `Text should have at least ${min_length} characters`, { min_length });
  }
  const forbidden = most > 1_000 ? /(?![\n\t])\p{Cc}/u : /\p{Cc}/u;
  if (forbidden.test(text)) return wrong('string_pattern_mismatch', 'Text should have no control characters');
  return { answer: text };
}

/** ISO dates sort as text. */
function inRange(value: number | string, config: Record<string, unknown>): Read {
  const [min, max] = [config['min'], config['max']];
  if (typeof value === 'number' && !Number.isFinite(value))
    return wrong('finite_number', 'Input should be finite');
  if (typeof min === typeof value && value < (min as typeof value)) {
    return wrong('greater_than_equal', `Input should be at least ${String(min)}`, { ge: min });
  }
  if (typeof max === typeof value && value > (max as typeof value)) {
    return wrong('less_than_equal', `Input should be at most ${String(max)}`, { le: max });
  }
  return { answer: value };
}

function limitOf(config: Record<string, unknown>, name: string): number | undefined {
  const limit = config[name];
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}
