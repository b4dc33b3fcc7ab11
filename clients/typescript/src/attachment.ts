import type { AttachmentInput } from './operations.ts';

export interface AttachmentOptions {
  filename: string;
  /** MIME type; guessed from the name when left out. */
  type?: string;
  /** Shows it in the message: `logo` for `<img src="cid:logo">`. */
  content_id?: string;
}

const types: Record<string, string> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** What `attachments` of a send takes, from bytes or from a `Blob` such as a `File` of a form. */
export async function attachment(
  content: Uint8Array | Blob,
  { filename, type, content_id }: AttachmentOptions,
): Promise<AttachmentInput> {
  const own = content instanceof Blob ? content.type : '';
  const ending = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
  return {
    filename,
    type: type ?? (own || (types[ending] ?? 'application/octet-stream')),
    content: encodeBase64(bytes),
    ...(content_id === undefined ? {} : { content_id }),
  };
}

function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x80_00)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}
