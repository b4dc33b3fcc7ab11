/** A bug that was put in on purpose, to see that a run finds it. */
export interface PlantedBug {
  name: string;
  about: string;
  /** In the code under test. */
  file: string;
  /** Stands in the file once, and is replaced. */
  good: string;
  bad: string;
  /** One of the invariants that it violates must be among those found. */
  violates: string[];
}

export const plantedBugs: PlantedBug[] = [
  {
    name: 'lease check removed',
    about: 'a node that stood still sends what others have sent meanwhile',
    file: 'src/queue/leases.ts',
    good: `return (isRecent && node.holdsLeasesSince(mail.leased_at)) || (await renewals.add(mail));`,
    bad: `return isRecent || (await renewals.add(mail)) || true;`,
    violates: ['delivered'],
  },
  {
    name: 'commit answer trusted',
    about: 'a commit whose answer was lost counts as not stored',
    file: 'src/accept/group-commit.ts',
    good: `const isRetryable = (error: unknown): boolean => isUnknown && isStoreLost(error);`,
    bad: `const isRetryable = (): boolean => false;`,
    violates: ['accepted'],
  },
  {
    name: 'second look removed',
    about: 'suppression and consent are not looked up again before an attempt',
    file: 'src/deliver/attempt.ts',
    good: `const dropped = dropReason(mail);`,
    bad: `const dropped = Date.now() < 0 ? dropReason(mail) : undefined;`,
    violates: ['suppressed'],
  },
  {
    name: 'counter trigger removed',
    about: 'changes of mails are not counted',
    file: 'migrations/0230_mails__name_transition_tables.sql',
    good: `create or replace trigger mails_changed after update on mails
  referencing old table as old_rows new table as new_rows for each statement execute function note_changed();`,
    bad: `drop trigger mails_changed on mails;`,
    violates: ['counters'],
  },
  {
    name: 'retry without key',
    about: 'the key of a send is not kept, so that a repeated send is a second one',
    file: 'src/accept/answer-once.ts',
    good: `if (!call) return { answer: await accept(), is_replay: false };`,
    bad: `if (!call || call.operation !== 'batch') return { answer: await accept(), is_replay: false };`,
    violates: ['accepted', 'keys'],
  },
];
