import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { useFormat } from './app/format.ts';
import { useApi } from './app/use-api.ts';
import { ActionButton } from './actions.tsx';
import { runEach } from './run-each.ts';
import { toast } from './toast.ts';

/** The same with each of the chosen rows, after a question. What is refused stays chosen. */
export function BulkAction({
  label,
  about,
  keys,
  run,
  isDangerous = false,
  onDone,
}: {
  label: string;
  /** What will happen, in numbers. */
  about: string;
  /** What it is done to, once each: two mails may have one recipient. */
  keys: string[];
  run: (key: string) => Promise<unknown>;
  isDangerous?: boolean;
  onDone: () => void;
}) {
  const t = useMessages('parts');
  const { number } = useFormat();
  const { slug } = useApi();
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  if (keys.length === 0) return null;
  const confirm = async (): Promise<void> => {
    setDone(0);
    const { refused, first } = await runEach(keys, run, setDone);
    await queries.invalidateQueries({ queryKey: [slug] });
    const all = keys.length;
    toast(refused === 0 ? t.bulk_done(all) : t.bulk_partly(number(all - refused), number(all), first));
    onDone();
  };
  return (
    <ActionButton
      size="xs"
      action={{
        label,
        about: (
          <>
            {about}
            {done > 0 && (
              <Text size="sm" c="dimmed" mt="xs" role="status">
                {t.bulk_progress(number(done), number(keys.length))}
              </Text>
            )}
          </>
        ),
        isDangerous,
        run: confirm,
      }}
    />
  );
}
