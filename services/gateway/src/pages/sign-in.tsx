import { ApiError } from '@drawbridge/contracts';
import { Router } from 'express';
import { type VNode } from 'preact';
import { browserOf } from './kit/browser-of.js';
import { inWords } from './kit/page-error.js';
import { type Asked, page, type PageAnswer, type PageKit } from './kit/page-kit.js';
import { Field, Form, Notice } from './kit/parts.js';
import { readForm } from './kit/read-form.js';
import { returnTo } from './kit/return-to.js';

/** `/sign-in` and `/sign-out`. */
export function signInPages(kit: PageKit): Router {
  const { clients, cookie, site } = kit;
  const router = Router();

  router.get(
    '/sign-in',
    page(kit, async (asked) => {
      const { request, words } = asked;
      const next = returnTo(request.query['next']);
      if (await isSignedIn(kit, asked)) return { to: next };
      const notice =
        request.query['ended'] === undefined ? undefined : <Notice kind="good">{words.signIn.ended}</Notice>;
      return signInPage(asked, { next, notice });
    }),
  );

  router.post(
    '/sign-in',
    page(kit, (asked) => signIn(kit, asked)),
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

async function signIn({ clients, cookie, site }: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, response } = asked;
  const form = await readForm(request, site);
  const [email, next] = [form('email').trim(), returnTo(form('next'))];
  try {
    const browser = browserOf(request);
    const { token } = await clients.sessions.signIn({ email, password: form('password'), browser });
    cookie.set(response, token);
    return { to: next };
  } catch (error) {
    return refusedPage(asked, { error, email, next });
  }
}

async function isSignedIn({ clients, cookie }: PageKit, { request }: Asked): Promise<boolean> {
  const token = cookie.read(request);
  if (!token) return false;
  return clients.accounts.getAccount({ token }).then(
    () => true,
    () => false,
  );
}

/** The same, whether there is such an account or not. */
function refusedPage(
  asked: Asked,
  { error, email, next }: { error: unknown; email: string; next: string },
): PageAnswer {
  if (!(error instanceof ApiError) || !['UNAUTHENTICATED', 'RATE_LIMITED'].includes(error.code)) throw error;
  const { words, response } = asked;
  const isWrong = error.code === 'UNAUTHENTICATED';
  if (!isWrong) response.setHeader('Retry-After', String(error.details['retryAfter'] ?? 60));
  const notice = <Notice kind="bad">{isWrong ? words.signIn.wrong : inWords(error, words)}</Notice>;
  return { ...signInPage(asked, { email, next, notice }), status: error.status };
}

interface Shown {
  email?: string;
  next: string;
  notice?: VNode;
}

function signInPage({ words, path }: Asked, { email, next, notice }: Shown): PageAnswer {
  const { signIn } = words;
  const body = (
    <section class="card">
      <h1>{signIn.title}</h1>
      <p class="lead">{signIn.lead}</p>
      {notice}
      <Form action={path('/sign-in')} hidden={{ next }}>
        <Field name="email" label={signIn.email} type="email" value={email} autocomplete="username" isFirst={!email} />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          isFirst={Boolean(email)}
        />
        <button type="submit" class="primary">
          {signIn.submit}
        </button>
      </Form>
      <p class="quiet after">{signIn.invitedOnly}</p>
    </section>
  );
  return { title: signIn.title, body };
}
