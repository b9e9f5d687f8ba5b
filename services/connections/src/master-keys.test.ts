import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { openMasterKeys, readMasterKeys } from './master-keys.js';

const A = Buffer.alloc(32, 1).toString('base64');
const B = Buffer.alloc(32, 2).toString('base64');
const BLOB = Buffer.alloc(96, 3).toString('base64');
const TOLD = /AQEB|AgIC|AwMD|0101/;

const unseal = async (given: string, id: string) => (id === 'broken' ? given : B);
const open = async (text: string) => openMasterKeys(readMasterKeys(text), unseal);

describe('MASTER_KEYS', () => {
  it('encrypts with the first and knows them all', async () => {
    const keys = await open(`k2:${A}, k1:${B}`);
    expect(keys.current).toBe('k2');
    expect(keys.byId.get('k2')?.export()).toEqual(Buffer.alloc(32, 1));
    expect(keys.byId.get('k1')?.export()).toEqual(Buffer.alloc(32, 2));
  });

  it('reads keys from their source', async () => {
    const keys = await open(`k2:kms:${BLOB},k1:${A}`);
    expect(keys.current).toBe('k2');
    expect(keys.byId.get('k2')?.export()).toEqual(Buffer.alloc(32, 2));
    await expect(open(`k1:${A},broken:kms:${BLOB}`)).rejects.toThrow(
      'MASTER_KEYS: entry broken: KMS did not return a key of 32 bytes',
    );
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
    ['an id twice', `k1:${A},k1:${B}`, 'ids must be unique'],
    ['an id twice, once of KMS', `k1:${A},k1:kms:${BLOB}`, 'ids must be unique'],
    ['no blob', 'k1:kms:', 'entry 1'],
    ['a blob that is no base64', 'k1:kms:AQEB-AgIC', 'entry 1'],
    ['an unknown source', `k1:vault:${BLOB}`, 'entry 1'],
    ['a blob without its source', `k1:${BLOB}`, 'entry 1'],
    ['a file that is not there', 'file:/AQEB/AgIC', 'the file cannot be read (ENOENT)'],
    ['a file that is not named whole', 'file:AQEB', 'the file must have an absolute path'],
    ['a folder', `file:${tmpdir()}`, 'the file'],
  ])('refuses %s without telling the value', (_what, text, problem) => {
    const read = (): unknown => readMasterKeys(text);
    expect(read).toThrow(/^MASTER_KEYS: /);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(TOLD);
  });

  it('shows no key when printed', async () => {
    expect(inspect(await open(`k1:${A}`), { depth: 9, showHidden: true })).not.toMatch(/AQEB|0101|01 01/);
  });
});

describe('a file of MASTER_KEYS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-keys-'));
  const file = join(folder, 'keys');
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    writeFileSync(file, `k2:${B},k1:${A}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  });

  it.each([0o600, 0o400, 0o640, 0o440])('is read with the mode %o', async (mode) => {
    chmodSync(file, mode);
    expect((await open(`file:${file}`)).current).toBe('k2');
  });

  it.each([0o644, 0o604, 0o620, 0o602, 0o601, 0o660])('is refused with the mode %o', (mode) => {
    chmodSync(file, mode);
    expect(() => readMasterKeys(`file:${file}`)).toThrow('MASTER_KEYS: the file can be accessed by other users');
  });

  it('can be a link, as orchestrators mount secrets, and its target is checked', async () => {
    const link = join(folder, 'link');
    symlinkSync(file, link);
    expect((await open(`file:${link}`)).current).toBe('k2');
    chmodSync(file, 0o644);
    expect(() => readMasterKeys(`file:${link}`)).toThrow('can be accessed by other users');
  });

  it.each([
    ['is too large', 'x'.repeat(64 * 1024 + 1), 'at most 65536 bytes'],
    ['is empty', '', 'entry 1'],
    ['holds something else', 'AQEB', 'entry 1'],
    ['names a file itself', 'file:/AQEB', 'entry 1'],
  ])('is refused when it %s', (_how, content, problem) => {
    writeFileSync(file, content);
    expect(() => readMasterKeys(`file:${file}`)).toThrow(problem);
    expect(() => readMasterKeys(`file:${file}`)).not.toThrow(TOLD);
  });
});
