import { useMemo } from 'react';
import { useInstanceIfAny } from './instance.tsx';
import { useLanguage } from '../../api/language.ts';

const second = 1000;
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400 * second],
  ['hour', 3600 * second],
  ['minute', 60 * second],
  ['second', second],
];

/** From the smallest to the largest: a unit, and how many of the basic one it is. */
type Scale = [string, number][];
const durations: Scale = [
  ['millisecond', 0.001],
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
];
const sizes: Scale = [
  ['byte', 1],
  ['kilobyte', 1000],
  ['megabyte', 1_000_000],
];

function inUnit(locale: string, value: number, scale: Scale): string {
  const [unit, size] = scale.findLast(([, each]) => Math.abs(value) >= each) ?? scale[0] ?? ['byte', 1];
  const amount = value / size;
  const maximumFractionDigits = Math.abs(amount) < 10 ? 1 : 0;
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale, options).format(amount);
}

/** Numbers and times as the reader writes them, in the zone of the instance. */
export function useFormat() {
  const locale = useLanguage();
  const timeZone = useInstanceIfAny()?.timezone;
  return useMemo(() => {
    const dates = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, ...(timeZone ? { timeZone } : {}) });
    const moment = dates({ dateStyle: 'medium', timeStyle: 'short' });
    const near = dates({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
    const recent_ms = 180 * 86_400 * second;
    const exact = dates({ dateStyle: 'medium', timeStyle: 'medium' });
    const day = dates({ month: 'short', day: 'numeric' });
    const hour = dates({ hour: '2-digit', minute: '2-digit' });
    const numbers = new Intl.NumberFormat(locale);
    const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
    const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
    return {
      number: (value: number) => numbers.format(value),
      compact: (value: number) => (value < 10_000 ? numbers : short).format(value),
      percent: (value: number) => share.format(value),
      /** The year only where it could be another one. */
      moment: (value: string | Date) => {
        const at = new Date(value);
        return (Math.abs(Date.now() - at.getTime()) < recent_ms ? near : moment).format(at);
      },
      exact: (value: string | Date) => exact.format(new Date(value)),
      day: (value: string | Date) => day.format(new Date(value)),
      hour: (value: string | Date) => hour.format(new Date(value)),
      relative(value: string | Date): string {
        const distance = new Date(value).getTime() - Date.now();
        const [unit, size] = units.find(([, each]) => Math.abs(distance) >= each) ?? ['second', second];
        return ago.format(Math.round(distance / size), unit);
      },
      seconds: (value: number) => inUnit(locale, value, durations),
      bytes: (value: number) => inUnit(locale, value, sizes),
    };
  }, [locale, timeZone]);
}
