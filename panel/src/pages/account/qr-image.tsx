import { useMemo } from 'react';
import { qrCode } from './qr-code.ts';
import styles from './account.module.css';

const quiet = 4;

/** Dark on white in both themes: scanners expect that, and a margin of four modules. */
export function QrImage({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => qrCode(text), [text]);
  const size = modules.length + 2 * quiet;
  const path = modules
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={styles['qr']}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
