import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsRecordsFor } from './dns-records.ts';

test('the records to publish are those of the contract, with full host names', () => {
  const records = dnsRecordsFor({
    domain: 'news.example.com',
    ownership_token: 'tok3n',
    platform_domain: 'chasqui.test',
  });
  assert.deepEqual(records, {
    ownership_cname: {
      type: 'CNAME',
      host: 'tok3n.news.example.com',
      value: 'verify.chasqui.test',
      priority: null,
    },
    mx: { type: 'MX', host: 'news.example.com', value: 'mx.chasqui.test', priority: 10 },
    spf: {
      type: 'TXT',
      host: 'news.example.com',
      value: 'v=spf1 include:spf.chasqui.test ~all',
      priority: null,
    },
    dkim: [
      {
        type: 'CNAME',
        host: 's1._domainkey.news.example.com',
        value: 's1.tok3n.dkim.chasqui.test',
        priority: null,
      },
      {
        type: 'CNAME',
        host: 's2._domainkey.news.example.com',
        value: 's2.tok3n.dkim.chasqui.test',
        priority: null,
      },
    ],
    dmarc: {
      type: 'TXT',
      host: '_dmarc.news.example.com',
      value: 'v=DMARC1; p=none; rua=mailto:dmarc@chasqui.test',
      priority: null,
    },
  });
});
