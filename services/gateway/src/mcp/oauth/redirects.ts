const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** Whether a program named that address: letter by letter, but for the port on this machine, which it may not know before (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const plain = withoutPort(asked);
  return plain !== undefined && registered.some((one) => withoutPort(one) === plain);
}

/** Of an address of this machine, as it is written but for the port; undefined for any other. */
function withoutPort(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return undefined;
  const [, host, rest] = /^http:\/\/(\[::1\]|[\w.-]+)(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return host !== undefined && LOOPBACK.includes(host) ? host + rest : undefined;
}

/** With what is said to who is there, beside what the address says already. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const said = Object.entries(answer).filter((one): one is [string, string] => one[1] !== undefined);
  const added = new URLSearchParams(said).toString();
  const between = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + between + added;
}

/** Where a form may lead that ends there, in the words of a content policy. */
export function formSource(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri);
  // A policy has no words for addresses of IPv6, nor for hosts of programs' own schemes.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}

/** What a person is shown of it. */
export function placeOf(uri: string): { host: string; isLocal: boolean } {
  const { protocol, host } = new URL(uri);
  const isHttp = /^https?:$/.test(protocol);
  return { host: isHttp ? host : protocol, isLocal: isHttp ? isOnThisMachine(uri) : true };
}

/** Of what listens on the person's own machine. */
export const isOnThisMachine = (uri: string): boolean => withoutPort(uri) !== undefined;
