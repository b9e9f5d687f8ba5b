import { readFileSync } from 'node:fs';

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const KEYS = ['issuer', 'clientId', 'clientSecret', 'displayName', 'scopes'];
const MAX_PROVIDERS = 20;

/** An identity provider that the operator configured. */
export interface OidcProvider {
  /** The name of the provider in URLs of Drawbridge. */
  name: string;
  /** The name on the button of the sign-in page. */
  displayName: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
}

/**
 * Parses OIDC_PROVIDERS: a JSON object that maps names to providers, or the path of a file that contains such an object. Throws an Error that
 * contains the name of the invalid entry and no value, because any value may be a secret.
 */
export function parseOidcProviders(text: string): OidcProvider[] {
  const written = text.trim();
  if (written === '') return [];
  const entries = Object.entries(toObject(readJson(written), 'it'));
  if (entries.length > MAX_PROVIDERS) throw new Error(`OIDC_PROVIDERS: more than ${MAX_PROVIDERS} providers`);
  return entries.map(([name, value]) => toProvider(name, value));
}

function readJson(written: string): unknown {
  try {
    return JSON.parse(written.startsWith('{') ? written : readFileSync(written, 'utf8'));
  } catch {
    throw new Error('OIDC_PROVIDERS: must be a JSON object or the path of a file with one');
  }
}

function toProvider(name: string, value: unknown): OidcProvider {
  if (!NAME.test(name)) throw new Error('OIDC_PROVIDERS: a name must be 1 to 40 letters a-z, digits or hyphens');
  const given = toObject(value, name);
  const unknown = Object.keys(given).findIndex((key) => !KEYS.includes(key));
  if (unknown >= 0) throw new Error(`OIDC_PROVIDERS: ${name} has an unknown key. The keys are ${KEYS.join(', ')}`);
  const of = (key: string, otherwise?: string): string => {
    const found = given[key] ?? otherwise;
    if (typeof found === 'string' && found !== '') return found;
    throw new Error(`OIDC_PROVIDERS: ${name}.${key} must be a string`);
  };
  const scopes = [...new Set(['openid', ...of('scopes', 'email profile').split(/\s+/)])];
  return {
    name,
    displayName: of('displayName', name),
    issuer: requireIssuer(name, of('issuer')),
    clientId: of('clientId'),
    clientSecret: of('clientSecret'),
    scopes,
  };
}

/**
 * Throws unless the issuer is an https URL without credentials, query and fragment. TLS is required, because the response of the provider determines
 * which user signs in.
 */
function requireIssuer(name: string, issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol === 'https:' && url.username + url.password + url.search + url.hash === '') return issuer;
  throw new Error(`OIDC_PROVIDERS: ${name}.issuer must be an https URL`);
}

function toObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`OIDC_PROVIDERS: ${what} must be a JSON object`);
}
