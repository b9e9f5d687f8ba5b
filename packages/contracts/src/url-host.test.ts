import { connectedHost, MAX_HOST_CHARACTERS, parseUrl, toHost } from './url-host.js';

it.each([
  ['acme.com', 'acme.com'],
  ['Acme.COM.', 'acme.com'],
  ['acme.com..', 'acme.com'],
  ['acme。com', 'acme.com'],
  ['ac\u00adme.com', 'acme.com'],
  ['ac\u200bme.com', 'acme.com'],
  ['acm\ufeffe.com', 'acme.com'],
  ['acme.ⓒom', 'acme.com'],
  ['ａｃｍｅ．ｃｏｍ', 'acme.com'],
  ['%61cme.com', 'acme.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['[0:0::1]', '[::1]'],
  ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ['_dmarc.acme.com', '_dmarc.acme.com'],
])('%j names the host %j', (text, host) => {
  expect(toHost(text)).toBe(host);
});

it.each([
  '',
  '.',
  'a b',
  'acme.com/x',
  'ann@acme.com',
  'acme.com:80',
  'a..b',
  '*.acme.com',
  'acme.com,x',
  '::1',
  'a\tb.c',
])('%j is not a host', (text) => {
  expect(toHost(text)).toBeUndefined();
});

it('reads a URL as the parser does, and skips hosts so long that parsing is slow', () => {
  const [longest, longer] = [0, 1].map((more) => 'é'.repeat(MAX_HOST_CHARACTERS - 5 + more));
  expect(parseUrl(`https://${longest}.com/${longer}?${longer}`)?.pathname).toHaveLength(1 + 6 * longer!.length);
  for (const start of ['https://', 'https:', 'https:\\\\\\', '//', ' h\nttps:/', '/\t/']) {
    expect(parseUrl(`${start}${longer}é.com/`, 'https://base.example')).toBeUndefined();
  }
  for (const path of [`/${longer}`, `a/${longer}`]) expect(parseUrl(path, 'https://base.example')).toBeDefined();
  expect(parseUrl('https://')).toBeUndefined();
  expect(parseUrl('/a', 'https://acme.com')?.href).toBe('https://acme.com/a');
});

it('reads letters such as é in repeated calls', () => {
  let refused = 0;
  for (let calls = 0; calls < 100_000; calls++) refused += parseUrl('https://é.example/') ? 0 : 1;
  expect(refused).toBe(0);
});

it('connects to a host without the dots at its end', () => {
  expect(connectedHost(new URL('https://Acme.com../'))).toBe('acme.com');
});
