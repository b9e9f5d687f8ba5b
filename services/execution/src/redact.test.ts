import { type Credential } from '@drawbridge/piece-kit';
import { cut, hideSensitive, redactor, secretsOf } from './redact.js';

const SECRET = 'p@ss/wörd+1234567!';

describe('the redactor', () => {
  const redact = redactor([SECRET]);

  it.each([
    ['as it is', SECRET],
    ['inside a text', `token=${SECRET};`],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['URL-encoded in lower case', encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
    ['URL-encoded to the last mark', encodeURIComponent(SECRET).replaceAll('!', '%21')],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 after one byte', Buffer.from(`:${SECRET}`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`u:${SECRET}`).toString('base64')],
    ['in base64url between others', Buffer.from(`user:${SECRET}:more`).toString('base64url')],
  ])('hides the secret %s, in values and in keys', (_form, text) => {
    const seen = JSON.stringify(redact({ a: [text], [text]: 1 }));
    expect(seen).toContain('[redacted]');
    expect(seen).not.toContain(SECRET);
    expect(seen).not.toContain(text);
  });

  it('hides a secret that comes back as a number', () => {
    expect(redactor(['12345678'])({ id: 12345678, other: 5 })).toEqual({ id: '[redacted]', other: 5 });
  });

  it('leaves everything else as it is', () => {
    const value = { a: 1, b: [null, true, 'x'], c: { d: '' } };
    expect(redact(value)).toEqual(value);
    expect(redactor([''])('text')).toBe('text');
  });
});

describe('the run log', () => {
  it('hides what stands under telling keys and in secret properties', () => {
    const input = { headers: { Authorization: 'Bearer x', accept: '*' }, mine: 's', list: [{ apiKey: 1 }], text: 't' };
    expect(hideSensitive(input, new Set(['mine']))).toEqual({
      headers: { Authorization: '[redacted]', accept: '*' },
      mine: '[redacted]',
      list: [{ apiKey: '[redacted]' }],
      text: 't',
    });
  });

  it('keeps the beginning of what is longer than 16 kB, as JSON', () => {
    const kept = JSON.parse(cut(JSON.stringify({ text: 'x'.repeat(50_000) })));
    expect(kept.truncated).toBe(true);
    expect(kept.preview).toHaveLength(16_000);
  });
});

describe('the secrets of a credential', () => {
  it.each([
    [undefined, []],
    [{ type: 'SECRET_TEXT', secretText: 's' } as const, ['s']],
    [{ type: 'BASIC_AUTH', username: 'u', password: 'p' } as const, ['p']],
    [{ type: 'CUSTOM_AUTH', props: { a: ['b'], c: 1, d: null } } as const, ['b']],
    [
      { type: 'OAUTH2', accessToken: 'a', tokenType: 'Bearer', data: { id_token: 'i', site: 's' } } as const,
      ['a', 'i'],
    ],
  ])('of %j are %j', (credential, secrets) => {
    expect(secretsOf(credential as Credential | undefined)).toEqual(secrets);
  });
});
