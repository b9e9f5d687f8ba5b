import { type AuthProp, type Credential, type JsonObject } from '@drawbridge/piece-kit';

/** Minimum length of a secret. A shorter string occurs by chance, and replacing it would only corrupt the output. */
const SHORTEST = 4;
/**
 * Minimum length of a secret if the piece does not declare which props are secret. Shorter values are usually names or regions, such as `eu`, `v2` or
 * `sandbox`.
 */
const SHORTEST_UNDECLARED = 8;
/** Matches the names of secret values in the data of a token response. Providers choose the names freely, so part of a name is enough to match. */
const TOKEN_DATA = /authorization|cookie|passw|secret|token|api[-_]?key|private[-_]?key/i;

type DeclaredProps = Readonly<Record<string, AuthProp>>;

/**
 * Returns the strings of a decrypted credential that must be redacted, as SECURITY.md defines them. `declared` contains the props that the piece
 * declares.
 */
export function secretsOf(credential: Credential | undefined, declared?: DeclaredProps): string[] {
  const longEnough = (secret: string): boolean => isAtLeast(secret, SHORTEST);
  // The secret is also searched without surrounding white space: a key file ends with a line break, which providers usually omit when they quote it.
  const asQuoted = (secret: string): string[] => [secret, secret.trim()];
  return credential ? [...new Set(candidates(credential, declared).flatMap(asQuoted))].filter(longEnough) : [];
}

function candidates(credential: Credential, declared: DeclaredProps | undefined): string[] {
  switch (credential.type) {
    case 'SECRET_TEXT':
      return [credential.secretText];
    case 'BASIC_AUTH':
      return passwordOrName(credential);
    case 'CUSTOM_AUTH':
      return declared ? declaredSecrets(credential.props, declared) : undeclaredSecrets(credential.props);
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2': {
      const telling = Object.entries(credential.data ?? {}).filter(([key]) => TOKEN_DATA.test(key));
      return [credential.accessToken, ...scalarsIn(telling.map(([, value]) => value))];
    }
    default:
      return credential satisfies never;
  }
}

/**
 * Returns the secrets of BASIC_AUTH. Some services use the user name as the key and have no password. If there is a password, the user name is not
 * secret.
 */
function passwordOrName({ username, password }: { username: string; password: string }): string[] {
  return password === '' ? [username] : [password, `${username}:${password}`];
}

function declaredSecrets(props: JsonObject, declared: DeclaredProps): string[] {
  const secret = Object.entries(props).filter(([name]) => !Object.hasOwn(declared, name) || declared[name]!.secret);
  return scalarsIn(secret.map(([, value]) => value));
}

function undeclaredSecrets(props: JsonObject): string[] {
  return scalarsIn(props).filter((secret) => isAtLeast(secret, SHORTEST_UNDECLARED));
}

/** Returns every string and number at any depth. */
function scalarsIn(value: unknown): string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' || typeof next === 'number') found.push(String(next));
    else if (typeof next === 'object' && next !== null) left.push(...Object.values(next));
  }
  return found;
}

function isAtLeast(text: string, points: number): boolean {
  return text.length >= points && [...text.slice(0, 2 * points)].length >= points;
}
