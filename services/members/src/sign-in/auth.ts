import { randomBytes } from 'node:crypto';
import { ApiError, hashToken } from '@drawbridge/contracts';
import { currentContext } from '@drawbridge/rpc';
import type { AuthContext, BetterAuthOptions, DBAdapter } from 'better-auth';
import { type PrismaClient as Db, type Prisma } from '../gen/prisma/client.js';
import { hashPassword, isPassword, type Waiting } from '../hash-password.js';

/** The parts of the better-auth library that are used: accounts, sessions and passwords. */
export interface Auth extends Pick<AuthContext, 'internalAdapter'> {
  password: {
    hash(password: string, who: Waiting): Promise<string>;
    verify(compared: { hash: string; password: string }, who: Waiting): Promise<boolean>;
  };
  /** Runs better-auth within a transaction of the caller. */
  within(tx: Prisma.TransactionClient): Pick<AuthContext['internalAdapter'], 'createSession' | 'findAccounts'>;
}

/** Loads better-auth at the first sign-in, because loading takes 0.4 s and 30 MB, which a process without sign-ins saves. */
export function lazyAuth(db: Db): () => Promise<Auth> {
  let opened: Promise<Auth> | undefined;
  return () => (opened ??= openAuth(db));
}

/** Opens better-auth on the tables of the members service. Its HTTP handlers are not used, because the gateway sets the cookies. */
async function openAuth(db: Db): Promise<Auth> {
  const [{ betterAuth }, { createInternalAdapter }, { prismaAdapter }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/db'),
    import('better-auth/adapters/prisma'),
  ]);
  const storedIn = (client: Prisma.TransactionClient) => (options: BetterAuthOptions) =>
    hashedTokens(prismaAdapter(client, { provider: 'postgresql' })(options));
  const { $context } = betterAuth({
    database: storedIn(db),
    secret: randomBytes(32).toString('base64'), // Required, but signs only the cookies of better-auth, which are not used.
    baseURL: 'http://members.invalid',
    advanced: { database: { generateId: 'uuid' } },
    emailAndPassword: { enabled: true },
    session: { additionalFields: { activeOrgId: { type: 'string', required: false, input: false } } },
    telemetry: { enabled: false },
    logger: { log: (level, message) => void currentContext()?.log[level]({ reason: message }, 'sign-in') },
  });
  const { internalAdapter, options, logger, generateId } = await $context;
  const password: Auth['password'] = {
    hash: hashPassword,
    verify: (compared, who) => isPassword(compared.password, compared.hash, who),
  };
  const within: Auth['within'] = (tx) =>
    createInternalAdapter(storedIn(tx)(options), { options, logger, generateId, hooks: [] });
  return { internalAdapter, password, within };
}

/**
 * A hash that belongs to no account. For an unknown email address, the password is compared with it, so that the response takes as long as for an
 * existing account.
 */
const NOBODYS = `scrypt$N=32768,r=8,p=3$${randomBytes(16).toString('base64')}$${randomBytes(32).toString('base64')}`;

/**
 * Returns the user with this email address and password, and the stored hash. Throws the same UNAUTHENTICATED error after the same amount of work for
 * every wrong input, so that it does not reveal which addresses have an account.
 */
export async function requireUser(
  { internalAdapter, password }: Auth,
  { email, password: given }: { email: string; password: string },
  who: Waiting,
) {
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
  const hash = found?.accounts.find(isPasswordAccount)?.password;
  const isRight = await password.verify({ hash: hash ?? NOBODYS, password: given }, who);
  if (found && hash && isRight) return { userId: found.user.id, passwordHash: hash };
  throw wrongCredentials();
}

export function wrongCredentials(): ApiError {
  const details = { reason: 'wrong_credentials' };
  return new ApiError('UNAUTHENTICATED', 'The email or the password is wrong', { details });
}

export const isPasswordAccount = ({ providerId }: { providerId: string }): boolean => providerId === 'credential';

interface Question {
  model: string;
  where?: { field: string; value: unknown }[];
}

/**
 * Returns an adapter that stores only the SHA-256 of session tokens, because better-auth would store the tokens themselves. Queries still pass plain
 * tokens and find them in the result.
 */
function hashedTokens(stored: DBAdapter): DBAdapter {
  return {
    ...stored,
    async create(given) {
      if (given.model !== 'session') return stored.create(given);
      const { token } = given.data as unknown as { token: string };
      const row = await stored.create({ ...given, data: { ...given.data, token: hashToken(token) } });
      return { ...(row as object), token } as never;
    },
    async findOne(asked) {
      const row = await stored.findOne(hashed(asked));
      return (row && tokenOf(asked) ? { ...row, token: tokenOf(asked) } : row) as never;
    },
    findMany: (asked) => stored.findMany(hashed(asked)),
    count: (asked) => stored.count(hashed(asked)),
    async update(asked) {
      const row = await stored.update<object>(hashed(asked));
      return (row && tokenOf(asked) ? { ...row, token: tokenOf(asked) } : row) as never;
    },
    updateMany: (asked) => stored.updateMany(hashed(asked)),
    delete: (asked) => stored.delete(hashed(asked)),
    deleteMany: (asked) => stored.deleteMany(hashed(asked)),
    consumeOne: (asked) => stored.consumeOne(hashed(asked)),
  };
}

function tokenOf({ model, where = [] }: Question): unknown {
  return model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined;
}

function hashed<Q extends Question>(asked: Q): Q {
  if (tokenOf(asked) === undefined) return asked;
  const where = asked.where?.map((one) => (one.field === 'token' ? { ...one, value: toHashes(one.value) } : one));
  return { ...asked, where };
}

function toHashes(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => hashToken(String(one))) : hashToken(String(value));
}
