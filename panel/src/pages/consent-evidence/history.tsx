import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ConsentEvidence } from '../../api/operations.ts';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { Rules } from '../consent/rules.tsx';
import styles from './evidence.module.css';

type Event = ConsentEvidence['events'][number];

/** What the person said, when, under which text, and how it is known. */
export function History({ evidence }: { evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  return (
    <Timeline
      label={t.history}
      items={evidence.events.map((event) => ({
        id: event.id,
        at: event.created_at,
        title: <EventTitle event={event} />,
        tone: toneOf(event),
        children: <EventFacts event={event} evidence={evidence} />,
      }))}
    />
  );
}

function saidBy({ rules }: Event): 'allow' | 'deny' | 'both' {
  const actions = new Set(rules.map(({ action }) => action));
  return actions.size === 2 ? 'both' : (rules[0]?.action ?? 'deny');
}

function toneOf(event: Event): Tone {
  if (event.status !== 'confirmed') return event.status === 'pending' ? 'warn' : 'quiet';
  return ({ allow: 'good', deny: 'bad', both: 'info' } as const)[saidBy(event)];
}

function EventTitle({ event }: { event: Event }) {
  const t = useMessages('consent_evidence');
  return event.status === 'confirmed' ? t.said[saidBy(event)] : t[event.status];
}

function EventFacts({ event, evidence }: { event: Event; evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  const values = useMessages('consent_values');
  const originOf = useOrigin();
  const term = evidence.terms.find(({ id }) => id === event.term_id);
  const version = term?.versions.find(({ id }) => id === event.term_version_id);
  const nameOf = (id: number): string => evidence.purposes.find((each) => each.id === id)?.name ?? `#${id}`;
  const { outcome } = event;
  const contacts = new Set(event.rules.map(({ contact }) => contact));
  return (
    <>
      <Rules
        rules={event.rules}
        purposeName={nameOf}
        contact={contacts.size === 1 ? event.rules[0]?.contact : undefined}
      />
      <FactList
        facts={[
          [t.facts.text, t.version_of(term?.name ?? '', version?.version ?? '')],
          [t.facts.source, `${values.sources[event.source]} · ${values.methods[event.method]}`],
          ...originOf(event.evidence),
          [t.facts.chain, <Place key="place" row={event} />],
          ...(outcome
            ? ([
                [t.facts[outcome.status], <Time key="at" at={outcome.at} as="exact" />],
                ...originOf(outcome.evidence),
                [t.facts.chain, <Place key="place" row={outcome} />],
              ] as [string, ReactNode][])
            : []),
        ]}
      />
    </>
  );
}

function FactList({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value], index) => (
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where a row is in the chain, and whether it is still what was hashed. */
function Place({ row }: { row: Pick<Event, 'sequence' | 'hash' | 'is_unaltered'> }) {
  const t = useMessages('consent_evidence');
  const { number } = useFormat();
  return (
    <span className={styles['place']}>
      {number(row.sequence)}
      {row.is_unaltered ? (
        <StatusBadge tone="good">{t.unaltered}</StatusBadge>
      ) : (
        <StatusBadge tone="bad">{t.altered}</StatusBadge>
      )}
      <code>{row.hash}</code>
    </span>
  );
}

/** Who told and from where, in the order in which people ask. */
function useOrigin(): (origin: Record<string, string>) => [string, ReactNode][] {
  const t = useMessages('consent_evidence');
  const actorName = useActorName();
  const names: Record<string, string> = t.origin;
  return (origin) => {
    const known = Object.keys(names).filter((name) => name in origin);
    const others = Object.keys(origin).filter((name) => !(name in names));
    return [...known, ...others].map((name) => {
      const value = origin[name] ?? '';
      return [names[name] ?? name, name === 'actor' ? actorName(value) : value];
    });
  };
}

/** `user:7` as the person it is, while they are a member. */
function useActorName(): (actor: string) => string {
  const t = useMessages('consent_evidence');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_members', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  return (actor) => {
    const [kind, id = ''] = actor.split(':');
    if (kind === 'user') {
      const member = data?.data.find((each) => String(each.id) === id);
      return t.actors.user(member ? `${member.email} (${actor})` : actor);
    }
    if (kind === 'api_key') return t.actors.api_key(id);
    if (kind === 'system') return t.actors.system;
    return kind === 'operator' ? t.actors.operator : actor;
  };
}
