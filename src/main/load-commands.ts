import type { Command } from './command.ts';

type Exports = Record<string, unknown>;

/** The files with the commands of each first word. To load only them takes half of the time that all would take. */
const files: Record<string, () => Promise<Exports>[]> = {
  serve: () => [import('./commands/serve.ts')],
  migrate: () => [import('./commands/migrate.ts')],
  doctor: () => [import('./commands/doctor.ts')],
  backup: () => [import('./commands/backup.ts')],
  restore: () => [import('./commands/restore.ts')],
  instance: () => [import('./commands/instance.ts')],
  user: () => [import('./commands/user.ts')],
  'api-key': () => [import('./commands/api-key.ts')],
  'smtp-credential': () => [import('./commands/smtp-credential.ts')],
  domain: () => [
    import('./commands/domain.ts'),
    import('./commands/domain-list.ts'),
    import('./commands/domain-dmarc.ts'),
  ],
  sender: () => [import('./commands/sender.ts'), import('./commands/sender-change.ts')],
  template: () => [import('./commands/template.ts'), import('./commands/template-change.ts')],
  purpose: () => [import('./commands/purpose.ts')],
  term: () => [import('./commands/term.ts'), import('./commands/term-change.ts')],
  form: () => [import('./commands/form.ts')],
  consent: () => [import('./commands/consent-evidence.ts'), import('./commands/consent-verify.ts')],
  rights: () => [import('./commands/rights.ts')],
  send: () => [import('./commands/send.ts')],
  logs: () => [import('./commands/logs.ts')],
  explain: () => [import('./commands/explain.ts')],
  webhook: () => [import('./commands/webhook.ts'), import('./commands/webhook-deliveries.ts')],
  queue: () => [import('./commands/queue.ts')],
  restriction: () => [import('./commands/restriction.ts'), import('./commands/suppression-list.ts')],
  unsubscribe: () => [import('./commands/suppression-list.ts')],
  complaint: () => [import('./commands/suppression-list.ts')],
  source: () => [import('./commands/source.ts')],
  sandbox: () => [import('./commands/sandbox.ts')],
  inbound: () => [import('./commands/inbound.ts')],
  zonefile: () => [import('./commands/domain.ts')],
};

/** The commands that these words may mean: those that begin with the first of them, or all. */
export async function loadCommands([first = '']: string[]): Promise<Command[]> {
  if (!Object.hasOwn(files, first)) return (await import('./commands.ts')).commands;
  const exported = await Promise.all(files[first]?.() ?? []);
  return exported
    .flatMap((each) => Object.values(each))
    .filter(isCommand)
    .filter(({ name }) => name.split(' ')[0] === first);
}

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'run' in value && 'name' in value;
}
