import { ApiError, hashToken } from '@drawbridge/contracts';
import { type Authorization, type Person } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { secretCookie, secretIn } from '../../auth/secret-cookies.js';
import { requireOwnSite } from '../../http/site.js';
import {
  type AuthorizationRequest,
  isOnThisMachine,
  placeOf,
  readAuthorizationRequest,
  type Refusal,
  scopesToGive,
} from '../../mcp/oauth/authorization-request.js';
import { type Asked, messagePage, type Onward, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { unless } from '../../clients.js';
import { Fact } from '../kit/parts.js';

export const HERE = '/oauth/authorize';

/** A valid authorization request, and the user of the browser, who may not be identified yet. */
export interface Entered {
  asked: Asked;
  wanted: AuthorizationRequest;
  authorization: Authorization;
  person: Person;
  brand: Brand;
}

/** Reads the authorization request. If it is not valid, returns an error page, or the redirect that reports the error to the client. */
export async function enter(kit: PageKit, asked: Asked): Promise<{ entered: Entered } | PageAnswer | Onward> {
  requireOwnSite(asked.request, kit.site);
  const wanted = await readAuthorizationRequest(kit, asked.request);
  // This error is shown to the user and not sent to the client: the redirect URI is not verified and could belong to an attacker.
  if ('page' in wanted) return messagePage(asked.words.authorize.bad[wanted.page], { status: 400 });
  if ('away' in wanted) return leadAway(asked, wanted);
  const refuse = (error: string, error_description: string) =>
    leadAway(asked, { redirectUri: wanted.redirectUri, away: wanted.answer({ error, error_description }) });
  const person = await personOf(kit, asked, wanted.serverId);
  const authorization = await kit.clients.mcpOAuth
    .getAuthorization({ serverId: wanted.serverId, person })
    .catch((error: unknown) => problemOf(error));
  if (Array.isArray(authorization)) return refuse(...authorization);
  if (scopesToGive(wanted, authorization).length === 0)
    return refuse('invalid_scope', 'The server supports none of the requested scopes');
  const brand = await kit.clients.organizations.getBrand({ orgId: authorization.orgId });
  return { entered: { asked, wanted, authorization, person, brand } };
}

function problemOf(error: unknown): [string, string] {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return ['invalid_target', 'There is no such MCP server'];
  if (error instanceof ApiError && error.code === 'FORBIDDEN') return ['access_denied', 'The MCP server is suspended'];
  throw error;
}

/** Returns the signed-in user, and the hash that identifies an email address that this browser may have verified. */
async function personOf(kit: PageKit, { request, response }: Asked, serverId: string): Promise<Person> {
  const secret = secretIn(secretCookie(kit.site, 'authorize'), { request, response });
  // The hash includes the MCP server, so that an email address that was verified for one workspace does not count as verified in another.
  const flowHash = hashToken(`${secret} ${serverId}`);
  const token = kit.cookie.read(request);
  const account = token === undefined ? undefined : await findAccount(kit, token);
  if (!account?.user) return { flowHash };
  const { id: userId, email, name } = account.user;
  return { flowHash, userId, email: account.isEmailProven ? email : undefined, name };
}

function findAccount({ clients }: PageKit, token: string) {
  return clients.accounts.getAccount({ token, sessionsPage: 0 }).catch(unless('UNAUTHENTICATED'));
}

/**
 * Sends an error to the client. Anyone can register any redirect URI, so the user must click a link to it, unless it leads to their own machine (RFC
 * 9700, 4.11.2).
 */
function leadAway({ words }: Asked, { redirectUri, away }: Refusal): PageAnswer | Onward {
  if (isOnThisMachine(redirectUri)) return { away };
  const its = words.authorize;
  const { host, isLocal } = placeOf(redirectUri);
  const link = (
    <>
      <dl class="facts">
        <Fact name={its.goesTo} value={isLocal ? its.onThisDevice(host) : host} />
      </dl>
      <a class="button" href={away} rel="noreferrer">
        {its.back}
      </a>
    </>
  );
  return messagePage(its.bad.asked, { status: 400, link });
}
