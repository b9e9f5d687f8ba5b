import { isObject, type JsonObject, type Message, RPC_CODES, RpcError } from './message.js';

/** The stateless version: each request contains its protocol version. */
export const MODERN = '2026-07-28';
/** Protocol versions with a handshake, newest first. The gateway stores no data of the handshake. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;
/** The field of `params` that the `Mcp-Name` header must repeat, by method. */
const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Headers that must agree with the body. */
export interface ProtocolHeaders {
  version?: string;
  method?: string;
  name?: string;
}

/** The version of the protocol by which a message is handled. */
export interface Era {
  isModern: boolean;
  /** True if the client can show its user a URL. A legacy client declares this in the handshake, which is not stored, so it is unknown. */
  mayElicitUrl: boolean;
}

const LEGACY_ERA: Era = { isModern: false, mayElicitUrl: false };

/**
 * Selects the protocol from the body: a request with a version in `_meta` is modern, any other request is legacy. Headers select the protocol only
 * for notifications, and must not contradict the body. Throws RpcError (400).
 */
export function eraOf(message: Message, headers: ProtocolHeaders): Era {
  const { version, method, name } = trimmed(headers);
  const meta = isObject(message.params['_meta']) ? message.params['_meta'] : undefined;
  const saysModern = version !== undefined && isModern(version);
  if (message.kind !== 'request') return unansweredEra(message, { version, method });
  const claimed = meta?.[META.version];
  const claimsLegacy = typeof claimed !== 'string' || !isModern(claimed);
  if (message.method === 'initialize' && claimsLegacy) {
    if (saysModern)
      throw mismatch(`initialize exists only before revision ${MODERN}, but MCP-Protocol-Version is ${version}`);
    return LEGACY_ERA;
  }
  if (meta === undefined || !(META.version in meta)) {
    if (saysModern) throw missingMeta(version, meta);
    requireKnownLegacy(version);
    return LEGACY_ERA;
  }
  requireMeta(meta);
  requireAgreement({ version, claimed: String(claimed) }, { method, body: message.method });
  requireServed(String(claimed));
  requireHeaders(message.method, message.params, { version, method, name });
  return { isModern: true, mayElicitUrl: takesUrls(meta[META.capabilities]) };
}

/** Returns the version to use: the client's version, or the newest version with a handshake if the gateway does not support it. */
export function negotiated(requested: unknown): string {
  return LEGACY.find((version) => version === requested) ?? LEGACY[0];
}

const isModern = (version: string): boolean => version >= MODERN;

function unansweredEra({ kind, method: body }: Message & { method?: string }, headers: ProtocolHeaders): Era {
  const { version, method } = headers;
  if (version === undefined || !isModern(version)) {
    requireKnownLegacy(version);
    return LEGACY_ERA;
  }
  if (kind === 'response')
    throw new RpcError(RPC_CODES.invalidRequest, `${MODERN} does not support responses from clients`, 400);
  if (method !== undefined && method !== body)
    throw mismatch(`the method is ${body} in the body and ${method} in Mcp-Method`);
  requireServed(version);
  return { isModern: true, mayElicitUrl: false };
}

function requireKnownLegacy(version: string | undefined): void {
  if (version === undefined || LEGACY.some((known) => known === version)) return;
  const supported = [MODERN, ...LEGACY];
  const message = `Protocol version ${version} is not supported; supported: ${supported.join(', ')}`;
  throw new RpcError(RPC_CODES.refused, message, 400, { supported, requested: version });
}

function missingMeta(version: string, meta: JsonObject | undefined): RpcError {
  const missing = meta ? Object.values(META).filter((key) => !(key in meta)) : ['_meta'];
  const message = `Revision ${version} needs in params: ${missing.join(', ')}`;
  return new RpcError(RPC_CODES.invalidParams, message, 400, { missing });
}

function requireMeta(meta: JsonObject): void {
  const problem =
    typeof meta[META.version] !== 'string'
      ? `${META.version} must be a string`
      : !isObject(meta[META.capabilities])
        ? `${META.capabilities} must be an object`
        : undefined;
  if (problem) throw new RpcError(RPC_CODES.invalidParams, `params._meta: ${problem}`, 400);
}

function requireAgreement(
  { version, claimed }: { version?: string; claimed: string },
  { method, body }: { method?: string; body: string },
): void {
  if (version !== undefined && version !== claimed)
    throw mismatch(`the revision is ${claimed} in the body and ${version} in MCP-Protocol-Version`);
  if (method !== undefined && method !== body)
    throw mismatch(`the method is ${body} in the body and ${method} in Mcp-Method`);
}

function requireServed(requested: string): void {
  if (requested === MODERN) return;
  const data = { supported: [MODERN], requested };
  throw new RpcError(RPC_CODES.unsupportedVersion, `Unsupported protocol version: ${requested}`, 400, data);
}

/** Proxies route by these headers, so they must be present and agree with the body (SEP-2243). Throws RpcError (400). */
function requireHeaders(body: string, params: JsonObject, { version, method, name }: ProtocolHeaders): void {
  if (version === undefined) throw mismatch('MCP-Protocol-Version is required');
  if (method === undefined) throw mismatch('Mcp-Method is required');
  const key = Object.hasOwn(NAMED, body) ? NAMED[body] : undefined;
  const value = key === undefined ? undefined : params[key];
  if (typeof value !== 'string') return;
  if (name === undefined) throw mismatch(`Mcp-Name is required: the body has params.${key}`);
  const decoded = decodedName(name);
  if (decoded === undefined) throw mismatch('Mcp-Name is marked as Base64, but is not valid Base64');
  if (decoded !== value) throw mismatch(`params.${key} of the body differs from Mcp-Name`);
}

const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a name that is not plain ASCII and is sent as `=?base64?…?=`. Returns undefined for invalid Base64. */
function decodedName(name: string): string | undefined {
  if (!name.startsWith('=?base64?') || !name.endsWith('?=')) return name;
  const encoded = BASE64.exec(name)?.[1];
  try {
    return encoded === undefined ? undefined : UTF8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

function takesUrls(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && isObject(elicitation['url']);
}

function trimmed(headers: ProtocolHeaders): ProtocolHeaders {
  const { version, method, name } = headers;
  return { version: version?.trim(), method: method?.trim(), name: name?.trim() };
}

function mismatch(message: string): RpcError {
  return new RpcError(RPC_CODES.headerMismatch, `Bad Request: headers and body disagree: ${message}`, 400);
}
