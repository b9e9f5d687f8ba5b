import { Router } from 'express';
import { accountPages } from './account.js';
import { approvalPages } from './approvals/approvals.js';
import { authorizePages } from './authorize/authorize.js';
import { connectPages } from './connect/connect.js';
import { connectPortalPages } from './connect-portal.js';
import { type PageKit } from './kit/page-kit.js';
import { BRAND_PATH, serveBrand } from './kit/stylesheet.js';
import { startPage } from './start.js';
import { signInPages } from './sign-in.js';
import { signInLinkPages } from './sign-in-link.js';
import { signInWithPages } from './sign-in-with.js';
import { signUpPages } from './sign-up.js';

/** Paths of all pages. All their errors are shown on a page, also errors of earlier middleware such as rate limits. */
export const PAGE_PATHS = [
  '/sign-in',
  '/sign-out',
  '/sign-up',
  '/account',
  '/connect',
  '/approvals',
  '/oauth/authorize',
];

/** Serves every page and the stylesheet. */
export function pages(kit: PageKit): Router {
  const router = Router();
  router.get(kit.stylesheet.path, kit.stylesheet.serve);
  router.get(BRAND_PATH, serveBrand);
  router.use(
    startPage(kit),
    signInPages(kit),
    signInLinkPages(kit),
    signInWithPages(kit),
    signUpPages(kit),
    accountPages(kit),
  );
  return router.use(connectPages(kit), connectPortalPages(kit), approvalPages(kit), authorizePages(kit));
}
