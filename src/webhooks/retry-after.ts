/** The longest delay of the schedule: an endpoint cannot have a delivery wait longer. */
const maxRetryAfterSeconds = 24 * 60 * 60;

const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds or a date (RFC 9110 §10.2.3), at most a day; 0 for what is neither, or past. */
export function retryAfterSeconds(value: string, now: Date): number {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxRetryAfterSeconds);
  if (!imfFixdate.test(text)) return 0;
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return seconds > 0 ? Math.min(seconds, maxRetryAfterSeconds) : 0;
}
