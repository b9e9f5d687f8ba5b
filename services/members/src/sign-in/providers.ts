import { randomBytes } from 'node:crypto';
import { hashToken, newId, notFound } from '@drawbridge/contracts';
import { type Send } from '@drawbridge/egress';
import { type SignInProviderServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_providers';
import { type Implementation } from '@drawbridge/rpc';
import { type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Attempts } from './attempts.js';
import { type Auth } from './auth.js';
import { userOf } from './identities.js';
import { oidcClient } from './oidc-client.js';
import { type OidcProvider } from './oidc-providers.js';
import { refusal } from './refusal.js';
import { startSession } from './start-session.js';

const SECRET_BYTES = 32;

interface Needs {
  auth(): Promise<Auth>;
  attempts: Pick<Attempts, 'remember'>;
  unscoped: Db;
  providers: OidcProvider[];
  baseUrl: string;
  send: Send;
}

export function signInProviders(needs: Needs): Implementation<SignInProviderServiceDefinition> {
  const { auth, attempts, unscoped: db, providers, baseUrl, send } = needs;
  const callbackOf = (name: string): string => `${baseUrl}/sign-in/with/${name}/back`;
  const clients = new Map(providers.map((one) => [one.name, oidcClient(one, callbackOf(one.name), send)]));
  const clientOf = (name: string) => clients.get(name) ?? refuse(name);
  return {
    async startSignIn({ provider, next }) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const url = await clientOf(provider).start(secret);
      await storeStart(db, { secret, provider, next });
      return { url, secret };
    },

    async finishSignIn({ provider, secret, query, browser }) {
      const client = clientOf(provider);
      const next = await takeStart(db, { secret, provider });
      const identity = await client.finish(secret, new URL(`${callbackOf(provider)}?${query}`));
      const its = await auth();
      const { email, ...session } = await db.$transaction(async (tx) => {
        const { user, passwordRemoved } = await userOf(tx, identity);
        const token = await startSession(tx, its, { userId: user.id, browser });
        return { email: user.email, passwordRemoved, token };
      });
      await attempts.remember(email, browser);
      return { session, next };
    },
  };
}

interface Start {
  secret: string;
  provider: string;
}

async function storeStart(db: Db, { next, ...start }: Start & { next: string }): Promise<void> {
  await db.$executeRaw`
    INSERT INTO members.verifications (id, identifier, value, expires_at, updated_at)
    VALUES (${newId()}::uuid, ${identifierOf(start)}, ${next}, now() + interval '10 minutes', now())`;
}

/**
 * Uses up the start of a sign-in, and returns where the browser continues. If several requests use one secret, one succeeds. Throws UNAUTHENTICATED
 * with the reason `over`.
 */
async function takeStart(db: Pick<Prisma.TransactionClient, '$queryRaw'>, start: Start): Promise<string> {
  const [taken] = await db.$queryRaw<{ value: string }[]>`
    DELETE FROM members.verifications
    WHERE identifier = ${identifierOf(start)} AND expires_at > now() RETURNING value`;
  if (!taken) throw refusal('over');
  return taken.value;
}

/** Includes the provider, so that no other provider can finish the sign-in. */
const identifierOf = ({ secret, provider }: Start): string => `sign-in-at:${provider}:${hashToken(secret)}`;

function refuse(name: string): never {
  throw notFound('Identity provider', name);
}
