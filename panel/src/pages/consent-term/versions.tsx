import { Anchor, Select } from '@mantine/core';
import { IconFilePencil } from '@tabler/icons-react';
import type { ConsentTerm, ConsentTermVersion } from '../../api/operations.ts';
import { DataList, type Column } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TextCompare } from '../../parts/text-compare.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { currentOf } from '../consent/catalogue.ts';
import styles from './term.module.css';
import { VersionActions } from './version-actions.tsx';
import { VersionState } from './version-state.tsx';

/** All versions, and the text of one of them, beside another where that is asked for. */
export function Versions({ term }: { term: ConsentTerm }) {
  const t = useMessages('consent_term');
  const [state] = useUrlState();
  const newestFirst = term.versions.toReversed();
  const chosen =
    newestFirst.find(({ id }) => String(id) === state['version']) ?? currentOf(term) ?? newestFirst[0];
  const columns = useColumns(chosen?.id);
  if (!chosen) {
    return (
      <EmptyState icon={IconFilePencil} title={t.no_versions}>
        {t.no_versions_about}
      </EmptyState>
    );
  }
  return (
    <>
      <Section title={t.versions} flush>
        <DataList
          label={t.versions}
          rows={newestFirst}
          columns={columns}
          idOf={({ id }) => id}
          to={({ id }) => ({ page: 'consent_term', id: term.id, search: { version: String(id) } })}
        />
      </Section>
      <VersionText term={term} version={chosen} />
    </>
  );
}

function useColumns(chosen: number | undefined): Column<ConsentTermVersion>[] {
  const t = useMessages('consent_term');
  return [
    {
      name: 'version',
      header: t.version,
      cell: ({ id, version }) => (
        <span
          className={id === chosen ? styles['chosen'] : undefined}
          aria-current={id === chosen || undefined}
        >
          {version}
        </span>
      ),
    },
    { name: 'state', header: t.state, min: 9, cell: (each) => <VersionState version={each} /> },
    {
      name: 'published',
      header: t.published,
      min: 11,
      align: 'end',
      cell: ({ published_at }) => <Time at={published_at} />,
      rank: 1,
    },
  ];
}

function VersionText({ term, version }: { term: ConsentTerm; version: ConsentTermVersion }) {
  const t = useMessages('consent_term');
  const [{ compare }, change] = useUrlState();
  const others = term.versions.filter(({ id }) => id !== version.id);
  // What a draft is about to change is what one wants to see.
  const unasked = version.published_at === null ? currentOf(term) : undefined;
  const other = compare === undefined ? unasked : others.find(({ id }) => String(id) === compare);
  const [before, after] = other && other.id > version.id ? [version, other] : [other, version];
  const side = (each: ConsentTermVersion) => ({ label: t.version_of(each.version), text: each.body });
  return (
    <Section title={t.version_of(version.version)} actions={<VersionActions term={term} version={version} />}>
      {others.length > 0 && (
        <Select
          label={t.compare}
          maw={260}
          mb="md"
          value={other ? String(other.id) : 'none'}
          data={[
            { value: 'none', label: t.no_compare },
            ...others.map(({ id, version: label }) => ({ value: String(id), label: t.version_of(label) })),
          ]}
          onChange={(chosen) => change({ compare: chosen ?? undefined }, { replace: true })}
        />
      )}
      {before ? (
        <TextCompare before={side(before)} after={side(after)} />
      ) : (
        <div className={styles['text']}>{version.body}</div>
      )}
      {version.document_url && (
        <Anchor
          href={version.document_url}
          target="_blank"
          rel="noreferrer"
          mt="md"
          display="inline-block"
          className={styles['address']}
        >
          {version.document_url}
        </Anchor>
      )}
    </Section>
  );
}
