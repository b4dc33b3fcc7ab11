import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { isPublicUrl } from '../../base/public-url.ts';
import { CheckFailure } from '../../installation/check.ts';
import { countRealDomains } from './real-domains.ts';

/** Links to unsubscribe, to view and to confirm stand in every mail: they must lead here from elsewhere. */
export async function checkBaseUrl(db: Queryable, config: Config): Promise<string> {
  const { base_url, allow_local_base_url } = config;
  if (isPublicUrl(base_url)) {
    if (base_url.startsWith('https:')) return base_url;
    const { first } = await countRealDomains(db);
    if (first === undefined) return `${base_url}; no real domain sends yet`;
    throw new CheckFailure(
      `${base_url} is not https, and ${first} sends: mailbox providers follow List-Unsubscribe only over https (RFC 8058)`,
      'Put a proxy with a certificate in front and set CHASQUI_BASE_URL to its https address.',
    );
  }
  const { count, first } = await countRealDomains(db);
  if (first === undefined) return `${base_url}, which only this network can open; no real domain sends yet`;
  const consequence = allow_local_base_url ? 'links in mail lead nowhere' : 'mail waits in the queue';
  throw new CheckFailure(
    `${base_url} cannot be opened from elsewhere, and ${domains(count, first)}: ${consequence}`,
    'Set CHASQUI_BASE_URL to the address by which people reach this installation, and restart its nodes.',
  );
}

function domains(count: number, first: string): string {
  return count === 1 ? `${first} sends` : `${count} domains send, ${first} among them`;
}
