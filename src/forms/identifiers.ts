/** The fields that tell who a person is, and the channels over which each of them reaches one (contract §17). */
export const reachedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['EMAIL', ['mail']],
  ['PHONE', ['sms', 'wsp', 'call']],
  ['UNIQUECODE', ['mail', 'sms', 'wsp', 'call', 'push']],
]);
