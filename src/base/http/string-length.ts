import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

/**
 * `minLength` and `maxLength`, in characters as JSON Schema has them, but counted only where it matters: a character has
 * one or two units, which most texts are told by. Counting the content of a mail was a thirtieth of taking it in.
 */
export const stringLengths: CodeKeywordDefinition[] = [
  keywordFor('minLength', isShorter, 'fewer'),
  keywordFor('maxLength', isLonger, 'more'),
];

function isShorter(text: string, limit: number): boolean {
  return text.length < 2 * limit && charactersIn(text) < limit;
}

function isLonger(text: string, limit: number): boolean {
  return text.length > limit && charactersIn(text) > limit;
}

function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

function keywordFor(
  keyword: string,
  isBroken: (text: string, limit: number) => boolean,
  than: string,
): CodeKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    error: {
      message: `must NOT have ${than} characters than allowed`,
      params: ({ schemaCode }): Code => _`{limit: ${schemaCode}}`,
    },
    code(cxt: KeywordCxt) {
      cxt.fail(_`${cxt.gen.scopeValue('func', { ref: isBroken })}(${cxt.data}, ${cxt.schemaCode})`);
    },
  };
}
