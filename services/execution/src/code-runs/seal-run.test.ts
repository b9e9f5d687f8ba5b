import { createSecretKey, randomBytes } from 'node:crypto';
import { openRun, sealRun, toDataKey } from './seal-run.js';

const key = createSecretKey(randomBytes(32));
const OWNER = { orgId: 'o1', workspaceId: 'w1', id: 'r1' };
const CODE = { code: 'return "geheim ✓"' };

it.each([CODE, { code: '' }])('opens the code %j', (source) => {
  expect(openRun(sealRun(source, key, OWNER), key, OWNER)).toEqual(source);
});

it('opens a snapshot', () => {
  const snapshot = randomBytes(10_000);
  const opened = openRun(sealRun({ snapshot }, key, OWNER), key, OWNER);
  expect('snapshot' in opened && snapshot.equals(opened.snapshot)).toBe(true);
});

it('is different each time, and contains no plaintext', () => {
  const [first, second] = [sealRun(CODE, key, OWNER), sealRun(CODE, key, OWNER)];
  expect(first.equals(second)).toBe(false);
  expect(first.includes('geheim')).toBe(false);
});

it.each([{ orgId: 'o2' }, { workspaceId: 'w2' }, { id: 'r2' }])('does not open for %j', (other) => {
  expect(() => openRun(sealRun(CODE, key, OWNER), key, { ...OWNER, ...other })).toThrow();
});

it('does not open if any byte is changed, or if it is cut short or lengthened', () => {
  const sealed = sealRun(CODE, key, OWNER);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => openRun(changed, key, OWNER)).toThrow();
    expect(() => openRun(sealed.subarray(0, at), key, OWNER)).toThrow();
  }
  expect(() => openRun(Buffer.concat([sealed, Buffer.of(0)]), key, OWNER)).toThrow();
});

it('does not open with another key, and reveals nothing', () => {
  const sealed = sealRun(CODE, key, OWNER);
  expect(() => openRun(sealed, createSecretKey(randomBytes(32)), OWNER)).toThrow(/^(?!.*geheim)/);
});

it('overwrites the bytes of a key', () => {
  const bytes = randomBytes(32);
  expect(toDataKey(bytes).symmetricKeySize).toBe(32);
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
