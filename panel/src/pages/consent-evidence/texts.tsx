import { Anchor, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ConsentEvidence } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './evidence.module.css';
import { canVerify, sha256 } from './verify-evidence.ts';

/** The full texts, with the hashes that the chain has of them. */
export function Texts({ evidence: { terms } }: { evidence: ConsentEvidence }) {
  const t = useMessages('consent_evidence');
  return terms.flatMap(({ id: term_id, name, versions }) =>
    versions.map(({ id, version, body, document_url }) => (
      <article key={`${term_id} ${id}`} className={styles['agreed']}>
        <Title order={3} size="h6">
          {t.version_of(name, version)}
        </Title>
        <blockquote className={styles['text']}>{body}</blockquote>
        {document_url && (
          <Anchor href={document_url} target="_blank" rel="noreferrer" size="sm" className={styles['hash']}>
            {document_url}
          </Anchor>
        )}
        <TextHash text={body} />
      </article>
    )),
  );
}

function TextHash({ text }: { text: string }) {
  const t = useMessages('consent_evidence');
  const [hash, setHash] = useState<string>();
  useEffect(() => {
    if (canVerify()) void sha256(text).then(setHash);
  }, [text]);
  return (
    hash && (
      <p className={styles['hash']}>
        {t.text_hash} <code>{hash}</code>
      </p>
    )
  );
}
