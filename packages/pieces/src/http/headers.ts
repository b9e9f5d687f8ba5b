/** Header names (RFC 9110, 5.6.2) and values that cannot end a header. */
export const NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
export const VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

/** They belong to the connection, not to the request: set by hand they smuggle requests or break the body. */
const RESERVED = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function isReserved(name: string): boolean {
  return RESERVED.includes(name.toLowerCase());
}

export function isHeader(name: string, value: string): boolean {
  return new RegExp(NAME).test(name) && new RegExp(VALUE).test(value) && !isReserved(name);
}
