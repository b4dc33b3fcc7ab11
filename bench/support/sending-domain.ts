import { createDomain } from '../../src/domains/change-domain.ts';
import { getInstance } from '../../src/instances/instances.ts';
import { withStore, operator } from '../../src/main/commands/with-store.ts';
import { openRootSecret } from '../../src/main/root-secret.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** A verified domain with keys of its own and the sender `bench@domain`. */
export async function addSendingDomain(
  { env, slug }: ServiceUnderTest,
  { domain }: { domain: string },
): Promise<string> {
  return await withStore(env, async (db, { config }) => {
    const { id: instanceId } = await getInstance(db, slug);
    const { platform_domain } = config;
    const secret = await openRootSecret(db, config);
    const wanted = { domain, platform_domain, secret, actor: operator };
    const id = await createDomain(db, instanceId, wanted);
    // What validation would do, had the domain a zone.
    await db.query(
      `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified',
         dmarc_status = 'verified' where id = $1`,
      [id],
    );
    await db.query(
      `insert into senders (instance_id, domain_id, name, email_address, stream)
       values ($1, $2, 'Bench', 'bench@' || $3, 'transactional')`,
      [instanceId, id, domain],
    );
    return `bench@${domain}`;
  });
}
