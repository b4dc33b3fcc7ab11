import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { attachment, type AttachmentOptions } from './attachment.ts';
import type { AttachmentInput } from './operations.ts';

/** A file of the disk for `attachments` of a send; with a `content_id` it is shown in the message. */
export async function attachFile(
  file: string,
  options: Partial<AttachmentOptions> = {},
): Promise<AttachmentInput> {
  return await attachment(await readFile(file), { filename: path.basename(file), ...options });
}
