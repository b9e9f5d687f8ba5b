import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeSettings, settingsFile, storedSettings, storeSettings } from './settings.js';

const SETTINGS = { url: 'https://drawbridge.example.com', apiKey: 'svc_key' };

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  env = { XDG_CONFIG_HOME: join(folder, 'config') };
});
afterEach(() => rmSync(folder, { recursive: true }));

it('removes the stored key, and says whether there was one', async () => {
  await storeSettings(env, SETTINGS);
  expect(await removeSettings(env)).toBe(true);
  expect(await storedSettings(env)).toBeUndefined();
  expect(await removeSettings(env)).toBe(false);
});

it.each(['a relative', 'an absolute'])('removes the key behind %s symbolic link', async (kind) => {
  const file = settingsFile(env);
  const target = join(folder, 'dotfiles/drawbridge.json');
  for (const path of [target, file]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(target, '{}');
  symlinkSync(kind === 'a relative' ? '../../dotfiles/drawbridge.json' : target, file);
  await storeSettings(env, SETTINGS);
  expect(readFileSync(target, 'utf8')).toContain(SETTINGS.apiKey);
  expect(await removeSettings(env)).toBe(true);
  expect([existsSync(target), readdirSync(dirname(file))]).toEqual([false, []]);
});
