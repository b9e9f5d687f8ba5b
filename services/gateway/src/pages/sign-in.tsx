import { ApiError } from '@drawbridge/contracts';
import { Router } from 'express';
import { type VNode } from 'preact';
import { browserOf } from './kit/browser-of.js';
import { inWords } from './kit/page-error.js';
import { type Asked, page, type PageAnswer, type PageKit } from './kit/page-kit.js';
import { Notice } from './kit/parts.js';
import { readForm } from './kit/read-form.js';
import { returnTo } from './kit/return-to.js';
import { type Shown, SignInBody } from './sign-in-body.js';

/** Serves `/sign-in` and `/sign-out`. */
export function signInPages(kit: PageKit): Router {
  const { clients, cookie, site } = kit;
  const router = Router();

  router.get(
    '/sign-in',
    page(kit, async (asked) => {
      const next = returnTo(asked.request.query['next']);
      if (await isSignedIn(kit, asked)) return { to: next };
      return signInPage(kit, asked, { next, notice: doneNotice(asked) });
    }),
  );

  router.post(
    '/sign-in',
    page(kit, (asked) => signIn(kit, asked)),
  );

  router.post(
    '/sign-in/email',
    page(kit, (asked) => mailLink(kit, asked)),
  );

  router.post(
    '/sign-out',
    page(kit, async ({ request, response }) => {
      await readForm(request, site);
      const token = cookie.read(request);
      if (token) await clients.sessions.signOut({ token });
      cookie.clear(response);
      return { to: '/sign-in?ended' };
    }),
  );
  return router;
}

async function signIn(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, response } = asked;
  const form = await readForm(request, kit.site);
  const [email, next] = [form('email').trim(), returnTo(form('next'))];
  try {
    const browser = browserOf(kit, asked);
    const { token } = await kit.clients.sessions.signIn({ email, password: form('password'), browser });
    kit.cookie.set(response, token);
    return { to: next };
  } catch (error) {
    return refusedPage(kit, asked, { error, email, next });
  }
}

/** The response is the same whether the account exists or not. */
async function mailLink(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, words } = asked;
  const form = await readForm(request, kit.site);
  const [email, next] = [form('email').trim(), returnTo(form('next'))];
  try {
    const wanted = { email, next, language: words.language, browser: browserOf(kit, asked) };
    await kit.clients.signInLinks.sendSignInLink(wanted);
    return { to: `/sign-in?sent&next=${encodeURIComponent(next)}` };
  } catch (error) {
    return refusedPage(kit, asked, { error, email, next });
  }
}

async function isSignedIn({ clients, cookie }: PageKit, { request }: Asked): Promise<boolean> {
  const token = cookie.read(request);
  if (!token) return false;
  return clients.accounts.getAccount({ token, sessionsPage: 0 }).then(
    () => true,
    () => false,
  );
}

/** Returns the notice about the previous step. */
function doneNotice({ request, words }: Asked): VNode | undefined {
  const said = (['ended', 'sent'] as const).find((name) => request.query[name] !== undefined);
  return said && <Notice kind="good">{words.signIn[said]}</Notice>;
}

/** The page is the same whether the account exists or not. */
async function refusedPage(
  kit: PageKit,
  asked: Asked,
  { error, email, next }: { error: unknown; email: string; next: string },
): Promise<PageAnswer> {
  const { words, response } = asked;
  if (!(error instanceof ApiError)) throw error;
  const { status, details } = error;
  switch (error.code) {
    case 'VALIDATION_ERROR':
      return { ...(await signInPage(kit, asked, { email, next, problem: words.problems.email })), status };
    case 'RATE_LIMITED':
      response.setHeader('Retry-After', String(details['retryAfter'] ?? 60));
      break;
    case 'UNAUTHENTICATED':
      break;
    default:
      throw error;
  }
  const said = error.code === 'UNAUTHENTICATED' ? words.signIn.wrong : inWords(error, words);
  return { ...(await signInPage(kit, asked, { email, next, notice: <Notice kind="bad">{said}</Notice> })), status };
}

async function signInPage({ clients }: PageKit, { words, path }: Asked, shown: Shown): Promise<PageAnswer> {
  const ways = await clients.sessions.listSignInWays({});
  return { title: words.signIn.title, body: <SignInBody {...shown} ways={ways} words={words} path={path} /> };
}
