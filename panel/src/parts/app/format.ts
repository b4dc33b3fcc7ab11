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

/** Small shares are the ones that matter: 16 complaints of 48,600 are 0.03 %, not 0 %. */
export function shares(locale: string): (value: number) => string {
  const format = (maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits });
  const [one, two] = [format(1), format(2)];
  const least = 0.0001;
  return (value) => {
    if (value !== 0 && Math.abs(value) < least / 2) return `< ${two.format(least)}`;
    return (Math.abs(value) < 0.01 ? two : one).format(value);
  };
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
    const recentMs = 180 * 86_400 * second;
    // People of one instance sit in several zones: an exact time says which one it is in.
    const exact = dates({
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
    const day = dates({ month: 'short', day: 'numeric' });
    const hour = dates({ hour: '2-digit', minute: '2-digit' });
    const numbers = new Intl.NumberFormat(locale);
    const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
    const share = shares(locale);
    const hundredths = new Intl.NumberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
    const relative = (value: string | Date): string => {
      const distance = new Date(value).getTime() - Date.now();
      const [unit, size] = units.find(([, each]) => Math.abs(distance) >= each) ?? ['second', second];
      return ago.format(Math.round(distance / size), unit);
    };
    return {
      number: (value: number) => numbers.format(value),
      compact: (value: number) => (value < 10_000 ? numbers : short).format(value),
      percent: share,
      /** Two decimals, for shares whose limits lie there. */
      precise: (value: number) => hundredths.format(value),
      /** The year only where it could be another one. */
      moment: (value: string | Date) => {
        const at = new Date(value);
        return (Math.abs(Date.now() - at.getTime()) < recentMs ? near : moment).format(at);
      },
      exact: (value: string | Date) => exact.format(new Date(value)),
      day: (value: string | Date) => day.format(new Date(value)),
      hour: (value: string | Date) => hour.format(new Date(value)),
      relative,
      /** Of what is to happen: once its time has come it is due now, not some seconds ago. */
      due: (value: string | Date) => relative(new Date(Math.max(new Date(value).getTime(), Date.now()))),
      seconds: (value: number) => inUnit(locale, value, durations),
      bytes: (value: number) => inUnit(locale, value, sizes),
    };
  }, [locale, timeZone]);
}
