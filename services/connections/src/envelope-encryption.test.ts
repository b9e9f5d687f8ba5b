import { type CredentialOwner, envelope, type SealedCredential } from './envelope-encryption.js';
import { plainKeys } from './testing/keep-credentials.js';

const entry = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const masters = (...entries: string[]) => envelope(plainKeys(entries.join(',')));

const OWNER: CredentialOwner = { orgId: 'o1', kind: 'connection', id: 'c1' };
const SECRET = '{"secretText":"geheim ✓"}';
const SEALED_BEFORE = 'AXdCLkxDXGiOaQ9YboQTx8RZaXSCnUDoYubwqanYnNgcul1PJvFQ8RanLX6ZVWJwBDAqnj+IgPQ=';
const WRAPPED_BEFORE = 'AdVciULf6oHli0tGxG1iUEOYwVgUBn0EWRLlkdy7nivPstC5M1TQKLBIKnRJrESXX3i0wL3uxzlDU2HQ5Q==';

describe('the envelope', () => {
  const { seal, open } = masters(entry('k1', 1));

  it.each(['', 'x', SECRET, 'x'.repeat(1024 * 1024)])('decrypts to the plaintext', (plaintext) => {
    expect(open(seal(plaintext, OWNER), OWNER)).toBe(plaintext);
  });

  it('contains no part of the plaintext and is different each time', () => {
    const [first, second] = [seal(SECRET, OWNER), seal(SECRET, OWNER)];
    for (const { sealed, wrappedKey } of [first, second]) {
      expect(Buffer.concat([sealed, wrappedKey]).includes('geheim')).toBe(false);
    }
    expect(first.sealed.equals(second.sealed)).toBe(false);
    expect(first.wrappedKey.equals(second.wrappedKey)).toBe(false);
  });

  it.each(['sealed', 'wrappedKey'] as const)('does not open when any byte of %s is changed', (field) => {
    const good = seal('x', OWNER);
    for (let at = 0; at < good[field].length; at += 1) {
      const bytes = Buffer.from(good[field]);
      bytes[at]! ^= 1;
      expect(() => open({ ...good, [field]: bytes }, OWNER)).toThrow();
    }
  });

  it.each(['sealed', 'wrappedKey'] as const)('does not open when %s is cut short or lengthened', (field) => {
    const good = seal(SECRET, OWNER);
    for (let length = 0; length < good[field].length; length += 1) {
      expect(() => open({ ...good, [field]: good[field].subarray(0, length) }, OWNER)).toThrow();
    }
    expect(() => open({ ...good, [field]: Buffer.concat([good[field], Buffer.of(0)]) }, OWNER)).toThrow();
  });

  it.each([
    ['of another organization', { ...OWNER, orgId: 'o2' }],
    ['of another connection', { ...OWNER, id: 'c2' }],
    ['of an OAuth app with that id', { ...OWNER, kind: 'oauth app' as const }],
    ['of a webhook secret with that id', { ...OWNER, kind: 'webhook secret' as const }],
    ['of a trigger source with that id', { ...OWNER, kind: 'trigger source' as const }],
    ['of a data key with that id', { ...OWNER, kind: 'data key' as const }],
  ])('does not open as %s, nor the other way round', (_whose, other) => {
    expect(() => open(seal(SECRET, OWNER), other)).toThrow();
    expect(() => open(seal(SECRET, other), OWNER)).toThrow();
    expect(open(seal(SECRET, other), other)).toBe(SECRET);
  });

  it('decrypts rows that were encrypted before other kinds existed', () => {
    const bytes = (base64: string) => Buffer.from(base64, 'base64');
    const before = { sealed: bytes(SEALED_BEFORE), wrappedKey: bytes(WRAPPED_BEFORE), masterKeyId: 'k1' };
    expect(open(before, OWNER)).toBe(SECRET);
  });

  it('does not open with parts of two sealings, or with one part in the place of the other', () => {
    const [first, second] = [seal(SECRET, OWNER), seal(SECRET, OWNER)];
    expect(() => open({ ...first, wrappedKey: second.wrappedKey }, OWNER)).toThrow();
    expect(() => open({ ...first, sealed: first.wrappedKey }, OWNER)).toThrow();
  });

  it('reveals no contents when it fails', () => {
    const good = seal(SECRET, OWNER);
    const broken: SealedCredential = { ...good, sealed: Buffer.concat([good.sealed.subarray(0, -1), Buffer.of(0)]) };
    expect(() => open(broken, OWNER)).not.toThrow(/geheim/);
  });
});

describe('a new master key', () => {
  const old = masters(entry('k1', 1)).seal(SECRET, OWNER);

  it('encrypts from then on, while the old one still decrypts', () => {
    const rotated = masters(entry('k2', 2), entry('k1', 1));
    expect(rotated.seal(SECRET, OWNER).masterKeyId).toBe('k2');
    expect(rotated.open(old, OWNER)).toBe(SECRET);
  });

  it('rewraps the data key only for its owner and leaves the ciphertext unchanged', () => {
    const both = masters(entry('k2', 2), entry('k1', 1));
    const { sealed, ...wrapped } = old;
    const rewrapped = both.rewrap(wrapped, OWNER);
    expect(rewrapped.masterKeyId).toBe('k2');
    expect(masters(entry('k2', 2)).open({ sealed, ...rewrapped }, OWNER)).toBe(SECRET);
    expect(() => both.rewrap(wrapped, { ...OWNER, id: 'c2' })).toThrow();
    expect(() => masters(entry('k2', 2)).rewrap(wrapped, OWNER)).toThrow('MASTER_KEYS: key k1 is missing');
  });

  it.each([
    ['taken away', masters(entry('k2', 2)), 'MASTER_KEYS: key k1 is missing'],
    ['replaced under its id', masters(entry('k1', 2)), 'unable to authenticate data'],
  ])('does not decrypt with a key that was %s', (_how, later, problem) => {
    expect(() => later.open(old, OWNER)).toThrow(problem);
  });
});
