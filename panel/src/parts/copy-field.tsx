import { ActionIcon, Code, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './parts.module.css';

export function CopyButton({ value, label }: { value: string; label?: string }) {
  const t = useMessages('parts');
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const name = copied ? t.copied : (label ?? t.copy);
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color={copied ? 'green' : 'gray'}
        size="sm"
        aria-label={name}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A value that people carry elsewhere. `block` keeps its lines. */
export function CopyField({
  value,
  label,
  block = false,
}: {
  value: string;
  label?: string;
  block?: boolean;
}) {
  if (block) {
    return (
      <div className={styles['block']}>
        {/* Scrollable, so that it can be reached by keys. */}
        <pre tabIndex={0} aria-label={label}>
          {value}
        </pre>
        <CopyButton value={value} label={label} />
      </div>
    );
  }
  return (
    <span className={styles['copy']}>
      <Code className={styles['code']}>{breakable(value)}</Code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

/** Names and keys break after their separators before they break anywhere. */
function breakable(value: string): ReactNode {
  return value.split(/(?<=[._:;@/=-])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {part}
      <wbr />
    </Fragment>
  ));
}
