/** Streams of Postmark, and those of our senders. */
export const streams: ReadonlyMap<string, 'transactional' | 'broadcast'> = new Map([
  ['outbound', 'transactional'],
  ['broadcast', 'broadcast'],
]);

export function streamName(stream: 'transactional' | 'broadcast'): string {
  return stream === 'broadcast' ? 'broadcast' : 'outbound';
}
