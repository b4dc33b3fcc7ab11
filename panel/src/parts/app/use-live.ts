import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { followLive, type LiveMail } from '../../api/live.ts';
import { useInstance } from './instance.tsx';

/**
 * Follows what happens to the mails of the instance while it is on. After a gap everything that is shown is read again;
 * what happened one by one is the page's to show.
 */
export function useLive(isOn: boolean, onMail: (happened: LiveMail) => void): 'off' | 'connecting' | 'live' {
  const { slug } = useInstance();
  const queries = useQueryClient();
  const [state, setState] = useState<'connecting' | 'live'>('connecting');
  const newest = useRef(onMail);
  useEffect(() => {
    newest.current = onMail;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const stop = new AbortController();
    const listener = {
      onMail: (happened: LiveMail) => newest.current(happened),
      onGap: () => void queries.invalidateQueries({ queryKey: [slug] }),
      onState: setState,
    };
    void followLive(slug, listener, stop.signal);
    return () => stop.abort();
  }, [isOn, slug, queries]);
  return isOn ? state : 'off';
}
