/** Saves an answer of the service as a file, and says how much of it has come. */
export async function saveResponse(response: Response, onBytes: (bytes: number) => void): Promise<number> {
  const parts: BlobPart[] = [];
  const reader = response.body?.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    parts.push(value);
    bytes += value.byteLength;
    onBytes(bytes);
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  const [, name = 'download'] =
    /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveFile(name, new Blob(parts, { type }));
  return bytes;
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
