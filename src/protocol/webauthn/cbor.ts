export type CborValue = number | string | boolean | null | Buffer | CborValue[] | Map<CborValue, CborValue>;

/** CTAP2 allows four levels (CTAP 2.1 §8); some attestations have more. */
const maxDepth = 8;

class Malformed extends Error {}

/** The first item of RFC 8949 in the bytes, and where it ends; undefined for anything that authenticators do not write. */
export function decodeCbor(bytes: Buffer): { value: CborValue; end: number } | undefined {
  let at = 0;

  function take(count: number): Buffer {
    // Lengths are compared with what there is, so that none of them makes us reserve memory.
    if (count > bytes.length - at) throw new Malformed();
    at += count;
    return bytes.subarray(at - count, at);
  }

  function argument(info: number): number {
    if (info < 24) return info;
    if (info > 26) throw new Malformed();
    return take(2 ** (info - 24)).readUIntBE(0, 2 ** (info - 24));
  }

  function item(depth: number): CborValue {
    if (depth > maxDepth) throw new Malformed();
    const [head = 0] = take(1);
    const info = head & 31;
    switch (head >> 5) {
      case 0:
        return argument(info);
      case 1:
        return -1 - argument(info);
      case 2:
        return take(argument(info));
      case 3:
        return take(argument(info)).toString('utf8');
      case 4: {
        const items: CborValue[] = [];
        for (let left = argument(info); left > 0; left -= 1) items.push(item(depth + 1));
        return items;
      }
      case 5: {
        const map = new Map<CborValue, CborValue>();
        for (let left = argument(info); left > 0; left -= 1) map.set(item(depth + 1), item(depth + 1));
        return map;
      }
      case 7:
        if (info >= 20 && info <= 22) return info === 22 ? null : info === 21;
    }
    throw new Malformed();
  }

  try {
    const value = item(1);
    return { value, end: at };
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
