// RFC 2045 §5.1 tokens, in the lengths of RFC 6838 §4.2.
const mediaType = /^[\w!#$%&'*+.^`{|}~-]{1,127}\/[\w!#$%&'*+.^`{|}~-]{1,127}$/;

/** Whether a text has the form `type/subtype`, without parameters. */
export function isMediaType(text: string): boolean {
  return mediaType.test(text);
}
