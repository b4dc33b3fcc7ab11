import { _, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv';
import { Type } from 'ajv/dist/compile/util.js';
import { maxViolations } from '../errors/problem.ts';

/**
 * `items`, given up once as many of them are wrong as are ever told: to find all that is wrong with a list of 20,000
 * takes longer than to parse it. The list is refused by then, whatever the rest of it is.
 */
export const list_items: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt: KeywordCxt) {
    const { gen, data, it } = cxt;
    it.items = true;
    const valid = gen.name('valid');
    const failed = gen.let('failed', 0);
    const length = gen.const('length', _`${data}.length`);
    gen.forRange('i', 0, length, (index: Name) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, valid);
      gen.if(_`!${valid}`, () => gen.code(_`if (++${failed} === ${maxViolations}) break;`));
    });
    cxt.ok(_`${failed} === 0`);
  },
};
