/** What stands in the address for a filter of several values: `5,6`. */
export const severalOf = (value: string | undefined): string[] => (value ?? '').split(',').filter(Boolean);
