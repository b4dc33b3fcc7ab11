import type { ConsentRule } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './consent.module.css';

/** What one event allows and withdraws. */
export function Rules({
  rules,
  purposeName,
  contact,
}: {
  rules: Pick<ConsentRule, 'id' | 'action' | 'channel' | 'purpose_id' | 'contact' | 'contact_type'>[];
  purposeName: (id: number) => string;
  /** Where all rules are about one, it is not said again. */
  contact?: string;
}) {
  const values = useMessages('consent_values');
  return (
    <ul className={styles['rules']}>
      {rules.map((rule) => (
        <li key={rule.id} className={styles['rule']}>
          <StatusBadge tone={rule.action === 'allow' ? 'good' : 'bad'}>
            {values.actions[rule.action]}
          </StatusBadge>
          <span>
            {purposeName(rule.purpose_id)} · {values.channels[rule.channel]}
            {rule.contact !== contact && ` · ${rule.contact}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
