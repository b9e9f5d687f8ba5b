import { ApiError } from '@drawbridge/contracts';
import { Router } from 'express';
import { browserOf } from './kit/browser-of.js';
import { type Asked, type Onward, page, type PageAnswer, type PageKit } from './kit/page-kit.js';
import { Notice } from './kit/parts.js';
import { returnTo } from './kit/return-to.js';
import { type Words } from './words/en.js';

const MAX_QUERY = 8_000;

/**
 * Serves `/sign-in/with/<provider>`, which redirects to an identity provider, and `/sign-in/with/<provider>/back`, to which the provider redirects.
 */
export function signInWithPages(kit: PageKit): Router {
  const { clients, flowCookie } = kit;
  const router = Router();
  router.get(
    '/sign-in/with/:provider',
    page(kit, (asked) =>
      shown(asked, async ({ request, response }) => {
        const provider = String(request.params['provider']);
        const next = returnTo(request.query['next']);
        const { url, secret } = await clients.signInProviders.startSignIn({ provider, next });
        flowCookie.set(response, secret);
        return { away: url };
      }),
    ),
  );
  router.get(
    '/sign-in/with/:provider/back',
    page(kit, (asked) => shown(asked, (its) => back(kit, its))),
  );
  return router;
}

async function back(kit: PageKit, asked: Asked): Promise<{ to: string }> {
  const { clients, cookie, flowCookie } = kit;
  const { request, response } = asked;
  const provider = String(request.params['provider']);
  const secret = flowCookie.read(request) ?? '';
  const query = new URL(request.originalUrl, 'http://us.invalid').search.slice(1, MAX_QUERY);
  flowCookie.clear(response);
  const wanted = { provider, secret, query, browser: browserOf(kit, asked) };
  const { session, next } = await clients.signInProviders.finishSignIn(wanted);
  cookie.set(response, session!.token);
  return { to: session!.passwordRemoved ? '/account?done=proven' : returnTo(next) };
}

/** Shows a failed sign-in on a page. */
async function shown(asked: Asked, step: (asked: Asked) => Promise<Onward>): Promise<PageAnswer | Onward> {
  try {
    return await step(asked);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
    return failedPage(asked, String(error.details['reason']));
  }
}

function failedPage({ words, path }: Asked, reason: string): PageAnswer {
  const { signIn, withProvider } = words;
  const body = (
    <section class="card">
      <h1>{withProvider.failed}</h1>
      <Notice kind="bad">{saidOf(reason, words)}</Notice>
      <a class="button" href={path('/sign-in')}>
        {signIn.again}
      </a>
    </section>
  );
  return { title: withProvider.failed, body, status: reason === 'provider' ? 502 : 403 };
}

function saidOf(reason: string, { withProvider }: Words): string {
  const { reasons } = withProvider;
  return reasons[reason as keyof typeof reasons] ?? reasons.provider;
}
