import { type JsonValue, type OAuth2Provider } from '@drawbridge/piece-kit';

/** The response of a token endpoint in the format of RFC 6749, independent of the provider's format. */
export interface TokenAnswer {
  status: number;
  body: Record<string, JsonValue>;
  /** The token type, as the provider names it. */
  tokenType?: string;
  /** The fields of the response that the piece lists in `keep`. */
  kept: Record<string, string | number | boolean>;
}

const MAX_KEPT_CHARACTERS = 2_000;
/**
 * Maximum lifetime of a token, in seconds (ten years). Some providers send larger values for tokens that do not expire, from which no valid date
 * could be calculated.
 */
const MAX_LIFETIME = 10 * 365 * 24 * 60 * 60;

/**
 * Parses a JSON or form response. Some providers deviate from RFC 6749: an error with a success status gets an error status, nested tokens move to
 * the top level, and other fields are dropped.
 */
export function toTokenAnswer(
  provider: OAuth2Provider,
  { status, body }: { status: number; body: Uint8Array },
): TokenAnswer {
  const said = parse(new TextDecoder().decode(body));
  const code = failureIn(provider, said);
  if (status >= 300 || code !== undefined) {
    const description = textOf(said['error_description']) ?? textOf(said['message']);
    const failure = { ...(code && { error: code }), ...(description && { error_description: description }) };
    return { status: Math.max(status, 400), body: failure, kept: {} };
  }
  const tokens = toRecord(provider.tokenAt === undefined ? said : at(said, provider.tokenAt));
  return {
    status: 200,
    body: tokenFields(provider, tokens, said),
    tokenType: textOf(tokens['token_type']),
    kept: keep(provider, said),
  };
}

function failureIn({ failedWhen }: OAuth2Provider, said: Record<string, JsonValue>): string | undefined {
  const isFailed = failedWhen !== undefined && said[failedWhen.key] === failedWhen.value;
  const code = textOf(said['error']) ?? textOf(toRecord(said['error'])['code']);
  return code ?? (isFailed ? 'invalid_request' : undefined);
}

/**
 * Returns the fields of RFC 6749. `token_type` is always `bearer`, because the OAuth library rejects other names. Slack, for example, sends `bot` and
 * `user`.
 */
function tokenFields(
  { expiresIn }: OAuth2Provider,
  tokens: Record<string, JsonValue>,
  said: Record<string, JsonValue>,
): Record<string, JsonValue> {
  const fields = {
    access_token: tokens['access_token'],
    refresh_token: textOf(tokens['refresh_token']),
    expires_in: lifetime(tokens['expires_in'] ?? said['expires_in']) ?? expiresIn,
    scope: scopeText(tokens['scope'] ?? said['scope']),
    token_type: 'bearer',
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined),
  );
}

function keep({ keep: wanted = {} }: OAuth2Provider, said: Record<string, JsonValue>): TokenAnswer['kept'] {
  const found = Object.entries(wanted).map(([name, path]) => [name, at(said, path)] as const);
  const isKept = (value: JsonValue | undefined): boolean =>
    typeof value === 'string' ? value.length <= MAX_KEPT_CHARACTERS : ['number', 'boolean'].includes(typeof value);
  return Object.fromEntries(found.filter(([, value]) => isKept(value))) as TokenAnswer['kept'];
}

function parse(text: string): Record<string, JsonValue> {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    return Object.fromEntries(new URLSearchParams(text.trim()));
  }
}

/** Returns the value at a path such as `authed_user.access_token`. */
function at(said: Record<string, JsonValue>, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((value, key) => toRecord(value)[key], said);
}

function toRecord(value: JsonValue | undefined): Record<string, JsonValue> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.assign(Object.create(null), value) : {};
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a lifetime in seconds. Returns undefined for 0 or null, which some providers send for a token that does not expire. */
function lifetime(value: JsonValue | undefined): number | undefined {
  const seconds = Math.floor(Number(value ?? 0));
  return seconds > 0 ? Math.min(seconds, MAX_LIFETIME) : undefined;
}

function scopeText(value: JsonValue | undefined): string | undefined {
  return Array.isArray(value) ? value.filter((scope) => typeof scope === 'string').join(' ') : textOf(value);
}
