import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import type { ConsentChainCheck } from '../../api/operations.ts';
import { useInstance } from '../../parts/app/instance.tsx';

interface ChainCheckState {
  isRunning: boolean;
  /** Rows so far. */
  checked: number;
  /** When it came to an end. */
  result?: ConsentChainCheck & { is_anchored: boolean };
  problem?: unknown;
}

/** Checks the whole chain, in as many requests as it takes. */
export function useChainCheck() {
  const { slug } = useInstance();
  const [state, setState] = useState<ChainCheckState>({ isRunning: false, checked: 0 });
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = useCallback(
    async (anchor?: string): Promise<void> => {
      abort.current?.abort();
      const { signal } = (abort.current = new AbortController());
      let [checked, after] = [0, 0];
      setState({ isRunning: true, checked });
      try {
        for (;;) {
          const query = { after, anchor: anchor || undefined };
          const step = await call('panel_verify_consent_chain', { query }, { slug, signal });
          checked += step.checked;
          after = step.sequence;
          if (step.is_complete) {
            const result = { ...step, checked, is_anchored: Boolean(anchor) };
            setState({ isRunning: false, checked, result });
            return;
          }
          setState({ isRunning: true, checked });
        }
      } catch (problem) {
        if (!signal.aborted) setState({ isRunning: false, checked, problem });
      }
    },
    [slug],
  );
  const stop = useCallback((): void => {
    abort.current?.abort();
    setState({ isRunning: false, checked: 0 });
  }, []);
  return { ...state, start, stop };
}
