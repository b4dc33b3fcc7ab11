import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitColumns, type ColumnSize } from '../../panel/src/parts/fit-columns.ts';

/** As the list of mails has them. */
const columns: ColumnSize[] = [
  { header: 'Recipient' },
  { header: 'Status', min: 8 },
  { header: 'Subject', min: 14, grow: 3, rank: 1 },
  { header: 'Category', min: 9, grow: 1, rank: 3 },
  { header: 'Sender', min: 14, grow: 2, rank: 4 },
  { header: 'Opens', min: 5, rank: 3 },
  { header: 'Received', min: 10, rank: 1 },
];
const headersAt = (room: number): string[] =>
  fitColumns(columns, room).shown.map(({ column }) => column.header);

test('columns leave by rank, the last of a rank first, and those without one never', () => {
  assert.deepEqual(headersAt(90).length, 7);
  assert.deepEqual(headersAt(70), ['Recipient', 'Status', 'Subject', 'Category', 'Opens', 'Received']);
  assert.deepEqual(headersAt(57), ['Recipient', 'Status', 'Subject', 'Category', 'Received']);
  assert.deepEqual(headersAt(37), ['Recipient', 'Status', 'Subject']);
  assert.deepEqual(headersAt(22), ['Recipient', 'Status']);
  assert.deepEqual(headersAt(10), ['Recipient', 'Status']);
});

test('no column is narrower than its header and a usual value, at any width', () => {
  for (let room = 22; room < 120; room += 0.5) {
    const { shown, left_out } = fitColumns(columns, room);
    for (const { column, width } of shown) {
      assert.ok(width >= (column.min ?? 14), `${column.header} is ${width} at ${room}`);
      assert.ok(width > column.header.length * 0.42 + 1.5, `${column.header} is ${width} at ${room}`);
    }
    const sum = shown.reduce((total, { width }) => total + width, 0);
    assert.ok(Math.abs(sum - room) < 0.01, `${sum} at ${room}`);
    assert.equal(shown.length + left_out.length, columns.length);
  }
});

test('columns that were left out keep their order, and a long header of a tenant is bounded', () => {
  const [first, last] = [fitColumns(columns, 22).left_out[0], fitColumns(columns, 22).left_out.at(-1)];
  assert.deepEqual([first?.header, last?.header], ['Subject', 'Received']);
  const { shown } = fitColumns([{ header: 'x'.repeat(255), min: 5, rank: 1 }, { header: 'a' }], 40);
  assert.equal(shown.length, 2);
});

test('a list that has not been measured shows all of its columns', () => {
  assert.equal(fitColumns(columns, 0).shown.length, 7);
});

test('the name of a row is shortened on a phone, and no state is cut', () => {
  const fitted = fitColumns([{ header: 'To' }, { header: 'State', min: 8 }], 19.6);
  assert.deepEqual(
    fitted.shown.map(({ width }) => Math.round(width * 10) / 10),
    [11.6, 8],
  );
});

const widthsOf = (room: number, content: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    fitColumns(columns, room, ({ header }) => content[header]).shown.map(({ column, width }) => [
      column.header,
      Math.round(width * 100) / 100,
    ]),
  );

test('columns are as wide as their values where the list has the room, and the rest is shared', () => {
  const content = {
    Recipient: 21,
    Status: 7,
    Subject: 18,
    Category: 6,
    Sender: 15,
    Opens: 4.5,
    Received: 10.5,
  };
  const widths = widthsOf(90, content);
  for (const [header, width] of Object.entries(content)) assert.ok((widths[header] ?? 0) >= width, header);
  assert.equal(widths['Status'], 7, 'a short value needs no more than it is long');
  const sum = Object.values(widths).reduce((total, width) => total + width, 0);
  assert.ok(Math.abs(sum - 90) < 0.05, `${sum}`);
});

test('where room is short, times are whole first, and no column has more than it needs while another is cut', () => {
  const content = {
    Recipient: 30,
    Status: 7,
    Subject: 15,
    Category: 6,
    Opens: 4.5,
    Received: 13,
    Sender: 40,
  };
  const widths = widthsOf(62, content);
  assert.deepEqual([widths['Received'], widths['Subject'], widths['Category']], [13, 15, 6]);
  assert.ok((widths['Recipient'] ?? 0) < 30);
});

test('one long value does not push columns out of the list', () => {
  assert.deepEqual(Object.keys(widthsOf(70, { Subject: 400 })), headersAt(70));
});

test('the name of a row has room for what stands below it, however short it is', () => {
  const list = [
    { header: 'Event', min: 9 },
    { header: 'Recipient', min: 12, rank: 1 },
    { header: 'State', min: 7 },
  ];
  const { shown, left_out } = fitColumns(list, 22, ({ header }) => (header === 'Recipient' ? 20 : 4));
  assert.deepEqual(left_out, [list[1]]);
  assert.ok((shown[0]?.width ?? 0) >= 9, `${shown[0]?.width}`);
});
