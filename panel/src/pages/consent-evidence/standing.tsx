import type { ConsentEvidence } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './evidence.module.css';

const tones: Record<ConsentEvidence['standing'][number]['verdict'], Tone> = {
  allow: 'good',
  deny: 'bad',
  none: 'quiet',
};

/** The verdict for each purpose and channel ever spoken of. */
export function Standing({ evidence: { standing, purposes } }: { evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  const values = useMessages('consent_values');
  const nameOf = (id: number): string => purposes.find((each) => each.id === id)?.name ?? `#${id}`;
  return (
    <ul className={styles['standing']}>
      {standing.map(({ contact_type, contact, channel, purpose_id, verdict, decided_at }) => (
        <li key={`${contact_type} ${contact} ${channel} ${purpose_id}`}>
          <span className={styles['verdict']}>
            <StatusBadge tone={tones[verdict]}>{values.verdicts[verdict]}</StatusBadge>
          </span>
          <span>
            {nameOf(purpose_id)} · {values.channels[channel]}
          </span>
          {decided_at !== null && (
            <span className={styles['soft']}>
              {t.since} <Time at={decided_at} as="exact" />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
