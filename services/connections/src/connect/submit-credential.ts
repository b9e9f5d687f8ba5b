import { invalid } from '@drawbridge/contracts';
import { type Credential, type Piece } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { nothingToRecord } from '@drawbridge/rpc';
import { sizeProblems } from '../credentials.js';
import { accountProblems } from '../oauth/account-addresses.js';
import { type Parts } from '../parts.js';
import { completeCredential } from './complete-credential.js';
import { endSession } from './store-connection.js';
import { type FoundSession, releaseSession, lockSession } from './stored-session.js';

/**
 * Tests the typed credential and completes the session with it. Returns the problem, or undefined on success or if another request ends the session.
 */
export async function submitCredential(
  session: FoundSession,
  { piece, type, fields }: { piece: Piece; type: string; fields: Record<string, string> },
  needs: Parts,
): Promise<ConnectProblem | undefined> {
  const credential = typedCredential(piece, type, fields);
  const secrets = { secrets: secretsOf(credential), labelSecrets: labelSecretsOf(piece, credential) };
  const { orgId, id } = session;
  const { pool, egress, log } = needs;
  const held = await lockSession(pool, orgId, id);
  if (!held) return void nothingToRecord();
  const given = { piece, credential, ...secrets, isTested: true };
  const completed = await completeCredential(given, { send: egress.sendFor(orgId), log }).catch(
    async (error: unknown) => {
      await releaseSession(pool, held);
      throw error;
    },
  );
  if (completed.problem) {
    nothingToRecord();
    await releaseSession(pool, held);
    return completed.problem;
  }
  const { type: _type, ...stored } = completed.credential;
  await endSession(session, held, { type, plaintext: JSON.stringify(stored), label: completed.label }, needs);
  return undefined;
}

type TypedType = 'SECRET_TEXT' | 'BASIC_AUTH' | 'CUSTOM_AUTH';
type TypedCredential = Extract<Credential, { type: TypedType }>;

/** Converts the values of a form to a credential. Throws VALIDATION_ERROR that names missing or oversized fields, but never contains a value. */
export function typedCredential(piece: Piece, type: string, typed: Record<string, string>): TypedCredential {
  const { names, required } = fieldsOf(piece, type);
  const given = names.map((name) => [name, Object.hasOwn(typed, name) ? (typed[name] ?? '') : ''] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const missing = required.filter((name) => filled[name] === undefined);
  const problems = {
    ...accountProblems(piece, type, filled),
    ...sizeProblems(filled),
    ...Object.fromEntries(missing.map((name) => [name, 'is required'])),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  switch (type as TypedType) {
    case 'SECRET_TEXT':
      return { type: 'SECRET_TEXT', secretText: filled['secretText'] ?? '' };
    case 'BASIC_AUTH':
      return { type: 'BASIC_AUTH', username: filled['username'] ?? '', password: filled['password'] ?? '' };
    case 'CUSTOM_AUTH':
      return { type: 'CUSTOM_AUTH', props: filled };
  }
}

/** Returns the secret values of a credential, which the caller removes from error messages, also in encoded forms. */
export function secretsOf(credential: TypedCredential): string[] {
  switch (credential.type) {
    case 'SECRET_TEXT':
      return [credential.secretText];
    case 'BASIC_AUTH':
      return [credential.username, credential.password, `${credential.username}:${credential.password}`];
    case 'CUSTOM_AUTH':
      return Object.values(credential.props).filter((value): value is string => typeof value === 'string');
    default:
      return credential satisfies never;
  }
}

/**
 * Returns the values that must not appear in the label of the account. A user name with a password is not secret, and neither is a field that the
 * piece declares as not secret.
 */
function labelSecretsOf({ auth }: Piece, credential: TypedCredential): string[] {
  if (credential.type === 'BASIC_AUTH' && credential.password !== '')
    return secretsOf(credential).filter((value) => value !== credential.username);
  if (credential.type !== 'CUSTOM_AUTH' || !auth?.props) return secretsOf(credential);
  const { props } = auth;
  const secret = Object.entries(credential.props).filter(([name]) => props[name]?.secret ?? true);
  return secretsOf({ ...credential, props: Object.fromEntries(secret) });
}

function fieldsOf({ auth }: Piece, type: string): { names: string[]; required: string[] } {
  if (type === 'SECRET_TEXT') return { names: ['secretText'], required: ['secretText'] };
  // The password is optional, because Stripe and other providers use the user name as the API key.
  if (type === 'BASIC_AUTH') return { names: ['username', 'password'], required: ['username'] };
  const props = Object.entries(auth?.props ?? {});
  return {
    names: props.map(([name]) => name),
    required: props.filter(([, prop]) => prop.required).map(([name]) => name),
  };
}
