import { isIP } from 'node:net';
import { makeValidator, str } from 'envalid';

/**
 * Validators of environment variables. Each parses one kind of value and throws an error with the allowed values. read-config.ts adds the name of the
 * variable, and its value unless it is a secret.
 */
export const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  makeValidator<number>((text) => toWhole(text, min, max) ?? refuse(`must be a whole number from ${min} to ${max}`));

export const port = wholeNumber({ min: 0, max: 65_535 });

/** Parses a limit; `null` means no limit. Returns Infinity for it, because envalid treats null as a missing value. */
export const limit = makeValidator<number>((text) => {
  if (text === 'null') return Infinity;
  return toWhole(text, 1, MAX_LIMIT) ?? refuse(`must be a whole number from 1 to ${MAX_LIMIT}, or null for no limit`);
});

/** Parses an address to listen on. */
export const host = makeValidator<string>((text) =>
  isHost(text) ? text : refuse('must be an IP address or a host name'),
);

/** Parses a gRPC target of a supported kind, which is dns, ipv4 or ipv6: https://github.com/grpc/grpc/blob/master/doc/naming.md. */
export const target = makeValidator<string>((text) => {
  const isTarget = /^ipv[46]:/.test(text)
    ? text
        .slice(5)
        .split(',')
        .every(isAddressAndPort(text.startsWith('ipv4:') ? 4 : 6))
    : isHostAndPort(text.replace(/^dns:(\/\/[^/]*\/)?/, ''));
  return isTarget ? text : refuse('must be dns:///host:port, or ipv4:address:port with more after commas');
});

/** Parses a base URL with an optional port and path, and removes trailing slashes. */
export const baseUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  return isPlain
    ? text.replace(/\/+$/, '')
    : refuse('must be a URL such as https://drawbridge.example, without a query');
});

export const text = str;

export const databaseUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPostgres = url && /^postgres(ql)?:$/.test(url.protocol) && (url.hostname || url.searchParams.get('host'));
  return isPostgres ? text : refuse('must be postgresql://user:password@host:5432/database');
});

export const redisUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url && /^rediss?:$/.test(url.protocol) && url.hostname;
  return isRedis ? text : refuse('must be redis://host:6379, or rediss:// for TLS');
});

export const brokers = makeValidator<string>((text) => {
  const isList = text.split(',').every((broker) => isHostAndPort(broker.trim()));
  return isList ? text : refuse('must be host:port, with more after commas');
});

/** Parses a prefix of the names of topics and consumer groups. Kafka allows names of at most 249 characters. */
export const kafkaPrefix = makeValidator<string>((text) =>
  /^[\w.-]{1,100}$/.test(text) ? text : refuse('must be 1 to 100 letters, digits, dots, hyphens and underscores'),
);

export const internalKey = makeValidator<string>((text) =>
  text.length >= 32 ? text : refuse('must be at least 32 characters, the same for all services'),
);

/** Limits are of type int32 in the protos. */
const MAX_LIMIT = 2_147_483_647;
const NAME = /^(?!-)[\w-]+(\.[\w-]+)*\.?$/;

function refuse(allowed: string): never {
  throw new Error(allowed);
}

function toWhole(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}

/**
 * Rejects a name with a last label that contains only digits. It is a mistyped IP address, which resolvers would interpret as a different address.
 */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || (NAME.test(text) && !/(^|\.)\d+\.?$/.test(text));
}

function isHostAndPort(text: string): boolean {
  const [, inBrackets, name = '', digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const isKnown = inBrackets === undefined ? isHost(name) : isIP(inBrackets) === 6;
  return isKnown && toWhole(digits, 1, 65_535) !== undefined;
}

function isAddressAndPort(version: 4 | 6): (text: string) => boolean {
  return (text) => isHostAndPort(text) && isIP(text.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')) === version;
}
