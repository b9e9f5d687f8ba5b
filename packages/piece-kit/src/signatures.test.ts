import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { claimsOf, isSignedByKey, isStandardWebhook } from './signatures.js';

const NOW = Date.UTC(2026, 0, 1);

describe('a signature by a private key', () => {
  const ed = generateKeyPairSync('ed25519');
  const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const content = ['1767225600', Buffer.from([0xff, 0x00])];
  const signed = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  const discord = {
    algorithm: 'ed25519' as const,
    publicKey: ed.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    ...{ content, signature: sign(null, signed, ed.privateKey).toString('hex'), encoding: 'hex' as const },
  };
  const sendgrid = {
    algorithm: 'ecdsa-sha256' as const,
    publicKey: ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    ...{ content, signature: sign('sha256', signed, ec.privateKey).toString('base64'), encoding: 'base64' as const },
  };

  it.each([
    ['Ed25519', discord],
    ['ECDSA', sendgrid],
  ])('of %s is accepted, also with a PEM key', (name, given) => {
    const key = name === 'ECDSA' ? ec.publicKey : ed.publicKey;
    expect(isSignedByKey(given)).toBe(true);
    expect(isSignedByKey({ ...given, publicKey: key.export({ format: 'pem', type: 'spki' }) as string })).toBe(true);
  });

  it.each([
    ['Ed25519', discord],
    ['ECDSA', sendgrid],
  ])('of %s is refused for anything else', (_, given) => {
    expect(isSignedByKey({ ...given, content: ['1767225601', content[1]!] })).toBe(false);
    for (const signature of [undefined, '', 'zz', given.signature.slice(4)])
      expect(isSignedByKey({ ...given, signature })).toBe(false);
    const { signature } = given;
    const spelled = [
      `${signature}zz`,
      `${signature}=`,
      ` ${signature}`,
      signature.toUpperCase(),
      signature.slice(0, -1),
    ];
    for (const other of spelled) expect(isSignedByKey({ ...given, signature: other })).toBe(false);
    for (const publicKey of ['', 'zz', '-----BEGIN PUBLIC KEY-----', '00'.repeat(32)])
      expect(isSignedByKey({ ...given, publicKey })).toBe(false);
  });
});

describe('a JSON Web Token', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (
    claims: object,
    { header = { alg: 'HS256', typ: 'JWT' } as object, secret = 's', hash = 'sha256' } = {},
  ) => {
    const content = `${part(header)}.${part(claims)}`;
    return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
  };
  const proof = { secret: 's', now: NOW };
  const at = NOW / 1_000;

  it('has its claims if it is signed and valid', () => {
    expect(claimsOf(token({ sub: 'x', exp: at + 60, nbf: at }), proof)).toEqual({ sub: 'x', exp: at + 60, nbf: at });
    expect(claimsOf(token({ exp: at - 60 }), proof)).toBeDefined();
    expect(claimsOf(token({ nbf: at + 60 }), proof)).toBeDefined();
  });

  it.each<[string, string | undefined]>([
    ['absent', undefined],
    ['empty', ''],
    ['of another secret', token({}, { secret: 'other' })],
    ['over', token({ exp: at - 61 })],
    ['not yet valid', token({ nbf: at + 61 })],
    ['unsigned', `${part({ alg: 'none' })}.${part({})}.`],
    ['of another algorithm', token({}, { header: { alg: 'HS512' }, hash: 'sha512' })],
    ['not of three parts', `${token({})}.x`],
    ['followed by other characters', `${token({})}!`],
    ['padded', `${token({})}=`],
    ['followed by more than the limit', `${token({})}${'='.repeat(20_000)}`],
    ['with an expiry that is not a number', token({ exp: String(at + 60) })],
    ['with a start that is not a number', token({ nbf: null })],
    ['with a critical extension', token({}, { header: { alg: 'HS256', crit: ['b64'], b64: false } })],
    ['signed as of no algorithm', token({}, { header: { alg: 'none' } })],
    ['not JSON', 'a.b.c'],
    ['a list', token([])],
    ['too long', token({ x: 'x'.repeat(20_000) })],
  ])('is refused if it is %s', (_, given) => {
    expect(claimsOf(given, proof)).toBeUndefined();
  });

  it('is refused without a secret', () => {
    expect(claimsOf(token({}, { secret: '' }), { ...proof, secret: '' })).toBeUndefined();
  });
});

describe('Standard Webhooks', () => {
  const key = Buffer.from('a key of some bytes');
  const secret = `whsec_${key.toString('base64')}`;
  const body = Buffer.from('{"a":1}');
  const request = (changes: Record<string, string> = {}, id = 'msg_1', time = String(NOW / 1_000)) => {
    const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    return { method: 'POST', url: 'https://x.example', headers: { ...headers, ...changes }, body };
  };

  it('accept a signed and recent request, with one of several signatures', () => {
    expect(isStandardWebhook(request(), { secret, now: NOW })).toBe(true);
    const several = `v1,AAAA v1a,BBBB ${request().headers['webhook-signature']}`;
    expect(isStandardWebhook(request({ 'webhook-signature': several }), { secret, now: NOW })).toBe(true);
  });

  it('refuse another id, an old request and other signatures', () => {
    expect(isStandardWebhook(request({ 'webhook-id': 'msg_2' }), { secret, now: NOW })).toBe(false);
    expect(isStandardWebhook(request(), { secret, now: NOW + 301_000 })).toBe(false);
    const valid = request().headers['webhook-signature'];
    expect(isStandardWebhook(request({}, ''), { secret, now: NOW })).toBe(false);
    for (const signature of [
      '',
      'v1,',
      'v2,AAAA',
      valid.replace('v1', 'v2'),
      valid.slice(3),
      valid.replace('v1,', 'v1,v1,'),
    ])
      expect(isStandardWebhook(request({ 'webhook-signature': signature }), { secret, now: NOW })).toBe(false);
    expect(isStandardWebhook(request(), { secret: 'whsec_', now: NOW })).toBe(false);
  });
});
