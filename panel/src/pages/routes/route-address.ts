import type { InboundRoute } from '../../api/operations.ts';

/** The addresses that a route takes, as people write them. */
export function routeAddress({
  match,
  local_part,
  domain,
}: Pick<InboundRoute, 'match' | 'local_part' | 'domain'>): string {
  const endings = { exact: '', prefix: '…', tag: '+…', catch_all: '…' } as const;
  return `${local_part}${endings[match]}@${domain}`;
}
