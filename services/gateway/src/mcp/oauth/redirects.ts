const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Returns whether a client registered this redirect URI. It must match exactly, except for the port of a loopback address, which the client does not
 * know in advance (RFC 8252, 7.3).
 */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const plain = withoutPort(asked);
  return plain !== undefined && registered.some((one) => withoutPort(one) === plain);
}

/** Returns a loopback address without its port; undefined for any other address. */
function withoutPort(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return undefined;
  const [, host, rest] = /^http:\/\/(\[::1\]|[\w.-]+)(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return host !== undefined && LOOPBACK.includes(host) ? host + rest : undefined;
}

/** Adds the response parameters to those that the redirect URI already has. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const said = Object.entries(answer).filter((one): one is [string, string] => one[1] !== undefined);
  const added = new URLSearchParams(said).toString();
  const between = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + between + added;
}

/** Returns the source that lets a form redirect to this address, in the syntax of a content security policy. */
export function formSource(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri);
  // A content security policy cannot express IPv6 addresses, nor the hosts of custom schemes.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}

/** Returns the part of the redirect URI that the person sees. */
export function placeOf(uri: string): { host: string; isLocal: boolean } {
  const { protocol, host } = new URL(uri);
  const isHttp = /^https?:$/.test(protocol);
  return { host: isHttp ? host : protocol, isLocal: isHttp ? isOnThisMachine(uri) : true };
}

/** Returns whether the address is on the person's own machine. */
export const isOnThisMachine = (uri: string): boolean => withoutPort(uri) !== undefined;
