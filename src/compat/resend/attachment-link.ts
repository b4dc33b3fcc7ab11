import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RootSecret } from '../../base/secrets.ts';

/** One attachment of one message, until a time. */
export interface AttachmentLink {
  instance_id: number;
  msg_id: string;
  position: number;
  expires_at: Date;
}

const form =
  /^(\d{1,10})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,4})-(\d{1,11})-([A-Za-z0-9_-]{43})$/;

/** Links need no API key: the code that reads them is told them by a call that had one. */
export class AttachmentLinks {
  readonly #key: Buffer;

  constructor(secret: RootSecret) {
    this.#key = secret.deriveKey('attachment-link');
  }

  make({ instance_id, msg_id, position, expires_at }: AttachmentLink): string {
    const named = `${instance_id}-${msg_id}-${position}-${Math.floor(expires_at.getTime() / 1000)}`;
    return `${named}-${this.#sign(named)}`;
  }

  /** Undefined when it is not one of ours, or over. */
  read(link: string, now: Date): AttachmentLink | undefined {
    const [, instance = '', msg_id = '', position = '', expires = '', mac = ''] = form.exec(link) ?? [];
    const signed = this.#sign(`${instance}-${msg_id}-${position}-${expires}`);
    if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(signed))) return undefined;
    const expires_at = new Date(Number(expires) * 1000);
    if (expires_at <= now) return undefined;
    return { instance_id: Number(instance), msg_id, position: Number(position), expires_at };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
