import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { toApprovalId } from './request-ids.js';

const TOKEN_PREFIX = 'apr_link_';

/** Where a request is decided, as paths of the gateway. */
export interface Links {
  /** For who can sign in; undefined where a hosted link alone leads there. */
  approvalUrl?: string;
  /** For whoever has it; undefined where the policy allows none. */
  hostedApprovalUrl?: string;
}

export interface LinkKeeper {
  linksTo(request: { id: string; approvalAccessMode: string }): Links;
  /** Whether the token is the one of this request, told at constant cost. */
  isTokenOf(id: string, token: string): boolean;
}

/**
 * A hosted link stands in later answers too, so that its token is not drawn but derived, from the request's id and a key that no database
 * has: whoever reads the tables can make none.
 */
export function linkKeeper(internalKey: string): LinkKeeper {
  const key = Buffer.from(hkdfSync('sha256', internalKey, '', 'approval links', 32));
  const tokenOf = (id: string): string => TOKEN_PREFIX + createHmac('sha256', key).update(id).digest('base64url');
  return {
    linksTo({ id, approvalAccessMode: mode }) {
      const path = `/approvals/${toApprovalId(id)}`;
      return {
        approvalUrl: mode === 'hosted_link_only' ? undefined : path,
        hostedApprovalUrl: mode === 'dashboard_only' ? undefined : `${path}?token=${tokenOf(id)}`,
      };
    },
    isTokenOf: (id, token) => timingSafeEqual(digestOf(token), digestOf(tokenOf(id))),
  };
}

/** Of one length, whatever the text. */
function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compared').update(text).digest();
}
