import { knownTimezone } from '../base/http/date-range.ts';
import type { Violation } from '../base/errors/problem.ts';
import { validateRanges } from './ip-allowlist.ts';

interface Setting {
  read: (text: string) => unknown;
  validate: (value: unknown) => string | undefined;
}

const wholeNumber = (min: number, max: number): Setting => ({
  read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  validate: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`,
});

const oneOf = (...words: string[]): Setting => ({
  read: (text) => text,
  validate: (value) => (words.includes(String(value)) ? undefined : `must be one of ${words.join(', ')}`),
});

const bytes = wholeNumber(1, 2 ** 40);

/** Settings that an operator can change, and their rules. */
const settings: Record<string, Setting> = {
  name: {
    read: (text) => text,
    validate: (value) => (/^.{1,255}$/u.test(String(value)) ? undefined : 'must have 1 to 255 characters'),
  },
  timezone: {
    read: (text) => text,
    validate: (value) =>
      knownTimezone(String(value)) ? undefined : 'must be an IANA zone such as America/Santiago',
  },
  is_enabled: {
    read: (text) => ({ true: true, false: false })[text] ?? text,
    validate: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  },
  subscription_status: oneOf('active', 'inactive'),
  plan_send_limit: {
    read: (text) => (text === 'none' ? null : wholeNumber(0, 0).read(text)),
    validate: (value) => (value === null ? undefined : wholeNumber(0, 1e12).validate(value)),
  },
  attachment_limit_bytes: wholeNumber(0, 2 ** 40),
  bandwidth_bytes_per_second: bytes,
  bandwidth_burst_bytes: bytes,
  retention_months: wholeNumber(1, 120),
  requires_second_factor: {
    read: (text) => ({ true: true, false: false })[text] ?? text,
    validate: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  },
  reply_withdrawal: oneOf('offer', 'automatic', 'off'),
  requests_per_second: wholeNumber(0, 1_000_000),
  requests_burst: wholeNumber(0, 1_000_000),
  smtp_messages_per_second: wholeNumber(0, 1_000_000),
  ip_allowlist: {
    read: (text) =>
      text
        .split(',')
        .map((range) => range.trim())
        .filter(Boolean),
    validate: (value) => validateRanges(value as string[])[0]?.message,
  },
};

export const settingColumns = Object.keys(settings);

export function readSetting(key: string, text: string): unknown {
  return settings[key]?.read(text);
}

export function validateSettings(values: Record<string, unknown>): Violation[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    const pointer = `/${key}`;
    if (!setting) {
      const message = `${key} is not a setting. Settings are ${settingColumns.join(', ')}`;
      return [{ pointer, code: 'extra_forbidden', message }];
    }
    const violation = setting.validate(value);
    return violation ? [{ pointer, code: 'value_error', message: `${key}: ${violation}` }] : [];
  });
}
