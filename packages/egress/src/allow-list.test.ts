import { readAllowList } from './allow-list.js';

const at = (address: string, port = 80, name = address) => ({ name, address, port });

describe('EGRESS_ALLOW', () => {
  it.each([
    ['10.0.0.0/8', at('10.1.2.3', 9000)],
    ['10.0.0.0/8', at('10.1.2.3', 80, 'db.internal')],
    ['fd00::/8', at('fd12::1')],
    ['127.0.0.1', at('127.0.0.1', 4010)],
    ['::1', at('::1', 4010)],
    ['[::1]', at('::1', 4010)],
    ['127.0.0.1:4010', at('127.0.0.1', 4010)],
    ['[::1]:4010', at('::1', 4010)],
    [' Wiki.Internal. ', at('10.0.0.9', 443, 'wiki.internal')],
    ['wiki.internal:8443', at('fd00::9', 8443, 'wiki.internal')],
    ['localhost', at('127.0.0.1', 1, 'localhost')],
  ])('%s opens %j', (entry, destination) => {
    expect(readAllowList(['192.0.2.1', entry])(destination)).toBe(true);
  });

  it.each([
    ['10.0.0.0/8', at('11.0.0.1')],
    ['10.0.0.0/8', at('::ffff:10.0.0.1')],
    ['0.0.0.0/0', at('::1')],
    ['::/0', at('127.0.0.1')],
    ['127.0.0.1', at('127.0.0.2')],
    ['127.0.0.1:4010', at('127.0.0.1', 4011)],
    ['[::1]:4010', at('::1', 4011)],
    ['wiki.internal', at('10.0.0.9', 443, 'a.wiki.internal')],
    ['wiki.internal', at('10.0.0.9', 443, 'wiki.internal.evil.example')],
    ['wiki.internal:8443', at('10.0.0.9', 443, 'wiki.internal')],
    ['10.0.0.0/8', at('not-an-address')],
  ])('%s does not open %j', (entry, destination) => {
    expect(readAllowList([entry])(destination)).toBe(false);
  });

  it.each([
    '',
    '*',
    '*.internal',
    '10.0.0.0/33',
    '10.1/8',
    'a/b',
    '127.1',
    '2130706433',
    'http://wiki.internal',
    'a b',
    'a:b',
    '[::1',
    '10.0.0.0/8:80',
  ])('refuses the entry %j by name', (entry) =>
    expect(() => readAllowList(['10.0.0.0/8', entry])).toThrow(`EGRESS_ALLOW: "${entry}"`),
  );
});
