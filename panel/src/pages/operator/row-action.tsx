import { Button } from '@mantine/core';

/** What can be done with one row; its label names the row. */
export function RowAction({
  label,
  children,
  onClick,
  danger = false,
  loading = false,
}: {
  label: string;
  children: string;
  onClick: () => void;
  danger?: boolean;
  loading?: boolean;
}) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      onClick={onClick}
      aria-label={label}
      loading={loading}
      {...(danger ? { color: 'red' } : {})}
    >
      {children}
    </Button>
  );
}
