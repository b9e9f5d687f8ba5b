import { Resolver } from 'node:dns/promises';
import { changingFile } from './changing-file.js';
import { codeOf } from './egress-error.js';
import type { Resolve } from './guarded-connector.js';
import { parseHosts, parseSearch } from './system-files.js';

export interface SystemResolveOptions {
  hostsFile?: string;
  resolvConf?: string;
  /** Name servers, `address` or `address:port`, in place of the system's. */
  servers?: string[];
}

const ONE_TRY_MS = 2_000;
const TRIES = 2;
/** The name, or one of its record types, does not exist. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/**
 * The addresses of a name by /etc/hosts, else by DNS, IPv4 first. Not by `dns.lookup`: it takes one of libuv's four threads for
 * as long as a name server is silent, and four silent names stop every other. Each name gets a resolver, and so a socket, of its
 * own: what one waits for concerns no other, and it ends with its signal. Rejects where DNS gives no answer.
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

/** A name without a dot is meant in a search domain first; with one it is whole first, so that no domain shadows a public name. */
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
