import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

/** The zones that the browser knows, and the one that is set. */
const zonesWith = (zone: string): string[] =>
  [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter(Boolean).toSorted();

export function ZoneSelect({
  label,
  description,
  value = 'UTC',
  onChange,
  error,
}: {
  label: string;
  description?: string;
  value?: string;
  onChange?: (zone: string) => void;
  error?: ReactNode;
}) {
  return (
    <Select
      label={label}
      description={description}
      data={zonesWith(value)}
      value={value}
      onChange={(zone) => zone !== null && onChange?.(zone)}
      error={error}
      searchable
      allowDeselect={false}
      limit={60}
    />
  );
}
