import { InputError } from '@drawbridge/piece-kit';
import { readMime } from '../../testing/read-mime.js';
import { allAddresses, parseAddresses } from './addresses.js';
import { toMime, toRaw, type Mail } from './mime.js';

const least = { to: ['ann@acme.example'], subject: 'Hello', text: 'Hi' };
const file = (filename: string, mimeType = 'text/plain') => ({ filename, mimeType, base64: 'aGk=' });

it('writes a plain text as one part', () => {
  expect(toMime(least).split('\r\n')).toEqual([
    'To: ann@acme.example',
    'Subject: Hello',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
    '',
    'SGk=',
    '',
  ]);
  expect(Buffer.from(toRaw(least), 'base64url').toString()).toBe(toMime(least));
});

it('writes the sender, all recipients, both alternatives and files', () => {
  const mail: Mail = {
    ...least,
    ...{
      from: 'me@acme.example',
      fromName: 'Zoë "Q" <x@y.example>',
      cc: ['c@b.example', 'd@b.example'],
      bcc: ['e@b.example'],
    },
    ...{
      subject: 'Grüße 😀 '.repeat(50),
      text: 'ä\nb\r\nc\rd',
      html: '<b>ä</b>',
      inReplyTo: '<2@x>',
      references: ['<1@x>', '<2@x>'],
    },
    attachments: [file('ä "b"; c.txt'), file('a.eml', 'message/rfc822'), { ...file('b.png', 'image/png'), base64: '' }],
  };
  const { headers, type, parts } = readMime(toMime(mail));
  expect(headers).toEqual({
    ...{
      from: 'Zoë "Q" <x@y.example> <me@acme.example>',
      to: 'ann@acme.example',
      cc: 'c@b.example, d@b.example',
      bcc: 'e@b.example',
    },
    ...{ subject: mail.subject, 'in-reply-to': '<2@x>', references: '<1@x> <2@x>', 'mime-version': '1.0' },
    'content-type': 'multipart/mixed; boundary="=_mixed"',
  });
  expect(type).toBe('multipart/mixed');
  const [body, ...files] = parts;
  expect(body).toMatchObject({
    type: 'multipart/alternative',
    parts: [
      { type: 'text/plain', content: 'ä\r\nb\r\nc\r\nd', headers: { 'content-type': 'text/plain; charset=UTF-8' } },
      { type: 'text/html', content: '<b>ä</b>' },
    ],
  });
  expect(files.map(({ type: ofFile, filename, content }) => [ofFile, filename, content])).toEqual([
    ['text/plain', 'ä "b"; c.txt', 'hi'],
    ['application/octet-stream', 'a.eml', 'hi'],
    ['image/png', 'b.png', ''],
  ]);
});

const EVIL = 'x\r\nBcc: eve@evil.example\r\n\r\n<script>\0\u2028';

it('lets no text start a header, a part or a line', () => {
  const mime = toMime({
    ...least,
    ...{ subject: EVIL, from: 'me@acme.example', fromName: EVIL },
    text: '--=_mixed\r\nContent-Type: text/html\r\n\r\nx\r\n--=_mixed--',
    attachments: [file(EVIL), file('a.txt', 'text/html\r\nX-Evil: 1')],
  });
  const { headers, parts } = readMime(mime);
  const names = ['content-type', 'from', 'mime-version', 'subject', 'to'];
  expect(Object.keys(headers).sort()).toEqual(names);
  expect(headers['subject']).toBe('x Bcc: eve@evil.example <script> \u2028');
  expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/plain', 'application/octet-stream']);
  expect(parts[1]?.filename).toBe('x Bcc: eve@evil.example <script> \u2028');
});

it.each([
  'ann',
  'a@b\r\nBcc: c@d',
  'Ann <a@b>',
  'a@b,c@d',
  'a b@c',
  'ä@b',
  '<a@b>',
  'a@',
  `${'a'.repeat(64)}@${'b.'.repeat(100)}c`,
])('refuses the address %j', (address) => {
  for (const key of ['to', 'cc', 'bcc'] as const)
    expect(() => toMime({ ...least, [key]: [address] })).toThrow(InputError);
  expect(() => toMime({ ...least, from: address })).toThrow(InputError);
});

it('refuses the name of a sender without an address', () => {
  expect(() => toMime({ ...least, fromName: 'Me' })).toThrow(new InputError('fromName', 'needs an address in "from"'));
});

it('keeps lines short, whatever the length of the texts', () => {
  const long = 'ü'.repeat(255);
  const mime = toMime({
    ...least,
    to: Array.from({ length: 500 }, (_, index) => `${'a'.repeat(60)}${index}@acme.example`.slice(-70)),
    ...{ from: 'me@acme.example', fromName: 'n'.repeat(200), subject: 's'.repeat(2_000), text: 'x'.repeat(100_000) },
    attachments: [file(long), file('f'.repeat(255))],
  });
  const { headers, parts } = readMime(mime);
  expect(Math.max(...mime.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
  expect(headers['subject']).toBe('s'.repeat(2_000));
  expect(parts.map(({ filename }) => filename)).toEqual([undefined, long, 'f'.repeat(255)]);
});

it.each(['=?UTF-8?B?aGk=?=', ' spaced ', '', 'a'.repeat(60), 'a'.repeat(61), '😀'.repeat(30), 'tab\there'])(
  'keeps the subject %j',
  (subject) => {
    expect(readMime(toMime({ ...least, subject })).headers['subject']).toBe(subject.replace('\t', ' '));
  },
);

it.each([
  ['ann@acme.example', [['', 'ann@acme.example']]],
  ['Ann <ann@acme.example>', [['Ann', 'ann@acme.example']]],
  [
    '"Doe, \\"A\\" <x@y>" <ann@acme.example>, bo@b.example',
    [
      ['Doe, "A" <x@y>', 'ann@acme.example'],
      ['', 'bo@b.example'],
    ],
  ],
  [
    'Team: a@b.example; c@d.example',
    [
      ['', 'a@b.example'],
      ['', 'c@d.example'],
    ],
  ],
  ['undisclosed-recipients:;', []],
  ['', []],
])('reads the addresses of %j', (header, expected) => {
  expect(parseAddresses(header).map(({ name, address }) => [name, address])).toEqual(expected);
});

it.each<[string[], string[] | undefined]>([
  [
    ['Ann <Ann@Acme.example>', 'bo@b.example,c@d.example'],
    ['ann@acme.example', 'bo@b.example', 'c@d.example'],
  ],
  [['"a@evil.example" <ann@acme.example>'], ['a@evil.example', 'ann@acme.example']],
  [['"a b"@evil.example'], undefined],
  [['a@b.example <@c>'], undefined],
  [[], []],
])('finds every address in %j', (headers, expected) => {
  expect(allAddresses(headers)).toEqual(expected);
});

it('reads a hostile header in linear time', () => {
  const started = performance.now();
  for (const text of ['"\\', '<', '",', '@', 'a@', '"a" <']) {
    parseAddresses(text.repeat(200_000));
    allAddresses([text.repeat(200_000)]);
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});
