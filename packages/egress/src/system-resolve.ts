import { Resolver } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { codeOf } from './egress-error.js';
import { type Resolve } from './guarded-connector.js';

interface SystemResolveOptions {
  hostsFile?: string;
  resolvConf?: string;
  /** Name servers to use instead of those of the system, each `address` or `address:port`. */
  servers?: string[];
}

const ONE_TRY_MS = 2_000;
const TRIES = 2;
/** Error codes for a name, or a record type of a name, that does not exist. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/**
 * Resolves a name from /etc/hosts, or by DNS with IPv4 first. Does not use `dns.lookup`, which occupies one of libuv's four threads until the name
 * server responds, so that four slow names would block all others. Each look-up has a separate resolver and socket, so it delays no other look-up and
 * its signal cancels it. Rejects if DNS does not respond.
 */
export function systemResolve(options: SystemResolveOptions = {}): Resolve {
  const { hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', servers } = options;
  const hosts = changingFile(hostsFile, parseHosts);
  const search = changingFile(resolvConf, parseSearch);

  return async (name, signal) => {
    const known = hosts().get(name);
    if (known) return known;

    const resolver = new Resolver({ timeout: ONE_TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    for (const full of fullNames(name, search())) {
      const addresses = await ask(resolver, full, signal);
      if (addresses.length > 0) return addresses;
    }
    return [];
  };
}

/**
 * Returns the names to try. Search domains come first for a name without a dot and last for a name with a dot, so that no name in a search domain
 * hides a public name.
 */
function fullNames(name: string, search: string[]): string[] {
  const inDomains = search.map((domain) => `${name}.${domain}`);
  return name.includes('.') ? [name, ...inDomains] : [...inDomains, name];
}

async function ask(resolver: Resolver, name: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel();
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener('abort', cancel);

  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const serious = failures.find((failure) => !NO_SUCH.has(codeOf(failure)));
  if (addresses.length === 0 && serious !== undefined) throw serious;
  return addresses;
}

/**
 * Returns a function that returns the parsed content of a small system file, and reads the file again after a change. A missing or unreadable file is
 * parsed as ''.
 */
function changingFile<T>(path: string, parse: (text: string) => T): () => T {
  let seen = '';
  let value = parse('');
  return () => {
    const version = versionOf(path);
    if (version !== seen) {
      seen = version;
      value = parse(textOf(path));
    }
    return value;
  };
}

function versionOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Maximum number of search domains, as in older versions of resolv.conf(5). Each domain adds one query for a name that does not exist. */
const MAX_SEARCH = 6;

/** Parses hosts(5). Maps each name in lower case to its addresses in the order of the file. */
function parseHosts(text: string): ReadonlyMap<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of fieldsOf(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

/** Parses the search domains of resolv.conf(5). If several lines set search domains, the last line applies. */
function parseSearch(text: string): string[] {
  const lines = fieldsOf(text).filter(([keyword]) => keyword === 'search' || keyword === 'domain');
  const domains = lines.at(-1)?.slice(1) ?? [];
  return domains
    .map((domain) => domain.replace(/^\.+|\.+$/g, ''))
    .filter((domain) => domain !== '')
    .slice(0, MAX_SEARCH);
}

function fieldsOf(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .split(/\s+/)
      .filter((field) => field !== ''),
  );
}

const ADDRESS_AND_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+)):(?<port>\d{1,5})$/;

/**
 * Parses DNS_SERVERS: a comma-separated list of `address` or `address:port` (`[address]:port` for IPv6), in the format of `dns.Resolver`. Throws an
 * Error with the first invalid entry.
 */
export function parseNameServers(text: string): string[] {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const wrong = entries.find((entry) => !isNameServer(entry));
  if (wrong !== undefined) throw new Error(`DNS_SERVERS: "${wrong}" is not an IP address (it may end in :port)`);
  return entries;
}

function isNameServer(entry: string): boolean {
  if (isIP(entry) !== 0) return true;
  const { six = '', four = '', port } = ADDRESS_AND_PORT.exec(entry)?.groups ?? {};
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return isPort && (isIP(four) === 4 || isIP(six) === 6);
}
