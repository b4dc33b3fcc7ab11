import { useEffect, useRef, useState, type CSSProperties } from 'react';
import type { Scheme } from '../preview/preview-scheme.ts';
import styles from './parts.module.css';

export interface MessageFrameProps {
  html: string;
  title: string;
  width?: number | undefined;
  withImages?: boolean;
  /** Of the mail program that is imitated. */
  scheme?: Scheme;
  /** As high as the message is. */
  isFitted?: boolean;
  /** Where something else says how large it is. */
  style?: CSSProperties;
}

const least = 64;
/** A longer message scrolls in its frame. */
const most = 6_000;
const borders = 2;

/** Of the frame, in pixels, from what the message says about itself; undefined where it says nothing of use. */
export function heightFrom(data: unknown): number | undefined {
  const height = typeof data === 'object' && data !== null && 'height' in data ? data.height : undefined;
  if (typeof height !== 'number' || !Number.isFinite(height)) return undefined;
  return Math.min(Math.max(height, least), most) + borders;
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
  isFitted = false,
  style,
}: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const give = (): void => frame.current?.contentWindow?.postMessage({ html, scheme }, '*');
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return;
      if (data === 'preview ready') give();
      else setHeight((before) => heightFrom(data) ?? before);
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
      data-fitted={isFitted || undefined}
      style={style ?? { maxWidth: width, height: isFitted ? height : undefined }}
    />
  );
}
