import { type FoundText } from './texts.js';

/** What may stand before a URL's host: the colon of its scheme, and slashes. They may lack, or be turned round: browsers lead there all the same. */
const ANCHORS = /:[\\/]*|[\\/]{2,}/g;
/** `a:b` is a URL, and no place in a network, but where its scheme is the web's. */
const WEB = /(?:^|\W)(?:https?|wss?|ftp)$/i;
const LONGEST_WEB = 6;
/** A URL without its scheme, which a browser takes from its page, stands alone. */
const ALONE = /[\s"'`<>()[\]{}=,;|]/;
/** Who is named there, until another URL begins. Everything is bounded: no text takes longer than it is long. */
const AUTHORITY = /(?:[^\s\\/?#"'<>`|,;(){}:]|:(?!\/\/)){1,1000}/y;
/** Behind slashes alone a name without a dot is a path, or a comment. */
const DOTTED_AUTHORITY = new RegExp(/(?=[^\s\\/?#"'<>`|,;(){}]*[.%:[\d])/.source + AUTHORITY.source, 'y');
const BEFORE_AT = /[^\s@<>,;:"'()[\]]/;
/** What stands behind an `@`; a name without a dot is a mention. */
const EMAIL_DOMAIN = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,20}/uy;
const HOST = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}._%-]+)/iu;
/** Browsers change nothing about it: no address of numbers, no label in another alphabet. */
const PLAIN_HOST = /^(?!(?:.*\.)?xn--)(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*$/;

/** An input that names more is not looked through to its end. */
const MAX_HOSTS = 1_000;

export interface FoundHost {
  /** It, and all that it is below: `a.acme.com`, `acme.com`, `com`. */
  domains: readonly string[];
  /** Where it was found first. */
  path: string;
}

export interface Hosts {
  /** The first ones. */
  hosts: readonly FoundHost[];
  /** Where each of their domains was found first that is sought. */
  places: ReadonlyMap<string, string>;
  areTooMany: boolean;
}

/** The host of every URL and email in these texts. */
export function hostsOf(texts: readonly FoundText[], sought: ReadonlySet<string>): Hosts {
  const [hosts, places, seen] = [new Map<string, FoundHost>(), new Map<string, string>(), new Set<string>()];
  for (const { text, path } of texts) {
    for (const raw of authoritiesIn(text)) {
      if (seen.has(raw)) continue;
      seen.add(raw);
      const host = hostOf(raw);
      if (host === undefined || hosts.has(host)) continue;
      const domains = domainsOf(host);
      hosts.set(host, { domains, path });
      const news = domains.filter((domain) => sought.has(domain) && !places.has(domain));
      news.forEach((domain) => places.set(domain, path));
      if (hosts.size > MAX_HOSTS) return { hosts: [...hosts.values()], places, areTooMany: true };
    }
  }
  return { hosts: [...hosts.values()], places, areTooMany: false };
}

/** Each host as it is written, with what else a URL says of it. */
function authoritiesIn(text: string): string[] {
  const found: string[] = [];
  // A browser leaves out tabs and line ends inside of a URL; of one that is all of a text they tell nothing apart.
  if (/[\t\r\n]/.test(text) && URL.canParse(text)) found.push(new URL(text).hostname);
  if (text.includes(':') || text.includes('//') || text.includes('\\')) addUrls(text, found);
  for (let at = text.indexOf('@', 1); at > 0; at = text.indexOf('@', at + 1)) {
    if (BEFORE_AT.test(text[at - 1]!)) addMatch(EMAIL_DOMAIN, text, { at: at + 1, found });
  }
  return found;
}

function addUrls(text: string, found: string[]): void {
  ANCHORS.lastIndex = 0;
  for (let anchor = ANCHORS.exec(text); anchor; anchor = ANCHORS.exec(text)) {
    const authority = authorityBehind(text, anchor);
    if (authority) ANCHORS.lastIndex = addMatch(authority, text, { at: ANCHORS.lastIndex, found });
  }
}

/** How the host is written to which an anchor leads, if it leads to any. */
function authorityBehind(text: string, { 0: anchor, index }: RegExpExecArray): RegExp | undefined {
  if (!anchor.startsWith(':')) return index === 0 || ALONE.test(text[index - 1]!) ? DOTTED_AUTHORITY : undefined;
  const isUrl = anchor.startsWith('://') || WEB.test(text.slice(Math.max(0, index - LONGEST_WEB), index));
  return isUrl ? AUTHORITY : undefined;
}

/** Returns where it ends; a regular expression with captures would cost what each of them is worth. */
function addMatch(pattern: RegExp, text: string, { at, found }: { at: number; found: string[] }): number {
  pattern.lastIndex = at;
  if (!pattern.test(text)) return at;
  found.push(text.slice(at, pattern.lastIndex));
  return pattern.lastIndex;
}

/** Without a user before it, or a port behind it. */
function hostOf(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return PLAIN_HOST.test(host) ? host : toHost(HOST.exec(host)?.[0] ?? '');
}

/** As it is compared: as browsers write it, without a dot at its end. Undefined: it is no host. */
export function toHost(text: string): string | undefined {
  if (PLAIN_HOST.test(text)) return text;
  const [all] = HOST.exec(text) ?? [];
  if (all !== text || !URL.canParse(`http://${text}`)) return undefined;
  const host = new URL(`http://${text}`).hostname.replace(/\.$/, '');
  return host.split('.').includes('') ? undefined : host;
}

function domainsOf(host: string): string[] {
  const domains = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) domains.push(host.slice(dot + 1));
  return domains;
}
