import { randomBytes } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { currentContext } from '@drawbridge/rpc';
import type { AuthContext, BetterAuthOptions } from 'better-auth';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { hashPassword, isPassword } from '../hash-password.js';
import { hashedTokens } from './hashed-tokens.js';
import { noSuchSession, IDLE_SECONDS } from './session-verification.js';

/** better-auth's own parts: who has which accounts and sessions, and what a password must be. */
export interface Auth extends Pick<AuthContext, 'internalAdapter'> {
  password: Pick<AuthContext['password'], 'hash' | 'verify'>;
}

/** Its code is read when the first person signs in: 0.4 s and 30 MB that a process without people never pays. */
export function lazyAuth(db: Db): () => Promise<Auth> {
  let opened: Promise<Auth> | undefined;
  return () => (opened ??= openAuth(db));
}

/** On our tables. Nothing of its HTTP side is used: cookies are the gateway's. */
async function openAuth(db: Db): Promise<Auth> {
  const [{ betterAuth }, { prismaAdapter }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters/prisma'),
  ]);
  const stored = prismaAdapter(db, { provider: 'postgresql' });
  const { $context } = betterAuth({
    database: (options: BetterAuthOptions) => hashedTokens(stored(options)),
    secret: randomBytes(32).toString('base64'), // signs cookies, of which there are none
    baseURL: 'http://members.invalid',
    advanced: { database: { generateId: 'uuid' } },
    emailAndPassword: {
      enabled: true,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    session: {
      expiresIn: IDLE_SECONDS,
      additionalFields: { activeOrgId: { type: 'string', required: false, input: false } },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({ data: { ...session, activeOrgId: await homeOf(db, session.userId) } }),
        },
      },
    },
    telemetry: { enabled: false },
    logger: { log: (level, message) => void currentContext()?.log[level]({ reason: message }, 'sign-in') },
  });
  return $context;
}

/** Where a new session acts: in the organization that the user joined first. */
async function homeOf(db: Db, userId: string): Promise<string | undefined> {
  const member = await db.member.findFirst({ where: { userId }, orderBy: { createdAt: 'asc' } });
  return member?.orgId;
}

/** Nobody's: to compare with it costs what comparing with a real one does. */
const NOBODYS = `scrypt$N=32768,r=8,p=3$${randomBytes(16).toString('base64')}$${randomBytes(32).toString('base64')}`;

/** The user whose email and password these are. Throws UNAUTHENTICATED, alike whatever is wrong, after the same work. */
export async function requireUser({ internalAdapter, password }: Auth, email: string, given: string) {
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
  const hash = found?.accounts.find(isPasswordAccount)?.password;
  const isRight = await password.verify({ hash: hash ?? NOBODYS, password: given });
  if (found && hash && isRight) return found.user;
  throw new ApiError('UNAUTHENTICATED', 'The email or the password is wrong', {
    details: { reason: 'wrong_credentials' },
  });
}

export const isPasswordAccount = ({ providerId }: { providerId: string }): boolean => providerId === 'credential';

/** A new session of the user's; the token is told to nobody else. */
export async function startSession({ internalAdapter }: Auth, userId: string, browser?: Browser): Promise<string> {
  const from = { ipAddress: browser?.address ?? '', userAgent: browser?.userAgent ?? '' };
  return (await internalAdapter.createSession(userId, false, from)).token;
}

/** Whose session it is. Throws UNAUTHENTICATED for one that is unknown, ended or expired. */
export async function requireSession({ internalAdapter }: Auth, token: string) {
  const found = await internalAdapter.findSession(token);
  if (!found || found.session.expiresAt <= new Date()) throw noSuchSession();
  return found;
}
