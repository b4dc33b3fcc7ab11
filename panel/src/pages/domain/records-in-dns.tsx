import type { Domain } from '../../api/operations.ts';
import { ConnectOffer } from './connect-offer.tsx';
import { DnsProvider } from './dns-provider.tsx';
import { DomainRecords } from './domain-records.tsx';
import { useLookUp } from './use-look-up.ts';
import { ZoneSnippets } from './zone-snippets.tsx';

/** Everything that one look-up tells. */
export function RecordsInDns({ domain }: { domain: Domain }) {
  const { data: looked, error } = useLookUp(domain);
  return (
    <>
      {looked && !looked.all_found && <ConnectOffer id={domain.id} />}
      <DomainRecords domain={domain} looked={looked} problem={error} />
      {looked && !looked.all_found && <DnsProvider looked={looked} />}
      <ZoneSnippets domain={domain} looked={looked} />
    </>
  );
}
