import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from './command.js';

/** How the program reaches an instance. */
export interface Settings {
  url: string;
  apiKey?: string;
}

const LOGIN = 'Run `drawbridge login --url URL`, or set DRAWBRIDGE_URL and DRAWBRIDGE_KEY.';

/** Returns the file of the settings. */
export function settingsFile({ XDG_CONFIG_HOME: given = '' }: NodeJS.ProcessEnv): string {
  return join(isAbsolute(given) ? given : join(homedir(), '.config'), 'drawbridge', 'config.json');
}

/** Returns the stored settings, or undefined if there are none. Throws if the file does not have the format that `login` writes. */
export async function storedSettings(env: NodeJS.ProcessEnv): Promise<Settings | undefined> {
  const file = settingsFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { url, apiKey } = parsed(text);
  if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey };
  throw new Error(`${file} is not the configuration of drawbridge. Remove it, and run \`drawbridge login\` again.`);
}

/** Parses the file. The error of JSON.parse is replaced, because it would contain the text of the file with the API key. */
function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Returns the settings from the environment variables, which take precedence, and from the file. Throws if there is no address, and if the stored key
 * would be sent to an instance other than the one for which it was stored.
 */
export async function readSettings(env: NodeJS.ProcessEnv, isInsecure: boolean): Promise<Settings> {
  const { DRAWBRIDGE_URL: url, DRAWBRIDGE_KEY: apiKey } = env;
  const stored = url && apiKey ? undefined : await storedSettings(env);
  const address = url || stored?.url;
  if (!address) throw new UsageError(`No address of an instance. ${LOGIN}`);
  const settings = { url: requireSafeUrl(address, isInsecure), apiKey: apiKey || stored?.apiKey };
  if (!apiKey && stored && new URL(stored.url).origin !== new URL(settings.url).origin) {
    throw new UsageError(
      `The stored key belongs to ${stored.url}, and DRAWBRIDGE_URL is ${settings.url}. Set DRAWBRIDGE_KEY too, or run \`drawbridge login\`.`,
    );
  }
  return settings;
}

/** Returns the address. Throws UsageError if it is not an HTTP address, or if the network could read the API key, because it is not encrypted. */
export function requireSafeUrl(text: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new UsageError(
      `The address must be an http or https URL without credentials (got ${withoutCredentials(text)})`,
    );
  }
  if (url.protocol === 'https:' || isInsecure || isLoopback(url.hostname)) return text.replace(/\/+$/, '');
  throw new UsageError(
    `${text} is not encrypted, and the network could read the API key. Use https, or pass --insecure on a network that you trust.`,
  );
}

const withoutCredentials = (text: string): string => text.slice(0, 200).replace(/\/\/[^/]*@/, '//…@');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Writes the settings for this user alone. */
export async function storeSettings(env: NodeJS.ProcessEnv, settings: Settings): Promise<void> {
  const file = settingsFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await chmod(dirname(file), 0o700);
  await writeWhole(file, `${JSON.stringify(settings, null, 2)}\n`, 0o600);
}

/** Removes the settings. Returns whether there were any. */
export async function removeSettings(env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = settingsFile(env);
  try {
    // The file may be a symbolic link. Its target is deleted first, because it contains the API key.
    await rm(await realpath(file));
    await rm(file, { force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Writes a file so that a reader sees the old text or the new one, also if the program ends early. Follows a symbolic link. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const draft = `${target}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
