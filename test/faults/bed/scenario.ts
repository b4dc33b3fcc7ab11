import type { BedOptions, FaultBed } from './fault-bed.ts';
import type { FaultDatabase, OwnDatabaseOptions } from './fault-database.ts';
import type { Findings } from './findings.ts';

/** What a scenario is played with. */
export interface Stage {
  rounds: number;
  /** Its durations and amounts, by name. */
  options: Record<string, number>;
  /** Where the code under test is. */
  code: string;
  /** The commit to upgrade from. */
  from: string | undefined;
  /** A bed that ends with the scenario, on a database of the scenario's own where it has one. */
  open: (options?: OpenOptions) => Promise<FaultBed>;
  /** Done when the scenario is over, however it ends. */
  after: (cleanup: () => Promise<void>) => void;
  note: (text: string) => void;
}

export interface OpenOptions extends Partial<Pick<BedOptions, 'first_code'>>, OwnDatabaseOptions {
  database?: FaultDatabase;
}

export interface Outcome {
  findings: Findings;
  /** What else is not as it must be. */
  problems: string[];
}

export interface Scenario {
  name: string;
  about: string;
  /** Unless another number is asked for: one. */
  rounds?: number;
  /** Of the long form, which `npm run faults` plays. */
  options: Record<string, number>;
  /** Those that differ in the form that runs with the tests; none where that takes too long. */
  short?: Record<string, number>;
  /** Whether it stops the database's server, and needs one of its own. */
  needs_server: boolean;
  /** Why it cannot be played here. */
  unavailable?(from: string | undefined): string | undefined;
  play(stage: Stage): Promise<Outcome>;
}
