import type { Command } from './command.ts';

type Load = () => Promise<Record<string, unknown>>;

const instance: Load = () => import('./commands/instance.ts');
const user: Load = () => import('./commands/user.ts');
const apiKey: Load = () => import('./commands/api-key.ts');
const operatorKey: Load = () => import('./commands/operator-key.ts');
const smtpCredential: Load = () => import('./commands/smtp-credential.ts');
const domain: Load = () => import('./commands/domain.ts');
const domainList: Load = () => import('./commands/domain-list.ts');
const sender: Load = () => import('./commands/sender.ts');
const senderChange: Load = () => import('./commands/sender-change.ts');
const template: Load = () => import('./commands/template.ts');
const templateChange: Load = () => import('./commands/template-change.ts');
const purpose: Load = () => import('./commands/purpose.ts');
const term: Load = () => import('./commands/term.ts');
const termChange: Load = () => import('./commands/term-change.ts');
const form: Load = () => import('./commands/form.ts');
const rights: Load = () => import('./commands/rights.ts');
const webhook: Load = () => import('./commands/webhook.ts');
const webhookDeliveries: Load = () => import('./commands/webhook-deliveries.ts');
const queue: Load = () => import('./commands/queue.ts');
const restriction: Load = () => import('./commands/restriction.ts');
const suppressionList: Load = () => import('./commands/suppression-list.ts');
const message: Load = () => import('./commands/message.ts');
const linkHost: Load = () => import('./commands/link-host.ts');
const source: Load = () => import('./commands/source.ts');
const sandbox: Load = () => import('./commands/sandbox.ts');
const imports: Load = () => import('./commands/import.ts');
const inbound: Load = () => import('./commands/inbound.ts');
const received: Load = () => import('./commands/received.ts');

/** Every command, in the order in which help lists them, and the file that has it. */
const listed: [name: string, load: Load][] = [
  ['serve', () => import('./commands/serve.ts')],
  ['migrate', () => import('./commands/migrate.ts')],
  ['doctor', () => import('./commands/doctor.ts')],
  ['backup', () => import('./commands/backup.ts')],
  ['restore', () => import('./commands/restore.ts')],
  ['instance create', instance],
  ['instance set', instance],
  ['instance list', instance],
  ['user create', user],
  ['user list', user],
  ['user set-password', user],
  ['user operator', user],
  ['user reset-two-factor', user],
  ['operator-key create', operatorKey],
  ['operator-key list', operatorKey],
  ['operator-key revoke', operatorKey],
  ['api-key create', apiKey],
  ['api-key list', apiKey],
  ['api-key revoke', apiKey],
  ['smtp-credential create', smtpCredential],
  ['smtp-credential list', smtpCredential],
  ['smtp-credential revoke', smtpCredential],
  ['domain create', domain],
  ['domain list', domainList],
  ['domain show', domain],
  ['domain validate', domainList],
  ['domain any-sender', () => import('./commands/domain-any-sender.ts')],
  ['domain send-dns', domain],
  ['domain dmarc', () => import('./commands/domain-dmarc.ts')],
  ['domain rotate-dkim', domain],
  ['domain revoke', domain],
  ['domain reinstate', domain],
  ['domain delete', domain],
  ['sender create', sender],
  ['sender list', sender],
  ['sender edit', senderChange],
  ['sender delete', senderChange],
  ['template create', template],
  ['template list', template],
  ['template edit', templateChange],
  ['template publish', templateChange],
  ['template unpublish', templateChange],
  ['template delete', templateChange],
  ['purpose create', purpose],
  ['purpose list', purpose],
  ['purpose disable', purpose],
  ['purpose enable', purpose],
  ['purpose delete', purpose],
  ['term create', term],
  ['term list', term],
  ['term add-version', termChange],
  ['term publish', termChange],
  ['term set-current', termChange],
  ['term deactivate', termChange],
  ['term activate', termChange],
  ['form create', form],
  ['form list', form],
  ['form show', form],
  ['consent evidence', () => import('./commands/consent-evidence.ts')],
  ['consent verify', () => import('./commands/consent-verify.ts')],
  ['rights open', rights],
  ['rights list', rights],
  ['rights extend', rights],
  ['rights fulfil', rights],
  ['rights refuse', rights],
  ['rights lift', rights],
  ['rights cancel', rights],
  ['rights erasures', rights],
  ['send', () => import('./commands/send.ts')],
  ['send batch', () => import('./commands/send-batch.ts')],
  ['message show', message],
  ['message schedule', message],
  ['message cancel', message],
  ['logs', () => import('./commands/logs.ts')],
  ['explain', () => import('./commands/explain.ts')],
  ['webhook create', webhook],
  ['webhook list', webhook],
  ['webhook delete', webhook],
  ['webhook test', webhook],
  ['webhook deliveries', webhookDeliveries],
  ['webhook replay', webhookDeliveries],
  ['queue show', queue],
  ['queue retry', queue],
  ['queue pause', queue],
  ['queue resume', queue],
  ['restriction add', restriction],
  ['restriction import', restriction],
  ['restriction list', suppressionList],
  ['restriction remove', restriction],
  ['import resend', imports],
  ['import postmark', imports],
  ['import sendgrid', imports],
  ['unsubscribe list', suppressionList],
  ['complaint list', suppressionList],
  ['source add', source],
  ['source list', source],
  ['source remove', source],
  ['source assign', source],
  ['link-host take-down', linkHost],
  ['link-host restore', linkHost],
  ['link-host list', linkHost],
  ['sandbox list', sandbox],
  ['sandbox show', sandbox],
  ['inbound list', inbound],
  ['inbound show', inbound],
  ['inbound-route list', received],
  ['received list', received],
  ['received show', received],
  ['zonefile', domain],
  ['completion', completion],
];

/** Completes the names and options of all of them. */
async function completion(): ReturnType<Load> {
  const { createCompletion } = await import('./commands/completion.ts');
  return { completion: createCompletion(async () => await loadCommands([])) };
}

/**
 * The commands that these words may mean: those that begin with the first of them, or all. Only loading their files takes
 * half of the time that all would take.
 */
export async function loadCommands([first]: string[]): Promise<Command[]> {
  const some = listed.filter(([name]) => name.split(' ')[0] === first);
  return await Promise.all(
    (some.length > 0 ? some : listed).map(async ([name, load]) => {
      const found = Object.values(await load()).find((each) => isCommand(each) && each.name === name);
      return found as Command;
    }),
  );
}

export function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'run' in value;
}
