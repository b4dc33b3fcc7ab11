import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedCsv, readCsv, type CsvRow } from './read-csv.ts';

/** The rows of a file that arrives in pieces of a size. */
async function rowsOf(file: string | Buffer, pieces = 1_000): Promise<CsvRow[]> {
  const bytes = Buffer.from(file);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.subarray(at, at + pieces);
  }
  const rows: CsvRow[] = [];
  for await (const row of readCsv(chunks())) rows.push(row);
  return rows;
}
const cells = async (file: string | Buffer): Promise<string[][]> =>
  (await rowsOf(file)).map((row) => row.cells);

const files: [string, string | Buffer, string[][]][] = [
  [
    'commas',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'semicolons',
    'a;b\r\nc,x;d',
    [
      ['a', 'b'],
      ['c,x', 'd'],
    ],
  ],
  [
    'tabs',
    'a\tb\rc\td\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['one column', 'a@x.cl\nb@x.cl', [['a@x.cl'], ['b@x.cl']]],
  ['a byte order mark', '\u{feff}a,b', [['a', 'b']]],
  ['blank lines', '\n\n a , b \n   \nc\n\n', [['a', 'b'], ['c']]],
  [
    'quotes',
    '"a ""x"", y",b\n"c\r\nd",""\n',
    [
      ['a "x", y', 'b'],
      ['c\r\nd', ''],
    ],
  ],
  ['quotes within a value', `a"b,c\nd"e\n`, [['a"b', 'c'], ['d"e']]],
  [
    'quotes after what separates cells in other files',
    `a,b\nc,5;" x\nd,e\nf,6;" x\n`,
    [
      ['a', 'b'],
      ['c', '5;" x'],
      ['d', 'e'],
      ['f', '6;" x'],
    ],
  ],
  [
    'an address with quotes',
    `"ana b"@x.cl,y\n"""ana b""@x.cl",y`,
    [
      ['"ana b"@x.cl', 'y'],
      ['"ana b"@x.cl', 'y'],
    ],
  ],
  ['quotes with blanks around them', `"a" , "b" ,c\n`, [['a', 'b', 'c']]],
  [
    'a first row whose cells have other separators in them',
    `"a;b;c;d",e\n1,2`,
    [
      ['a;b;c;d', 'e'],
      ['1', '2'],
    ],
  ],
  ['no UTF-8', Buffer.from('se\xf1al,b', 'latin1'), [['se\u{fffd}al', 'b']]],
  ['nothing', '', []],
  ['empty cells', ',,', [['', '', '']]],
];
for (const [name, file, expected] of files) {
  test(`reads ${name}, in whatever pieces it arrives`, async () => {
    assert.deepEqual(await cells(file), expected);
    for (const pieces of [1, 2, 3, 5]) {
      assert.deepEqual(
        (await rowsOf(file, pieces)).map((row) => row.cells),
        expected,
      );
    }
  });
}

test('rows know their line, also after cells with line breaks', async () => {
  const rows = await rowsOf('a\r\n\r\n"b\nc\r\nd",e\nf');
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 3, 6],
  );
});

test('a quote that is never closed is told with its line, and does not fill the memory', async () => {
  await assert.rejects(rowsOf('a\n"b\nc'), { constructor: MalformedCsv, message: /never closed, at line 2/ });
  await assert.rejects(rowsOf(`a\n"${'b\n'.repeat(100_000)}`), { message: /more than 65536 bytes/ });
});

test('a quote that is closed by one of a row far below has lost its own, in whatever pieces it arrives', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `p${index}@x.cl,y\n`).join('');
  const file = `a,b\nc,"d\n${rows}e,"f"\n`;
  for (const pieces of [1_000, file.length]) {
    await assert.rejects(rowsOf(file, pieces), /has a row of more than 65536 bytes at line 2/);
  }
  await assert.rejects(rowsOf(file.trimEnd(), file.length), MalformedCsv);
});
