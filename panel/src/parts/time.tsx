import { useFormat } from './app/format.ts';

/** A moment in the zone of the instance; the exact one in UTC is shown on hover. */
export function Time({
  at,
  as = 'moment',
}: {
  at: string | null | undefined;
  as?: 'moment' | 'exact' | 'relative' | 'due' | 'day' | 'hour';
}) {
  const format = useFormat();
  if (!at) return <>—</>;
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {format[as](at)}
    </time>
  );
}
