import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { toApprovalId } from './request-ids.js';

const TOKEN_PREFIX = 'apr_link_';
/** The end of an end user's token: the id of the portal link that the end user opened. */
const LINK_ID = /\.([0-9a-f-]{36})$/;

/** The bearer of a token: the holder of the hosted link, or the request's end user, signed in with that portal link. */
export type Bearer = { type: 'hosted_link' } | { type: 'end_user'; linkId: string };

/** The pages that decide a request, as paths of the gateway. */
export interface Links {
  /** The page with sign-in; undefined if only the hosted link may decide. */
  approvalUrl?: string;
  /** The page that the token alone authorizes; undefined if the policy allows none. */
  hostedApprovalUrl?: string;
}

export interface LinkKeeper {
  linksTo(request: { id: string; approvalAccessMode: string }): Links;
  /** Returns a token for the end user's own page. */
  endUserTokenOf(id: string, linkId: string): string;
  /** Returns the bearer that the token proves for this request, in constant time; undefined for an invalid token. */
  bearerOf(id: string, token: string): Bearer | undefined;
}

/**
 * Creates links. Later responses repeat a hosted link, so its token is derived from the request's id and a key that is not in the database:
 * read access to the tables is not enough to create a link.
 */
export function linkKeeper(internalKey: string): LinkKeeper {
  const key = Buffer.from(hkdfSync('sha256', internalKey, '', 'approval links', 32));
  const tokenOf = (signed: string): string =>
    TOKEN_PREFIX + createHmac('sha256', key).update(signed).digest('base64url');
  const endUserTokenOf = (id: string, linkId: string): string => `${tokenOf(`end_user ${linkId} ${id}`)}.${linkId}`;
  return {
    linksTo({ id, approvalAccessMode: mode }) {
      const path = `/approvals/${toApprovalId(id)}`;
      return {
        approvalUrl: mode === 'hosted_link_only' ? undefined : path,
        hostedApprovalUrl: mode === 'dashboard_only' ? undefined : `${path}?token=${tokenOf(id)}`,
      };
    },
    endUserTokenOf,
    bearerOf(id, token) {
      const linkId = LINK_ID.exec(token)?.[1];
      const wanted = linkId === undefined ? tokenOf(id) : endUserTokenOf(id, linkId);
      if (!timingSafeEqual(digestOf(token), digestOf(wanted))) return undefined;
      return linkId === undefined ? { type: 'hosted_link' } : { type: 'end_user', linkId };
    },
  };
}

/** Returns a digest of fixed length, as timingSafeEqual requires. */
function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compared').update(text).digest();
}
