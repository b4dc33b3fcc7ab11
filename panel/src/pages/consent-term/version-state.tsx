import type { ConsentTermVersion } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

export function VersionState({
  version: { is_current, published_at },
}: {
  version: Pick<ConsentTermVersion, 'is_current' | 'published_at'>;
}) {
  const t = useMessages('consent_term');
  if (is_current) return <StatusBadge tone="good">{t.current}</StatusBadge>;
  if (published_at !== null) return <StatusBadge tone="info">{t.published}</StatusBadge>;
  return <StatusBadge tone="warn">{t.draft}</StatusBadge>;
}
