import { invalid } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import { type Credential, isCredentialRefused, type Piece, ProviderError, testCredential } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { nothingToRecord } from '@drawbridge/rpc';
import { sizeProblems } from '../credentials.js';
import { shownWords } from '../oauth/provider-problem.js';
import { type Parts } from '../parts.js';
import { endSession } from './store-connection.js';
import { type FoundSession, releaseSession, lockSession } from './stored-session.js';

interface Typed {
  piece: Piece;
  type: string;
  fields: Record<string, string>;
}

/** Tests the typed credential and ends the session with it. Returns the problem; undefined also if another request has ended the session. */
export async function submitCredential(
  session: FoundSession,
  { piece, type, fields }: Typed,
  needs: Parts,
): Promise<ConnectProblem | undefined> {
  const credential = typedCredential(piece, type, fields);
  const { orgId, id } = session;
  const held = await lockSession(needs.pool, orgId, id);
  if (!held) return void nothingToRecord();
  const problem = await tryCredential(piece, credential, needs.egress.sendFor(orgId)).catch(async (error: unknown) => {
    await releaseSession(needs.pool, held);
    throw error;
  });
  if (problem) {
    nothingToRecord();
    await releaseSession(needs.pool, held);
    return problem;
  }
  const { type: _type, ...stored } = credential;
  await endSession(session, held, { type, plaintext: JSON.stringify(stored) }, needs);
  return undefined;
}

const TIMEOUT_MS = 15_000;
/** Limits the wait for a busy provider, because a user waits for the page. */
const BUSY_MS = 5_000;

/** Returns why the provider refuses a credential or could not be called. Undefined: no problem was found. */
async function tryCredential(
  piece: Piece,
  credential: ReturnType<typeof typedCredential>,
  send: Send,
): Promise<ConnectProblem | undefined> {
  try {
    await testCredential(piece, { credential, send, timeoutMs: TIMEOUT_MS, limitMs: BUSY_MS });
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return { code: 'away' };
    if (!(error instanceof ProviderError)) throw error;
    const message = shownWords(error.message, secretsOf(credential));
    return { code: isRefusal(piece, error) ? 'refused' : 'away', message };
  }
}

/** Returns whether the failure concerns the credential. A rate limit or a server error says nothing about it. */
function isRefusal(piece: Piece, error: ProviderError): boolean {
  const { status = 0, retryable } = error;
  return isCredentialRefused(piece, error) || (!retryable && status < 500);
}

type TypedType = 'SECRET_TEXT' | 'BASIC_AUTH' | 'CUSTOM_AUTH';
type TypedCredential = Extract<Credential, { type: TypedType }>;

/** Converts the values of a form for that type. Throws VALIDATION_ERROR that names missing or oversized fields, never a value. */
export function typedCredential(piece: Piece, type: string, typed: Record<string, string>): TypedCredential {
  const { names, required } = fieldsOf(piece, type);
  const given = names.map((name) => [name, Object.hasOwn(typed, name) ? (typed[name] ?? '') : ''] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const missing = required.filter((name) => filled[name] === undefined);
  const problems = { ...sizeProblems(filled), ...Object.fromEntries(missing.map((name) => [name, 'is required'])) };
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

/** Returns the values that no message may contain, in any encoding. */
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

function fieldsOf({ auth }: Piece, type: string): { names: string[]; required: string[] } {
  if (type === 'SECRET_TEXT') return { names: ['secretText'], required: ['secretText'] };
  // Stripe and others take a key as the username alone.
  if (type === 'BASIC_AUTH') return { names: ['username', 'password'], required: ['username'] };
  const props = Object.entries(auth?.props ?? {});
  return {
    names: props.map(([name]) => name),
    required: props.filter(([, prop]) => prop.required).map(([name]) => name),
  };
}
