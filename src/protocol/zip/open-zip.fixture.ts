import { buffer } from 'node:stream/consumers';
import { fromBuffer, type ZipFile as OpenedZip } from 'yauzl';

/** Every file of an archive as text, as another program reads it. */
export async function openZip(archive: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<OpenedZip>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const found = new Map<string, string>();
  const finished = new Promise<void>((resolve, reject) => void zip.on('end', resolve).on('error', reject));
  zip.on('entry', (entry) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) throw error;
      void buffer(stream).then((content) => {
        found.set(entry.fileName, content.toString());
        zip.readEntry();
      });
    });
  });
  zip.readEntry();
  await finished;
  return found;
}
