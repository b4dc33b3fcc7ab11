import { Button, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { presets } from './range.ts';

const RangeChoices = lazy(async () => ({ default: (await import('./range-choices.tsx')).RangeChoices }));

/** Which days a page is about. */
export function RangePicker({ value, onChange }: { value: string; onChange: (range: string) => void }) {
  const t = useMessages('parts');
  const [opened, { toggle, close }] = useDisclosure();
  const preset = presets.find((each) => each === value);
  const choose = (range: string): void => {
    onChange(range);
    close();
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalendar size={16} />} onClick={toggle}>
          {preset ? t.ranges[preset] : value.replace('..', ' – ') || t.all_days}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t.range}>
        <Suspense>
          <RangeChoices value={value} onChoose={choose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
