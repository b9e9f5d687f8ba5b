import { ApiError } from '@drawbridge/contracts';
import { type SignInWays } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Router } from 'express';
import { type VNode } from 'preact';
import { browserOf, readForm, returnTo } from './kit/form.js';
import { inWords } from './kit/page-error.js';
import { openerPolicy } from './kit/opener-policy.js';
import { type Asked, type Onward, type PageAnswer, type PageKit, pageRoutes } from './kit/page-kit.js';
import { Ending } from './kit/marks.js';
import { Field, Form, Notice } from './kit/parts.js';

/** Serves `/sign-in` and `/sign-out`. */
export function signInPages(kit: PageKit): Router {
  return pageRoutes(kit, [
    ['get', '/sign-in', (asked) => formPage(kit, asked)],
    ['post', '/sign-in', (asked) => signIn(kit, asked)],
    ['post', '/sign-in/email', (asked) => mailLink(kit, asked)],
    ['post', '/sign-out', (asked) => signOut(kit, asked)],
  ]);
}

async function formPage(kit: PageKit, asked: Asked): Promise<PageAnswer | Onward> {
  const { request, response, words } = asked;
  const next = returnTo(request.query['next']);
  if (await isSignedIn(kit, asked)) {
    // The redirect has the policy of the form: otherwise, the window that opened this page could find out whether the user is signed in.
    response.set('Cross-Origin-Opener-Policy', openerPolicy(request));
    return { to: next };
  }
  if (request.query['sent'] !== undefined) return inboxPage(asked, next);
  const notice = request.query['ended'] === undefined ? undefined : <Notice kind="good">{words.signIn.ended}</Notice>;
  return signInPage(kit, asked, { next, notice });
}

/** Returns the page after the request of a sign-in link. The page does not depend on whether the account exists, so that it reveals no accounts. */
function inboxPage({ words: { signIn }, path }: Asked, next: string): PageAnswer {
  const body = (
    <section class="card">
      <Ending isGood />
      <h1>{signIn.inbox}</h1>
      <Notice kind="good">{signIn.sent}</Notice>
      <p class="quiet">{signIn.noMail}</p>
      <p class="after">
        <a href={path(`/sign-in?next=${encodeURIComponent(next)}`)}>{signIn.again}</a>
      </p>
    </section>
  );
  return { title: signIn.inbox, body };
}

async function signOut({ clients, cookie, site }: PageKit, { request, response }: Asked): Promise<Onward> {
  await readForm(request, site);
  const token = cookie.read(request);
  if (token) await clients.sessions.signOut({ token });
  cookie.clear(response);
  const next = request.query['next'];
  return { to: `/sign-in?ended${next === undefined ? '' : `&next=${encodeURIComponent(returnTo(next))}`}` };
}

async function signIn(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, response } = asked;
  const form = await readForm(request, kit.site);
  const [email, next] = [form('email').trim(), returnTo(request.query['next'])];
  try {
    const browser = browserOf(kit, asked);
    const { token } = await kit.clients.sessions.signIn({ email, password: form('password'), browser });
    kit.cookie.set(response, token);
    return { to: next };
  } catch (error) {
    return refusedPage(kit, asked, { error, email, next });
  }
}

/** Sends a sign-in link by email. The response does not depend on whether the account exists, so that it reveals no accounts. */
async function mailLink(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, words } = asked;
  const form = await readForm(request, kit.site);
  const [email, next] = [form('email').trim(), returnTo(request.query['next'])];
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

/** Returns the page for a failed sign-in. The page does not depend on whether the account exists, so that it reveals no accounts. */
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

interface Shown {
  email?: string;
  next: string;
  notice?: VNode;
  /** The problem with the email address. */
  problem?: string;
}

interface Props extends Shown, Pick<Asked, 'words' | 'path'> {
  ways: SignInWays;
}

/** Shows the sign-in form. Its second button requests a sign-in link by email instead of sending the password. */
function SignInBody({ email, next, notice, problem, ways, words, path }: Props): VNode {
  const { signIn } = words;
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <section class="card">
      <h1>{signIn.title}</h1>
      <p class="lead">{signIn.lead}</p>
      {notice}
      <Form action={path(`/sign-in${query}`)}>
        <Field
          name="email"
          label={signIn.email}
          type="email"
          value={email}
          autocomplete="username"
          isFirst={!email}
          problem={problem}
        />
        <Field
          name="password"
          label={signIn.password}
          type="password"
          autocomplete="current-password"
          isFirst={Boolean(email) && !problem}
        />
        <button type="submit" class="primary">
          {signIn.submit}
        </button>
        {(ways.emailedLinks || ways.providers.length > 0) && <p class="or">{signIn.or}</p>}
        {ways.emailedLinks && (
          <button type="submit" class="wide" formAction={path(`/sign-in/email${query}`)}>
            {signIn.mailLink}
          </button>
        )}
        <ProviderLinks providers={ways.providers} next={next} words={words} path={path} />
      </Form>
      <p class="quiet after">{signIn.invitedOnly}</p>
    </section>
  );
}

type LinksProps = Pick<Props, 'next' | 'words' | 'path'> & Pick<SignInWays, 'providers'>;

export function ProviderLinks({ providers, next, words, path }: LinksProps): VNode {
  return (
    <>
      {providers.map(({ name, displayName }) => (
        <a class="button wide" href={path(`/sign-in/with/${name}?next=${encodeURIComponent(next)}`)}>
          {words.signIn.withProvider(displayName)}
        </a>
      ))}
    </>
  );
}
