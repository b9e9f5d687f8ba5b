import { type AuthProp, type Credential, type JsonObject } from '@drawbridge/piece-kit';

/** What is shorter stands in any text by chance, and replacing it would only break the text. */
const SHORTEST = 4;
/** Where nobody said which props are secret, the short ones are names and places: `eu`, `v2`, `sandbox`. */
const SHORTEST_UNDECLARED = 8;
/** A token endpoint names its secrets freely, so that a part of a key is enough. Such values are in no input that a person reads. */
const TOKEN_DATA = /authorization|cookie|passw|secret|token|api[-_]?key|private[-_]?key/i;

type DeclaredProps = Readonly<Record<string, AuthProp>>;

/** What of an opened credential is secret: the rule of SECURITY.md. `declared`: the props that its piece says it has. */
export function secretsOf(credential: Credential | undefined, declared?: DeclaredProps): string[] {
  const longEnough = (secret: string): boolean => isAtLeast(secret, SHORTEST);
  // A key as it stands in its file ends with a line; who quotes it mostly leaves that out.
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

/** Some services take a key as the user name, without a password. Beside a password the name is public: `admin`, an email. */
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

/** Every string and number, however deep. */
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
