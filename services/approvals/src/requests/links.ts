import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { toApprovalId } from './request-ids.js';

const TOKEN_PREFIX = 'apr_link_';

/** As whom a token decides: whoever has the hosted link, or the end user whom the request names. */
const BEARERS = ['hosted_link', 'end_user'] as const;
export type Bearer = (typeof BEARERS)[number];

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
  endUserTokenOf(id: string): string;
  /** As whom the token decides this request, told at constant cost; undefined: it is none of it. */
  bearerOf(id: string, token: string): Bearer | undefined;
}

/**
 * A hosted link stands in later answers too, so that its token is not drawn but derived, from the request's id and a key that no database
 * has: whoever reads the tables can make none.
 */
export function linkKeeper(internalKey: string): LinkKeeper {
  const key = Buffer.from(hkdfSync('sha256', internalKey, '', 'approval links', 32));
  const tokenOf = (id: string, bearer: Bearer): string => {
    const signed = bearer === 'hosted_link' ? id : `${bearer} ${id}`;
    return TOKEN_PREFIX + createHmac('sha256', key).update(signed).digest('base64url');
  };
  return {
    linksTo({ id, approvalAccessMode: mode }) {
      const path = `/approvals/${toApprovalId(id)}`;
      return {
        approvalUrl: mode === 'hosted_link_only' ? undefined : path,
        hostedApprovalUrl: mode === 'dashboard_only' ? undefined : `${path}?token=${tokenOf(id, 'hosted_link')}`,
      };
    },
    endUserTokenOf: (id) => tokenOf(id, 'end_user'),
    bearerOf(id, token) {
      const given = digestOf(token);
      return BEARERS.filter((bearer) => timingSafeEqual(given, digestOf(tokenOf(id, bearer))))[0];
    },
  };
}

/** Of one length, whatever the text. */
function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compared').update(text).digest();
}
