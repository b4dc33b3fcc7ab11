import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconWorldUpload } from '@tabler/icons-react';
import { Notice } from '../../parts/notice.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import type { Edited } from './edited.ts';
import { Links } from './links.tsx';
import { Preview } from './preview.tsx';
import { SizeMeter } from './size-meter.tsx';
import styles from './template.module.css';
import { Variables } from './variables.tsx';
import { Writing } from './writing.tsx';

/** The text on the left, the mail on the right, and below what was found in it. */
export function EditTab(edited: Edited & { setSample: (name: string, value: string) => void }) {
  const t = useMessages('template');
  const [{ part }] = useUrlState();
  const { template, state, analysis, samples, setSample } = edited;
  const shown = part === 'text' ? 'text' : 'content';
  return (
    <Stack gap="md">
      {state.isOutdated && (
        <Notice icon={<IconAlertTriangle size={18} />} title={t.outdated}>
          {t.outdated_about}
          <div>
            <Button variant="default" size="xs" mt="xs" onClick={state.discard}>
              {t.take_theirs}
            </Button>
          </div>
        </Notice>
      )}
      {template.is_published && state.isDirty && (
        <Notice icon={<IconWorldUpload size={18} />}>{t.save_live}</Notice>
      )}
      <div className={styles['halves']}>
        <Writing {...edited} part={shown} />
        <Preview analysis={analysis} part={shown} recipient={samples['recipient.email']} />
      </div>
      <div className={`${styles['halves']} ${styles['found']}`}>
        <Stack gap="md">
          <SizeMeter size={(analysis.latest?.size ?? analysis.good?.size) || undefined} />
          <Links links={analysis.good?.links} />
        </Stack>
        <Variables analysis={analysis} samples={samples} setSample={setSample} />
      </div>
    </Stack>
  );
}
