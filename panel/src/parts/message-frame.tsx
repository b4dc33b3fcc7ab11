import { useEffect, useRef, type CSSProperties } from 'react';
import type { Scheme } from '../preview/preview-scheme.ts';
import styles from './parts.module.css';

export interface MessageFrameProps {
  html: string;
  title: string;
  width?: number | undefined;
  withImages?: boolean;
  /** Of the mail program that is imitated. */
  scheme?: Scheme;
  /** Where something else says how large it is. */
  style?: CSSProperties;
}

/**
 * A message as a mail program shows it, in a page of its own without any right. Pictures of others are loaded only when
 * a person asks for them.
 */
export function MessageFrame({
  html,
  title,
  width,
  withImages = false,
  scheme = 'light',
  style,
}: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const give = (): void => frame.current?.contentWindow?.postMessage({ html, scheme }, '*');
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === 'preview ready') give();
    };
    addEventListener('message', onMessage);
    give();
    return () => removeEventListener('message', onMessage);
  }, [html, withImages, scheme]);
  return (
    <iframe
      key={String(withImages)}
      ref={frame}
      title={title}
      className={styles['messageFrame']}
      src={`/panel/preview${withImages ? '-with-images' : ''}.html`}
      sandbox="allow-scripts"
      style={style ?? (width === undefined ? undefined : { maxWidth: width })}
    />
  );
}
