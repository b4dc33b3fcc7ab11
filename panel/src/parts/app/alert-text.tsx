import type { Alert } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from './format.ts';
import type { Place } from './page-link.tsx';

/** One sentence: what happened, and to what. */
export function AlertText({ alert: { kind, object_name, value } }: { alert: Alert }) {
  const t = useMessages('alerts');
  const { percent: share } = useFormat();
  const name = object_name ?? '';
  if (kind === 'sending_held') return t.sentences.sending_held;
  if (kind === 'privacy_request_due') return t.sentences.privacy_request_due(Math.ceil(value ?? 0));
  if (kind === 'webhook_failing' || kind === 'domain_failed') return t.sentences[kind](name);
  return t.sentences[kind](share(value ?? 0));
}

/** Where its cause can be looked at. */
export function placeOfAlert({ kind, object_id }: Pick<Alert, 'kind' | 'object_id'>): Place {
  const id = object_id ?? '';
  const places: Record<Alert['kind'], Place> = {
    bounce_rate: { page: 'activity', search: { list: 'bounces' } },
    complaint_rate: { page: 'suppressions', search: { list: 'complaints' } },
    webhook_failing: { page: 'webhook', id },
    domain_failed: { page: 'domain', id },
    plan_usage: { page: 'settings' },
    sending_held: { page: 'queue' },
    privacy_request_due: { page: 'rights_request', id },
  };
  return places[kind];
}
