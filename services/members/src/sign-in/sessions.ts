import { ApiError } from '@drawbridge/contracts';
import { toComparableEmail } from '@drawbridge/mail';
import { type SessionServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Implementation } from '@drawbridge/rpc';
import { requireUser } from './auth.js';
import { verifySession } from './live-sessions.js';
import { startSession } from './start-session.js';
import { type Parts } from '../parts.js';

export const sessions = (parts: Parts): Implementation<SessionServiceDefinition> => ({
  async listSignInWays() {
    const shown = parts.providers.map(({ name, displayName }) => ({ name, displayName }));
    return { emailedLinks: parts.mails !== undefined, providers: shown };
  },

  async signIn({ email: given, password, browser }) {
    const email = toComparableEmail(given);
    const { isKnown, succeed } = await parts.attempts.begin(email, browser);
    const its = await parts.auth();
    const who = await requireUser(its, { email, password }, { isKnown, network: browser?.network ?? '' });
    await succeed();
    return { token: await parts.unscoped.$transaction((tx) => startSession(tx, its, { ...who, browser })) };
  },

  verifySession: ({ tokenHash }) => verifySession(parts.pool, parts.plans, tokenHash),

  async refuseSession({ reason }) {
    throw new ApiError('FORBIDDEN', reason);
  },

  async signOut({ token }) {
    await (await parts.auth()).internalAdapter.deleteSession(token);
    return {};
  },
});
