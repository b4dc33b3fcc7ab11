import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { aggregateXml, record } from './dmarc-mail.fixture.ts';
import { readAggregate } from './read-aggregate.ts';
import { readXml, type Element } from './read-xml.ts';

test('a report tells who saw what, of which domain, when', async () => {
  assert.deepEqual(await readAggregate(aggregateXml()), {
    org_name: 'google.com',
    report_id: '1234567890123456789',
    begins_at: new Date('2026-07-14T00:00:00Z'),
    ends_at: new Date('2026-07-14T23:59:59Z'),
    domain: 'shop.example.com',
    policy: 'none',
    rows: [
      {
        source_ip: '192.0.2.25',
        count: 40,
        disposition: 'none',
        dkim_aligned: true,
        spf_aligned: true,
        header_from: 'shop.example.com',
      },
      {
        source_ip: '203.0.113.9',
        count: 2,
        disposition: 'quarantine',
        dkim_aligned: false,
        spf_aligned: false,
        header_from: 'shop.example.com',
      },
    ],
  });
});

test('namespaces, prefixes, cases, comments and CDATA change nothing', async () => {
  const plain = await readAggregate(aggregateXml());
  const xml = aggregateXml();
  const prefixed = xml
    .replaceAll(/<(\/?)([a-z])/g, '<$1dm:$2')
    .replace('<dm:feedback>', '<dm:feedback xmlns:dm="urn:ietf:params:xml:ns:dmarc-2.0">');
  assert.deepEqual(await readAggregate(prefixed), plain);
  assert.deepEqual(await readAggregate(xml.replaceAll('>pass<', '> PASS\n<')), plain);
  assert.deepEqual(
    await readAggregate(xml.replace('google.com<', '<![CDATA[google.com]]><!-- < -->< '.slice(0, -2) + '<')),
    plain,
  );
  assert.deepEqual(
    await readAggregate(xml.replaceAll('identifiers', 'identities').replaceAll('<pct>100</pct>', '<pct/>')),
    plain,
  );
  assert.deepEqual(
    await readAggregate(
      xml.replace('1783987200', '1783987200000').replace('1784073599', '2026-07-14T23:59:59Z'),
    ),
    plain,
  );
});

test('members that a vendor left out get defaults, except the domain and the time', async () => {
  const xml = aggregateXml({ records: record('192.0.2.1', 3) });
  const bare = await readAggregate(
    xml
      .replace(/<org_name>.*<\/org_name>/, '')
      .replace(/<report_id>.*<\/report_id>/, '')
      .replace(/<header_from>.*<\/header_from>/, ''),
  );
  assert.deepEqual(
    [bare?.org_name, bare?.report_id, bare?.rows[0]?.header_from],
    ['google.com', 'shop.example.com 2026-07-14T00:00:00.000Z', 'shop.example.com'],
  );
  assert.equal(
    await readAggregate(xml.replace('<domain>shop.example.com</domain><adkim>', '<adkim>')),
    undefined,
  );
  assert.equal(await readAggregate(xml.replace(/<begin>.*<\/begin>/, '')), undefined);
  assert.equal(await readAggregate(xml.replace(/<end>\d+/, '<end>1')), undefined);
  assert.equal(await readAggregate(xml.replaceAll('feedback', 'html')), undefined);
});

test('rows with equal treatment are merged, and empty rows are left out', async () => {
  const rows = async (records: string) =>
    (await readAggregate(aggregateXml({ records })))?.rows.map(
      ({ source_ip, count }) => `${source_ip} ${count}`,
    );
  assert.deepEqual(await rows(record('2001:DB8::1', 3) + record('2001:db8::1', 4)), ['2001:db8::1 7']);
  assert.deepEqual(
    await rows(
      record('nowhere', 3) + record('fe80::1%eth0', 3) + record('192.0.2.1', -1) + record('192.0.2.1', 1.5),
    ),
    [],
  );
  assert.deepEqual(await rows(record('192.0.2.1', 9e15)), ['192.0.2.1 2147483647']);
});

test('entities that are declared, and the declaration itself, are refused', async () => {
  const bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
  assert.equal(await readXml(`${bomb}<feedback>&b;</feedback>`), undefined);
  assert.equal(await readXml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), undefined);
  assert.equal((await readXml(`<a>${'&lt;'.repeat(10_000)}</a>`))?.text.length, 2_500);
  assert.equal((await readXml('<a>&xxe; &lt;&#x41;&#66;&#0;&#xd800;</a>'))?.text, '&xxe; <AB');
});

test('a report that is malformed, too deep or too large is refused', async () => {
  for (const xml of [
    '',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a><b></a></b>',
    '<a',
    '<1/>',
    '<a><!-- </a>',
    '<a><![CDATA[</a>',
  ]) {
    assert.equal(await readXml(xml), undefined, xml);
  }
  assert.equal(await readXml(`${'<a>'.repeat(50)}${'</a>'.repeat(50)}`), undefined);
  for (const unit of ['<a>', '<', '<a ', '<a/>', '<!--', '<![CDATA[', '&', '</a>', '<?', '<a b="']) {
    const start = process.cpuUsage();
    await readXml(`<r>${unit.repeat(10_000_000 / unit.length)}`);
    assert.ok(process.cpuUsage(start).user < 2_000_000, unit);
  }
});

/** An element as the other parser shows it. */
function shown(element: Element): unknown {
  if (element.children.length === 0) return element.text;
  const members: Record<string, unknown> = {};
  for (const child of element.children) {
    const known = members[child.name];
    const value = shown(child);
    if (known === undefined) members[child.name] = value;
    else members[child.name] = Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  }
  return members;
}

test('a parser of others reads the same', async () => {
  const parser = new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    removeNSPrefix: true,
    ignoreDeclaration: true,
  });
  for (const xml of [
    aggregateXml(),
    aggregateXml({ records: record('192.0.2.1', 1) + record('192.0.2.2', 2) + record('192.0.2.3', 3) }),
    '<a:x xmlns:a="urn:x"><a:y z="1">&lt;b&gt; &amp;</a:y><y><![CDATA[<c>]]></y><empty/></a:x>',
  ]) {
    const root = await readXml(xml);
    assert.deepEqual(root && { [root.name]: shown(root) }, parser.parse(xml));
  }
});

/** How often others had their turn while a report was read. */
async function turnsWhile(reading: Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const watch = (): void => {
    turns += 1;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await reading.finally(() => (isDone = true));
  return turns;
}

test('others have their turn while a large report is read, whatever it is made of', async () => {
  const head =
    '<feedback><report_metadata><date_range><begin>1790000000</begin><end>1790000100</end></date_range></report_metadata>' +
    '<policy_published><domain>example.com</domain></policy_published>';
  const small = (index: number): string =>
    `<record><row><source_ip>10.0.${index >> 8}.${index & 255}</source_ip></row></record>`;
  const records = Array.from({ length: 20_000 }, (_, index) => small(index)).join('');
  const read = readAggregate(`${head}${records}</feedback>`);
  assert.ok((await turnsWhile(read)) >= 40);
  assert.equal((await read)?.rows.length, 5_000);
  for (const filler of ['<?a?>', '<!---->', '<![CDATA[]]>'])
    assert.ok((await turnsWhile(readAggregate(`${head}${filler.repeat(100_000)}</feedback>`))) >= 5, filler);
});
