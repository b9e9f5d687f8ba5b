import { isIP } from 'node:net';

/** The limit of older resolv.conf(5) versions. Each domain costs one more query for a name that does not exist. */
const MAX_SEARCH = 6;

/** Parses hosts(5): maps each name in lower case to its addresses in file order. */
export function parseHosts(text: string): ReadonlyMap<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of fieldsOf(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

/** Parses the search domains of resolv.conf(5). The last line counts. */
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
