import { execFile } from 'node:child_process';
import { type Canary, canary, tracesOf } from './canaries.js';

const MAX_OUTPUT = 64 * 1024 * 1024;

/** The secrets of a test. The test searches for all of them in every location that it checks. */
export interface Planted {
  /** Creates a secret for the product. */
  plant(kind: string): string;
  /** Registers a secret that the product generated. `core` excludes the prefix that may be shown. */
  adopt(kind: string, core: string): void;
  all: Record<string, Canary>;
}

export function planted(): Planted {
  const all: Record<string, Canary> = {};
  const add = (kind: string, one: Canary): string => {
    all[`${kind} ${Object.keys(all).length + 1}`] = one;
    return one.text;
  };
  return { all, plant: (kind) => add(kind, canary()), adopt: (kind, core) => void add(kind, { text: core, core }) };
}

/** Secrets for each type of credential. The value that is sent to the provider is first. */
export const credentialsOf = (plant: Planted['plant']): Record<string, () => object> => ({
  SECRET_TEXT: () => ({ secretText: plant('secret text') }),
  BASIC_AUTH: () => ({ password: plant('password of BASIC_AUTH'), username: plant('user name of BASIC_AUTH') }),
  CUSTOM_AUTH: () => ({ props: { 'x-secret': plant('prop') } }),
  OAUTH2: () => ({
    accessToken: plant('access token'),
    refreshToken: plant('refresh token'),
    data: { id_token: plant('ID token') },
  }),
  PLATFORM_OAUTH2: () => ({ accessToken: plant('access token'), refreshToken: plant('refresh token') }),
});

/** Returns the names of the canaries that occur in a file below the folder, in any encoding that a byte search can find. */
export function findInFiles(folder: string, canaries: Record<string, Canary>): Promise<string[]> {
  const named = Object.entries(canaries).flatMap(([name, one]) => formsOf(one).map((form) => [form, name] as const));
  const names = new Map(named);
  return new Promise((resolve, reject) => {
    // -s: a running server can delete a file during the search.
    const flags = ['--recursive', '-s', '--text', '--only-matching', '--no-filename', '--fixed-strings', '--file=-'];
    const options = { env: { PATH: process.env['PATH'], LC_ALL: 'C' }, maxBuffer: MAX_OUTPUT };
    const search = execFile('grep', [...flags, folder], options, (error, output) => {
      // Exit code 1: no match; 2: a file could not be read.
      if (error && error.code !== 1 && error.code !== 2) return reject(error);
      resolve([...new Set(output.split('\n').flatMap((form) => names.get(form) ?? []))].sort());
    });
    search.stdin!.end([...names.keys()].join('\n'));
  });
}

function formsOf(one: Canary): string[] {
  const inHex = Buffer.from(one.core).toString('hex');
  const bytes = inHex.match(/../g) ?? [];
  const everyByte = (mark: string): string => bytes.map((byte) => mark + byte).join('');
  return [...tracesOf(one), inHex.toUpperCase(), everyByte('%'), everyByte('\\u00')];
}
