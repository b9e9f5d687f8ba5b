import { connectedHost, MAX_HOST_CHARACTERS, parseUrl } from '@drawbridge/contracts';
import { type Tree } from './syntax-tree.js';

const MAX_DOMAINS = 50;
/** Limits the number of parsed hosts, because parsing takes time even for invalid hosts. */
const MAX_PARSED = 1_000;
const AUTHORITY = new RegExp(`https?://([^\\s/\\\\?#"'<>\`]{1,${MAX_HOST_CHARACTERS}})`, 'gi');

/**
 * Returns the hosts of the http and https URLs in the strings of a program, in order, at most 50. A host that ends in `…` continues with a value that
 * is known only at run time.
 */
export function externalDomainsOf({ nodes }: Tree): string[] {
  const found: { at: number; authority: string; isOpen: boolean }[] = [];
  for (const { node } of nodes) {
    const isTemplate = node.type === 'TemplateElement';
    const text = isTemplate ? node.value.cooked : node.type === 'Literal' ? node.value : undefined;
    if (typeof text !== 'string') continue;
    for (const match of text.matchAll(AUTHORITY)) {
      const isOpen = isTemplate && !node.tail && match.index + match[0].length === text.length;
      found.push({ at: node.start + match.index, authority: match[1]!, isOpen });
    }
  }
  found.sort((one, other) => one.at - other.at);
  return toHosts(found);
}

function toHosts(found: readonly { authority: string; isOpen: boolean }[]): string[] {
  const hosts = new Set<string>();
  const authorities = new Set<string>();
  for (const { authority, isOpen } of found) {
    if (hosts.size === MAX_DOMAINS || authorities.size === MAX_PARSED) break;
    if (authorities.has(authority + isOpen)) continue;
    authorities.add(authority + isOpen);
    const url = parseUrl(`https://${authority}/`);
    if (url) hosts.add(connectedHost(url) + (isOpen ? '…' : ''));
  }
  return [...hosts];
}
