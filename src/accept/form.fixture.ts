import type { ApiResponse } from '../../test/support/api.ts';
import type { Account, Body } from './account.fixture.ts';

export interface Part {
  disposition: string;
  headers?: string[];
  content: string | Buffer;
}

export const boundary = '----x0123456789';
export const formType = `multipart/form-data; boundary=${boundary}`;

export const text = (name: string, content: string): Part => ({
  disposition: `form-data; name="${name}"`,
  content,
});

/** `filename` is the parameter as a client would write it. */
export const file = (
  filename: string,
  content: string | Buffer,
  headers = ['Content-Type: image/png'],
): Part => ({ disposition: `form-data; name="attachments"; ${filename}`, headers, content });

/** The bytes of a form, as curl would send them. */
export function whole(parts: Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ disposition, headers = [], content }) => [
      Buffer.from([`--${boundary}`, `Content-Disposition: ${disposition}`, ...headers, '', ''].join('\r\n')),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** A valid mail as the text parts of a form. */
export function fieldsOf(account: Account, changes: Body = {}): Part[] {
  return Object.entries(account.mail(changes))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => text(name, typeof value === 'string' ? value : JSON.stringify(value)));
}

export async function postForm(
  { service, headers: identity }: Account,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { ...identity, 'content-type': formType, ...headers },
    body: new Uint8Array(body),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, json: JSON.parse(answer) };
}
