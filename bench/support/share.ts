/** What one round of a server and of its bare peer took. */
interface Measured {
  per_second: number;
  /** Processor time of the process itself, per message or request. */
  own_us: number;
}

/** A case beside the bare server that does the same. */
export interface Share {
  name: string;
  /** The least share of the bare server's rate. */
  target: number;
  rounds: { ours: Measured; bare: Measured }[];
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
