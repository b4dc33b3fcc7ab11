import { hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { blockBytes, isZero, paddingOf, parseTarHeader, type TarMember } from '../../../protocol/tar/tar.ts';
import { checksumsName } from './manifest.ts';

export interface Member {
  name: string;
  content: Buffer;
  /** Position in the file after it. */
  end: number;
}

/** PostgreSQL has no larger rows, and a part has at least one. */
const maxContentBytes = 2 ** 30;

const cutOff = 'The backup is incomplete: the file ends too early.';
const altered = 'The backup is damaged: its contents differ from its checksums.';

/**
 * The members of an archive in their order. Throws at the first that cannot be right, and at the end unless the checksums
 * are those of all members: only who reads to the end knows that all of it is as it was written.
 */
export async function* readArchive(file: string): AsyncGenerator<Member> {
  const handle = await open(file, 'r');
  try {
    const sums: string[] = [];
    for (let at = 0; ;) {
      const member = await readMember(handle, at, sums.length === 0);
      if (member.name === checksumsName) {
        if (member.content.toString() !== sums.join('')) throw new Error(altered);
        return await requireEnd(handle, member.end);
      }
      sums.push(`${hash('sha256', member.content)}  ${member.name}\n`);
      yield member;
      at = member.end;
    }
  } finally {
    await handle.close();
  }
}

async function readMember(handle: FileHandle, at: number, is_first: boolean): Promise<Member> {
  const header = await readBytes(handle, at, blockBytes);
  const { name, size } = parseHeader(header, is_first);
  const filled = await readBytes(handle, at + blockBytes, size + paddingOf(size));
  // It has no meaning, but no byte may differ from what was written.
  if (!isZero(filled.subarray(size))) throw new Error(altered);
  return { name, content: filled.subarray(0, size), end: at + blockBytes + filled.length };
}

function parseHeader(header: Buffer, is_first: boolean): TarMember {
  const damaged = is_first ? 'This is not a backup of Chasqui.' : altered;
  let member: TarMember | undefined;
  try {
    member = parseTarHeader(header);
  } catch (error) {
    throw new Error(damaged, { cause: error });
  }
  if (member === undefined) throw new Error(is_first ? damaged : cutOff);
  if (member.size > maxContentBytes) throw new Error(damaged);
  return member;
}

/** Nothing that no checksum covers may follow. */
async function requireEnd(handle: FileHandle, at: number): Promise<void> {
  const end = await readBytes(handle, at, 2 * blockBytes);
  const { size } = await handle.stat();
  if (!isZero(end) || size !== at + end.length) throw new Error(altered);
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  // Not more than there is: a damaged size must not make us allocate a gigabyte.
  const { size } = await handle.stat();
  if (position + length > size) throw new Error(cutOff);
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new Error(cutOff);
    done += bytesRead;
  }
  return bytes;
}
