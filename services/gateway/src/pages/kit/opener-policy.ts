import { type Request } from 'express';
import { returnTo } from './form.js';

/** The flows that report to the window that opened them: the connect flow without the portal, and the consent to an OAuth client. */
const REPORTS = /^\/(connect(?!\/portal)|oauth\/authorize)(?![^/?])/;
const SIGN_IN = /^\/sign-in(?![^/?])/;

/**
 * Returns the `Cross-Origin-Opener-Policy` of a page. A browser drops the reference to the window that opened a flow at the first page of the flow with
 * `same-origin`, so every page of such a flow preserves it, also a sign-in that continues the flow and the error pages. All other pages drop it.
 */
export function openerPolicy({ originalUrl, query }: Pick<Request, 'originalUrl' | 'query'>): string {
  const path = SIGN_IN.test(originalUrl) ? returnTo(query['next']) : originalUrl;
  return REPORTS.test(path) ? 'unsafe-none' : 'same-origin';
}
