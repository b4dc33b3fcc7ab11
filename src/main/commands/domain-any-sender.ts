import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { updateDomain } from '../../domains/change-domain.ts';
import { findDomainByName, getDomain } from '../../domains/domains.ts';
import { instance, optional, wordOf, type Command } from '../command.ts';
import { operator, withInstance } from './with-store.ts';

export const domainAnySender: Command = {
  name: 'domain any-sender',
  arguments: '--instance S DOMAIN --default ADDRESS|--off',
  summary: 'Lets every address of a domain send, with the settings of one of its senders.',
  options: {
    instance,
    default: {
      type: 'string',
      about: 'The sender whose stream, tracking and consent hold for other addresses.',
    },
    off: { type: 'boolean', about: 'Only registered senders may send again.' },
  },
  example: 'chasqui domain any-sender --instance acme mail.acme.cl --default hello@mail.acme.cl',
  async run(input) {
    const name = wordOf(input, 'the domain');
    const sender = optional(input, 'default');
    const off = input.options['off'] === true;
    if ((sender === undefined) !== off) throw new Error('Give either --default or --off.');
    const domain = await withInstance(input, async (db, { id: instanceId }, { config }) => {
      const id = await findDomainByName(db, instanceId, name);
      await db.transaction(async (tx) => {
        const changes =
          sender === undefined
            ? { any_sender: false }
            : { any_sender: true, default_sender_id: await senderId(tx, { domain_id: id, sender }) };
        await updateDomain(tx, instanceId, { id, changes, actor: operator });
      });
      return await getDomain(db, instanceId, { id, platform_domain: config.platform_domain });
    });
    const text = domain.any_sender
      ? `Every address of ${name} may send, with the settings of ${sender}.`
      : `Only registered senders of ${name} may send.`;
    return { text, json: domain };
  },
};

async function senderId(
  tx: Queryable,
  { domain_id, sender }: { domain_id: number; sender: string },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    'select id from senders where domain_id = $1 and lower(email_address) = lower($2) and deleted_at is null',
    [domain_id, sender],
  );
  if (!row) throw new Problem('sender_not_found');
  return row.id;
}
