import { type Request } from 'express';
import { returnTo } from './form.js';

/** The flows that report to the window that opened them: the connect flow without the portal, and the consent to an OAuth client. */
const REPORTS = /^\/(connect(?!\/portal)|oauth\/authorize)(?![^/?])/i;
const SIGN_IN = /^\/sign-(in|out)(?![^/?])/i;

/**
 * Returns the `Cross-Origin-Opener-Policy` of a page. A browser drops the reference to the window that opened a flow at the first page of the flow with
 * `same-origin`, so every page of such a flow preserves it, also a sign-in that continues the flow and the error pages. All other pages drop it. The
 * return from an identity provider and the form of an emailed link drop it too if they fail, because their URL does not contain where they lead.
 */
export function openerPolicy({ originalUrl, query }: Pick<Request, 'originalUrl' | 'query'>): string {
  const path = SIGN_IN.test(originalUrl) ? returnTo(query['next']) : originalUrl;
  return REPORTS.test(path) ? 'unsafe-none' : 'same-origin';
}
