import { useElementSize } from '@mantine/hooks';
import { MessageFrame, type MessageFrameProps } from './message-frame.tsx';
import styles from './parts.module.css';

/** A message at its own width, made smaller where there is less room. */
export function ScaledMessage({
  width,
  height,
  ...message
}: Omit<MessageFrameProps, 'style'> & { width: number; /** Of the box, in CSS. */ height: string }) {
  const { ref, width: room, height: tall } = useElementSize();
  const scale = room === 0 ? 0 : Math.min(1, room / width);
  return (
    <div ref={ref} className={styles['scaled']} style={{ height }}>
      {scale > 0 && (
        <MessageFrame
          {...message}
          style={{ width, maxWidth: 'none', height: tall / scale, transform: `scale(${scale})` }}
        />
      )}
    </div>
  );
}

/** A small picture of a message, beside its name. */
export function MessageThumbnail({ html, title }: { html: string; title: string }) {
  return (
    <div inert className={styles['thumbnail']}>
      <ScaledMessage html={html} title={title} width={640} height="4.5rem" />
    </div>
  );
}
