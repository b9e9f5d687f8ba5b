import { Resolver } from 'node:dns/promises';
import { changingFile } from './changing-file.js';
import { codeOf } from './egress-error.js';
import type { Resolve } from './guarded-connector.js';
import { parseHosts, parseSearch } from './system-files.js';

export interface SystemResolveOptions {
  hostsFile?: string;
  resolvConf?: string;
  /** Name servers, `address` or `address:port`, instead of the system's. */
  servers?: string[];
}

const ONE_TRY_MS = 2_000;
const TRIES = 2;
/** The name, or one of its record types, does not exist. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

/**
 * Resolves a name by /etc/hosts, else by DNS, IPv4 first. Avoids `dns.lookup`, which occupies one of libuv's four threads while a name server does
 * not answer, so that four such names would block all others. Each look-up has its own resolver and socket: it delays no other, and its signal
 * cancels it. Rejects if DNS does not answer.
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

/** Tries search domains first for a name without a dot, and last for a name with one, so that no domain shadows a public name. */
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
