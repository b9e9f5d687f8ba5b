import { ApiError } from '@drawbridge/contracts';
import { toEmail } from '@drawbridge/mail';
import { type SignInLinkServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_links';
import { type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Attempts } from './attempts.js';
import { type Auth } from './auth.js';
import { type WantedLink } from './link-mails.js';
import { proveEmail } from './prove-email.js';
import { startSession } from './start-session.js';
import { showLink, takeLink } from './stored-links.js';

interface Needs {
  auth(): Promise<Auth>;
  askedLinks: Attempts;
  unscoped: Db;
  /** Undefined if no mail is configured. */
  mailLink?(wanted: WantedLink): Promise<void>;
}

export const links = ({
  auth,
  askedLinks,
  unscoped: db,
  mailLink,
}: Needs): Implementation<SignInLinkServiceDefinition> => ({
  async sendSignInLink({ email: given, next, language, browser }) {
    if (!mailLink) throw new ApiError('NOT_FOUND', 'No mail is sent from here');
    const email = toEmail(given);
    await askedLinks.begin(email, browser);
    // The mail's job looks up the user, so that the response does not reveal whether there is one.
    await mailLink({ email, next, language });
    return {};
  },

  showSignInLink: ({ token }) => showLink(db, token),

  async useSignInLink({ token, browser }) {
    const its = await auth();
    const { email, ...session } = await db.$transaction(async (tx) => {
      const userId = await takeLink(tx, token);
      const passwordRemoved = await proveEmail(tx, userId);
      const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
      return { email, passwordRemoved, token: await startSession(tx, its, { userId, browser }) };
    });
    await askedLinks.remember(email, browser);
    return session;
  },
});
