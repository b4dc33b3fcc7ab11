/** A span of time as it stands in the address: a word for the last days, or `2026-11-01..2026-11-16`. */
export const presets = ['24h', '7d', '30d', '90d'] as const;
export type Preset = (typeof presets)[number];

export interface DateSpan {
  start_date: string;
  end_date: string;
}

const days: Record<Preset, number> = { '24h': 1, '7d': 6, '30d': 29, '90d': 89 };
const dayMs = 86_400_000;
const isPreset = (value: string): value is Preset => (presets as readonly string[]).includes(value);
const isDate = (value: string | undefined): value is string => /^\d{4}-\d\d-\d\d$/.test(value ?? '');

/** The local dates of a span, both inclusive, as the API takes them. */
export function datesOf(range: string, timezone: string, now = new Date()): DateSpan {
  if (!isPreset(range)) {
    const [start_date, end_date] = range.split('..');
    if (isDate(start_date) && isDate(end_date)) return { start_date, end_date };
  }
  const back = days[isPreset(range) ? range : '30d'];
  return {
    start_date: localDate(new Date(now.getTime() - back * dayMs), timezone),
    end_date: localDate(now, timezone),
  };
}

function localDate(at: Date, timeZone: string): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}
