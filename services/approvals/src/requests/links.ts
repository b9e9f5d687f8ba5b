import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { toApprovalId } from './request-ids.js';

const TOKEN_PREFIX = 'apr_link_';
/** At the end of a token of an end user: by which link they came. */
const LINK_ID = /\.([0-9a-f-]{36})$/;

/** As whom a token decides: whoever has the hosted link, or the end user whom the request names, who came by that link to their portal. */
export type Bearer = { type: 'hosted_link' } | { type: 'end_user'; linkId: string };

/** Where a request is decided, as paths of the gateway. */
export interface Links {
  /** For who can sign in; undefined where a hosted link alone leads there. */
  approvalUrl?: string;
  /** For whoever has it; undefined where the policy allows none. */
  hostedApprovalUrl?: string;
}

export interface LinkKeeper {
  linksTo(request: { id: string; approvalAccessMode: string }): Links;
  /** For the end user alone, on a page of theirs. */
  endUserTokenOf(id: string, linkId: string): string;
  /** As whom the token decides this request, told at constant cost; undefined: it is none of it. */
  bearerOf(id: string, token: string): Bearer | undefined;
}

/**
 * A hosted link stands in later answers too, so that its token is not drawn but derived, from the request's id and a key that no database
 * has: whoever reads the tables can make none.
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

/** Of one length, whatever the text. */
function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compared').update(text).digest();
}
