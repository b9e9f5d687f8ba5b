import { type JsonObject } from '@drawbridge/piece-kit';
import { textsOf } from './texts.js';

/**
 * A scheme, the slashes, and who is named there. Slashes may lack or be turned round: who reads it as browsers do is led there all the
 * same. Everything is bounded: no text takes longer than it is long.
 */
const URLS = /\b([a-z][a-z0-9+.-]{0,30}):([\\/]{0,8})([^\s\\/?#"'<>`|,;(){}]{1,1000})/gi;
const WEB = /^(https?|wss?|ftp)$/i;
/** What stands behind an `@`; a name without a dot is a mention. */
const EMAIL_DOMAINS = /(?<=[^\s@<>,;:"'()[\]])@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,20})/gu;
const HOST = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}._%-]+)/iu;

export interface FoundHost {
  /** The host, and all that it is below: `a.acme.com`, `acme.com`, `com`. */
  domains: readonly string[];
  /** Where it was found first. */
  path: string;
}

/** The host of every URL and email anywhere in an input, keys too. */
export function hostsOf(input: JsonObject): FoundHost[] {
  const places = new Map<string, string>();
  for (const { text, path } of textsOf(input))
    for (const host of hostsIn(text)) if (!places.has(host)) places.set(host, path);
  return [...places].map(([host, path]) => ({ domains: domainsOf(host), path }));
}

function hostsIn(text: string): string[] {
  const urls = [...text.matchAll(URLS)].map(([, scheme, slashes, authority]) =>
    // `a:b` is a URL, and no place in a network, but where its scheme is the web's.
    WEB.test(scheme!) || slashes!.startsWith('//') ? hostOf(authority!) : undefined,
  );
  const emails = [...text.matchAll(EMAIL_DOMAINS)].map(([, domain]) => toHost(domain!));
  return [wholeHost(text), ...urls, ...emails].filter((host) => host !== undefined);
}

/** Of a text that is a URL and nothing else: a browser leaves out tabs and line ends inside of it. */
function wholeHost(text: string): string | undefined {
  return /[\t\r\n]/.test(text) && URL.canParse(text) ? toHost(new URL(text).hostname) : undefined;
}

/** Without a user before it, or a port behind it. */
function hostOf(authority: string): string | undefined {
  const [host] = HOST.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  return host === undefined ? undefined : toHost(host);
}

/** As it is compared: as browsers write it, without a dot at its end. Undefined: it is no host. */
export function toHost(text: string): string | undefined {
  const [all] = HOST.exec(text) ?? [];
  if (all !== text || !URL.canParse(`http://${text}`)) return undefined;
  const host = new URL(`http://${text}`).hostname.replace(/\.$/, '');
  return host.split('.').includes('') ? undefined : host;
}

function domainsOf(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_label, index) => labels.slice(index).join('.'));
}
