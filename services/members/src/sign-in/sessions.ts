import { ApiError, type Plans } from '@drawbridge/contracts';
import { toComparableEmail } from '@drawbridge/mail';
import { type SessionServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Attempts } from './attempts.js';
import { type OidcProvider } from './oidc-providers.js';
import { type Auth, requireUser } from './auth.js';
import { verifySession } from './session-verification.js';
import { startSession } from './start-session.js';

interface Needs {
  auth(): Promise<Auth>;
  attempts: Attempts;
  unscoped: Db;
  pool: Pool;
  plans: Plans;
  mailLink?: unknown;
  providers: OidcProvider[];
}

export const sessions = ({
  auth,
  attempts,
  unscoped: db,
  pool,
  plans,
  mailLink,
  providers,
}: Needs): Implementation<SessionServiceDefinition> => ({
  async listSignInWays() {
    const shown = providers.map(({ name, displayName }) => ({ name, displayName }));
    return { emailedLinks: mailLink !== undefined, providers: shown };
  },

  async signIn({ email: given, password, browser }) {
    const email = toComparableEmail(given);
    const { isKnown, succeed } = await attempts.begin(email, browser);
    const its = await auth();
    const who = await requireUser(its, { email, password }, { isKnown, network: browser?.network ?? '' });
    await succeed();
    return { token: await db.$transaction((tx) => startSession(tx, its, { ...who, browser })) };
  },

  verifySession: ({ tokenHash }) => verifySession(pool, plans, tokenHash),

  async refuseSession({ reason }) {
    throw new ApiError('FORBIDDEN', reason);
  },

  async signOut({ token }) {
    await (await auth()).internalAdapter.deleteSession(token);
    return {};
  },
});
