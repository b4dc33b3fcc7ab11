import type { Webhook } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

type State = 'auto_paused' | 'paused' | 'failing' | 'healthy' | 'unused';

const tones: Record<State, Tone> = {
  auto_paused: 'bad',
  paused: 'quiet',
  failing: 'warn',
  healthy: 'good',
  unused: 'info',
};

function stateOf(webhook: Webhook): State {
  if (webhook.auto_paused_at !== null) return 'auto_paused';
  if (!webhook.is_active) return 'paused';
  if (webhook.consecutive_failures > 0) return 'failing';
  return webhook.last_success_at === null ? 'unused' : 'healthy';
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const state = stateOf(webhook);
  return <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>;
}
