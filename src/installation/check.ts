/** What one check found. */
export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  /** What to do about it; null when nothing is wrong. */
  action: string | null;
  /** It does not apply here, and nothing was looked at. */
  is_skipped: boolean;
}

/** What a check says that does not apply here. */
export interface Skipped {
  skipped: string;
}

export interface Check {
  /** Stable: label in metrics and key in the table `check_results`. */
  name: string;
  /** What to do when it fails, unless the failure says so itself. */
  action: string;
  /** Reads every mail of the last days, or all evidence: scheduled once a day instead of hourly. */
  is_heavy?: true;
  /** Says what it found, or throws what is wrong. */
  look: () => Promise<string | Skipped>;
}

/** What a check found wrong, with its own remedy. */
export class CheckFailure extends Error {
  readonly action: string;

  constructor(detail: string, action: string) {
    super(detail);
    this.name = 'CheckFailure';
    this.action = action;
  }
}

/** A check that throws has found something. */
export async function examine({ name: check, action, look }: Check): Promise<Finding> {
  try {
    const found = await look();
    const is_skipped = typeof found !== 'string';
    return { check, ok: true, detail: is_skipped ? found.skipped : found, action: null, is_skipped };
  } catch (error) {
    const remedy = error instanceof CheckFailure ? error.action : action;
    return { check, ok: false, detail: (error as Error).message, action: remedy, is_skipped: false };
  }
}
