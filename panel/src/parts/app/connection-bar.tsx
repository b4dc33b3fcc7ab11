import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { connection } from '../../api/connection.ts';
import { useStore } from '../../api/store.ts';
import styles from './connection-bar.module.css';
import { useMessages } from '../../messages/use-messages.ts';

/** Says that the service is out of reach, and reads everything again once it is not. */
export function ConnectionBar() {
  const t = useMessages('shell');
  const state = useStore(connection);
  const before = useRef(state);
  const queries = useQueryClient();
  useEffect(() => {
    if (state === 'online' && before.current !== 'online') void queries.invalidateQueries();
    before.current = state;
  }, [state, queries]);
  if (state === 'online') return null;
  return (
    <div className={styles['bar']} role="status">
      {t[state]}
    </div>
  );
}
