import type { CustomFetch } from 'openid-client';

/** Documents and key sets of providers are a few kilobytes. */
const max_bytes = 256 * 1024;

/** Reads the whole answer within a bound. The time limit and the ban of redirects come with the request. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > max_bytes)
      throw new Error(`the answer of ${new URL(url).host} is larger than ${max_bytes} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
};
