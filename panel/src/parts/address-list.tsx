import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** Addresses and ranges of networks; a pasted list is split at spaces, commas and line ends. */
export function AddressList({
  label,
  description,
  value = [],
  onChange,
  error,
  readOnly = false,
}: {
  label: string;
  description: string;
  value?: string[];
  onChange?: (ranges: string[]) => void;
  error?: ReactNode;
  readOnly?: boolean;
}) {
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 && !readOnly ? '203.0.113.0/24' : ''}
      value={value}
      onChange={(ranges) => onChange?.(ranges)}
      error={error}
      readOnly={readOnly}
      splitChars={[',', ' ', '\n', ';']}
      acceptValueOnBlur
      maxTags={200}
    />
  );
}
