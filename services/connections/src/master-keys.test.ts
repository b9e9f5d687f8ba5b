import { inspect } from 'node:util';
import { readMasterKeys } from './master-keys.js';

const A = Buffer.alloc(32, 1).toString('base64');
const B = Buffer.alloc(32, 2).toString('base64');

describe('MASTER_KEYS', () => {
  it('encrypts with the first and knows them all', () => {
    const keys = readMasterKeys(`k2:${A}, k1:${B}`);
    expect(keys.current).toBe('k2');
    expect(keys.byId.get('k2')?.export()).toEqual(Buffer.alloc(32, 1));
    expect(keys.byId.get('k1')?.export()).toEqual(Buffer.alloc(32, 2));
  });

  it.each([
    ['nothing', '', 'entry 1'],
    ['a key without an id', A, 'entry 1'],
    ['an empty id', `:${A}`, 'entry 1'],
    ['id and key swapped', `${A}:k1`, 'entry 1'],
    ['16 bytes', `k1:${Buffer.alloc(16, 1).toString('base64')}`, 'entry 1'],
    ['33 bytes', `k1:${Buffer.alloc(33, 1).toString('base64')}`, 'entry 1'],
    ['hex', `k1:${Buffer.alloc(32, 1).toString('hex')}`, 'entry 1'],
    ['a bad second one', `k1:${A},k2:${B.slice(1)}`, 'entry 2'],
    ['a comma at the end', `k1:${A},`, 'entry 2'],
    ['an id twice', `k1:${A},k1:${B}`, 'each id must stand once'],
  ])('refuses %s without telling the value', (_what, text, problem) => {
    const read = (): unknown => readMasterKeys(text);
    expect(read).toThrow(/^MASTER_KEYS: /);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(/AQEB|AgIC|0101/);
  });

  it('shows no key when printed', () => {
    expect(inspect(readMasterKeys(`k1:${A}`), { depth: 9, showHidden: true })).not.toMatch(/AQEB|0101|01 01/);
  });
});
