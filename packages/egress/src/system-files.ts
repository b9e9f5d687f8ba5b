import { isIP } from 'node:net';

/** As resolv.conf(5) had it; each is one more question for a name that does not exist. */
const MAX_SEARCH = 6;

/** hosts(5): name in lower case → its addresses in the order of the file. */
export function parseHosts(text: string): ReadonlyMap<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of fieldsOf(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

/** resolv.conf(5): the domains in which a name is looked for. The last line of them counts. */
export function parseSearch(text: string): string[] {
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
