const shape = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** An ISO date, with or without a time; UTC where no zone is given. Undefined where it is not one. */
export function readMoment(text: string): Date | undefined {
  const [, day, time = '00:00', zone = 'Z'] = shape.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const at = new Date(`${day}T${time}${zone.toUpperCase().replace(/([+-]\d{2}):?(\d{2})/, '$1:$2')}`);
  // JavaScript reads 30 February as 1 or 2 March.
  if (Number.isNaN(at.getTime()) || !isDay(day)) return undefined;
  return at;
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
