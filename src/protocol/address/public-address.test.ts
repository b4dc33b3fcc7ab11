import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1', '::ffff:8.8.8.8']) {
  test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
}

const inside = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  'private networks': [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ],
  'link-local and metadata': ['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254'],
  'shared, reserved and test nets': [
    '100.64.0.1',
    '0.0.0.0',
    '::',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  multicast: ['224.0.0.1', 'ff02::1'],
  'behind translation': ['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
  'deprecated and unassigned IPv6': ['fec0::1', '::127.0.0.1', '4000::1'],
  'no addresses': ['', 'localhost', '127.1.evil', 'fe80::1%eth0'],
};
for (const [what, addresses] of Object.entries(inside)) {
  test(`${what} are not public`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}
