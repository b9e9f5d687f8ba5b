import { type JsonObject } from '@drawbridge/piece-kit';
import { textsOf } from './texts.js';

/**
 * A scheme, the slashes, and who is named there. Slashes may lack or be turned round: who reads it as browsers do is led there all the
 * same. Everything is bounded: no text takes longer than it is long.
 */
const URLS = /\b([a-z][a-z0-9+.-]{0,30}):([\\/]{0,8})([^\s\\/?#"'<>`|,;(){}]{1,1000})/gi;
const WEB = /^(https?|wss?|ftp)$/i;
/** A URL without its scheme, which a browser takes from its page. Behind slashes a name without a dot is a path, or a comment. */
const RELATIVE_URLS =
  /(?<![^\s"'`<>()[\]{}=,;|])[\\/]{2,}((?=[^\s\\/?#"'<>`|,;(){}]*[.%:[\d])[^\s\\/?#"'<>`|,;(){}]{1,1000})/g;
/** What stands behind an `@`; a name without a dot is a mention. */
const EMAIL_DOMAINS = /(?<=[^\s@<>,;:"'()[\]])@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,20})/gu;
const HOST = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}._%-]+)/iu;

/** An input that names more is not looked through to its end. */
const MAX_HOSTS = 1_000;

export interface Hosts {
  /** The first ones, each with all that it is below: `a.acme.com`, `acme.com`, `com`. */
  hosts: readonly (readonly string[])[];
  /** Where each of those was found first. */
  places: ReadonlyMap<string, string>;
  areTooMany: boolean;
}

/** The host of every URL and email anywhere in an input, keys too. */
export function hostsOf(input: JsonObject): Hosts {
  const [hosts, places, seen] = [new Map<string, readonly string[]>(), new Map<string, string>(), new Set<string>()];
  for (const { text, path } of textsOf(input)) {
    for (const { raw, host } of hostsIn(text, seen)) {
      seen.add(raw);
      if (host === undefined || hosts.has(host)) continue;
      const domains = domainsOf(host);
      hosts.set(host, domains);
      domains.filter((domain) => !places.has(domain)).forEach((domain) => places.set(domain, path));
      if (hosts.size > MAX_HOSTS) return { hosts: [...hosts.values()], places, areTooMany: true };
    }
  }
  return { hosts: [...hosts.values()], places, areTooMany: false };
}

/** Those that were not seen before, as they come. */
function* hostsIn(text: string, seen: ReadonlySet<string>): Generator<{ raw: string; host: string | undefined }> {
  // A browser leaves out tabs and line ends inside of a URL; of one that is all of a text they tell nothing apart.
  if (/[\t\r\n]/.test(text) && URL.canParse(text)) yield { raw: text, host: toHost(new URL(text).hostname) };
  for (const [, scheme, slashes, raw] of text.matchAll(URLS)) {
    // `a:b` is a URL, and no place in a network, but where its scheme is the web's.
    if ((WEB.test(scheme!) || slashes!.startsWith('//')) && !seen.has(raw!)) yield { raw: raw!, host: hostOf(raw!) };
  }
  for (const [, raw] of text.matchAll(RELATIVE_URLS)) if (!seen.has(raw!)) yield { raw: raw!, host: hostOf(raw!) };
  for (const [, raw] of text.matchAll(EMAIL_DOMAINS)) if (!seen.has(raw!)) yield { raw: raw!, host: toHost(raw!) };
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
