import { ApiError } from '@drawbridge/contracts';
import { type Router } from 'express';
import { browserOf, returnTo } from './kit/form.js';
import { type Asked, messagePage, type Onward, type PageAnswer, type PageKit, pageRoutes } from './kit/page-kit.js';
import { Notice, ButtonLink } from './kit/parts.js';
import { type Words } from './words/en.js';

const MAX_QUERY = 8_000;

/**
 * Serves `/sign-in/with/<provider>`, which redirects to an identity provider, and `/sign-in/with/<provider>/back`, to which the provider redirects.
 */
export function signInWithPages(kit: PageKit): Router {
  return pageRoutes(kit, [
    ['get', '/sign-in/with/:provider', (asked) => shown(asked, (its) => begin(kit, its))],
    ['get', '/sign-in/with/:provider/back', (asked) => shown(asked, (its) => back(kit, its))],
  ]);
}

async function begin({ clients, flowCookie }: PageKit, { request, response }: Asked): Promise<Onward> {
  const provider = String(request.params['provider']);
  const next = returnTo(request.query['next']);
  const { url, secret } = await clients.signInProviders.startSignIn({ provider, next });
  flowCookie.set(response, secret);
  return { away: url };
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
  const text = <Notice kind="bad">{saidOf(reason, words)}</Notice>;
  const link = <ButtonLink to={path('/sign-in')} label={signIn.again} />;
  return messagePage({ title: withProvider.failed, text }, { link, status: reason === 'provider' ? 502 : 403 });
}

function saidOf(reason: string, { withProvider }: Words): string {
  const { reasons } = withProvider;
  return reasons[reason as keyof typeof reasons] ?? reasons.provider;
}
