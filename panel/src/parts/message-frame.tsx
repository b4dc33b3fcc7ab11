import { useEffect, useRef } from 'react';
import styles from './parts.module.css';

/**
 * A message as a mail program shows it, in a page of its own without any right. Pictures of others are loaded only when
 * a person asks for them.
 */
export function MessageFrame({
  html,
  title,
  width,
  withImages,
}: {
  html: string;
  title: string;
  width: number | undefined;
  withImages: boolean;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const give = (): void => frame.current?.contentWindow?.postMessage({ html }, '*');
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === 'preview ready') give();
    };
    addEventListener('message', onMessage);
    give();
    return () => removeEventListener('message', onMessage);
  }, [html, withImages]);
  return (
    <iframe
      key={String(withImages)}
      ref={frame}
      title={title}
      className={styles['messageFrame']}
      src={`/panel/preview${withImages ? '-with-images' : ''}.html`}
      sandbox="allow-scripts"
      style={width === undefined ? undefined : { maxWidth: width }}
    />
  );
}
