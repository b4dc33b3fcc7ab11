import type { WebhookDelivery } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

export type State = WebhookDelivery['state'];

const tones: Record<State, Tone> = { delivered: 'good', failed: 'bad', pending: 'info', discarded: 'quiet' };
export const deliveryStates = Object.keys(tones) as State[];

export function DeliveryState({ state }: { state: State }) {
  const t = useMessages('webhook');
  return <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>;
}
