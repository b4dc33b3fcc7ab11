import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

export interface ReportOptions {
  org_name?: string;
  report_id?: string;
  domain?: string;
  /** Seconds since 1970. */
  begin?: number;
  records?: string;
}

export function record(
  ip: string,
  count: number,
  more: Partial<Record<'disposition' | 'dkim' | 'spf' | 'from', string>> = {},
): string {
  const { disposition = 'none', dkim = 'pass', spf = 'pass', from = 'shop.example.com' } = more;
  return `<record>
  <row><source_ip>${ip}</source_ip><count>${count}</count>
    <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated>
  </row>
  <identifiers><header_from>${from}</header_from></identifiers>
  <auth_results>
    <dkim><domain>shop.example.com</domain><selector>s1</selector><result>${dkim}</result></dkim>
    <spf><domain>shop.example.com</domain><result>${spf}</result></spf>
  </auth_results>
</record>`;
}

/** As Google writes them. */
export function aggregateXml(options: ReportOptions = {}): string {
  const { begin = 1_783_987_200, domain = 'shop.example.com' } = options;
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>${options.org_name ?? 'google.com'}</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>${options.report_id ?? '1234567890123456789'}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct></policy_published>
  ${options.records ?? `${record('192.0.2.25', 40)}${record('203.0.113.9', 2, { dkim: 'fail', spf: 'fail', disposition: 'quarantine' })}`}
</feedback>`;
}

/** A mail whose whole body is the report, as Google sends it. */
export function reportMail(packed: Buffer, type = 'application/zip'): Buffer {
  const lines = packed.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return Buffer.from(
    `From: noreply-dmarc-support@google.com\r\nTo: dmarc@chasqui.test\r\nSubject: Report domain: shop.example.com\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; name="google.com!shop.example.com!1!2.zip"\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`,
  );
}

export const gzipped = (text: string): Buffer => gzipSync(text);

/** A zip file of these entries; what an entry claims to hold can be a lie. */
export function zipped(entries: Record<string, string | Buffer>, claimed?: number): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const data = deflateRawSync(content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(claimed ?? Buffer.byteLength(content), 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), shared, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
