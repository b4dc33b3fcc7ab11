import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

/** Whether the newest evidence is as it was recorded. */
export function ChainBadge() {
  const t = useMessages('consent');
  const api = useApi();
  const { data } = useQuery(api.read('panel_get_consent_chain_status', {}));
  if (!data || data.sequence === 0) return null;
  return data.recent.is_intact ? (
    <StatusBadge tone="good">{t.chain_intact}</StatusBadge>
  ) : (
    <StatusBadge tone="bad">{t.chain_broken}</StatusBadge>
  );
}
