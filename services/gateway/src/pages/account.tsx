import { ApiError } from '@drawbridge/contracts';
import { type Account } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { type Request, type Router } from 'express';
import { AccountBody, type Problems } from './account-body.js';
import { browserOf, readForm, requireId } from './kit/form.js';
import { inWords } from './kit/page-error.js';
import { type Asked, type PageAnswer, type PageKit, type PageRoute, pageRoutes } from './kit/page-kit.js';
import { Form, Notice } from './kit/parts.js';
import { type Words } from './words/en.js';

type Done = keyof Words['done'];
type FormOf = Awaited<ReturnType<typeof readForm>>;

/** Performs the change that an account form requests, with the token of the session. Returns the name of the notice to display. */
type Change = (asked: Asked & { token: string; form: FormOf }) => Promise<Done>;

/** Serves `/account`: the name, password, organizations and sessions of the signed-in user. */
export function accountPages(kit: PageKit): Router {
  const { clients, cookie } = kit;
  const changes: Record<string, Change> = {
    async name({ token, form }) {
      await clients.accounts.renameUser({ token, name: form('name') });
      return 'name';
    },
    async password({ token, form, request, response }) {
      const [currentPassword, newPassword] = [form('currentPassword'), form('newPassword')];
      const browser = browserOf(kit, { request, response });
      cookie.set(
        response,
        (await clients.accounts.changePassword({ token, currentPassword, newPassword, browser })).token,
      );
      return 'password';
    },
    async organization({ token, form }) {
      await clients.accounts.switchOrganization({ token, orgId: requireId(form('orgId')) });
      return 'organization';
    },
    async sessions({ token, form }) {
      const sessionId = form('sessionId') === '' ? undefined : requireId(form('sessionId'));
      await clients.accounts.endSession({ token, sessionId });
      return sessionId ? 'session' : 'sessions';
    },
  };

  return pageRoutes(kit, [
    ['get', '/account', (asked) => signedIn(kit, asked, (account) => accountPage(asked, account))],
    ...Object.entries(changes).map(([name, change]): PageRoute => [
      'post',
      `/account/${name}`,
      (asked) => changed(kit, asked, change),
    ]),
  ]);
}

/** Redirects to sign-in if there is no valid session. */
async function signedIn(
  kit: PageKit,
  { request, response }: Asked,
  show: (account: Account, token: string) => PageAnswer,
) {
  const token = kit.cookie.read(request);
  if (!token) return { to: SIGN_IN };
  try {
    return show(await kit.clients.accounts.getAccount({ token, sessionsPage: pageOf(request) }), token);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    kit.cookie.clear(response);
    return { to: SIGN_IN };
  }
}

const SIGN_IN = '/sign-in?next=/account';

/** Returns the page of the session list: the first page, unless the query contains a page number. */
function pageOf({ query }: Request): number {
  const { sessions } = query;
  return typeof sessions === 'string' && /^\d{1,3}$/.test(sessions) ? Number(sessions) : 0;
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'UNAUTHENTICATED';

async function changed(kit: PageKit, asked: Asked, change: Change): Promise<PageAnswer | { to: string }> {
  const form = await readForm(asked.request, kit.site);
  const token = kit.cookie.read(asked.request) ?? '';
  try {
    return { to: `/account?done=${await change({ ...asked, token, form })}` };
  } catch (error) {
    if (isSignedOut(error)) return { to: SIGN_IN };
    if (!(error instanceof ApiError) || !isShownThere(error)) throw error;
    return signedIn(kit, asked, (account) => refusedPage(asked, { account, error, form }));
  }
}

const isShownThere = ({ code, details }: ApiError): boolean =>
  ['VALIDATION_ERROR', 'RATE_LIMITED'].includes(code) || details['reason'] === 'old_session';

interface Refused {
  account: Account;
  error: ApiError;
  form: FormOf;
}

/** Returns the account page with the submitted values, except for passwords, and each problem at its field. */
function refusedPage(asked: Asked, { account, error, form }: Refused): PageAnswer {
  const { words } = asked;
  const wrong = Object.keys((error.details['fields'] as object | undefined) ?? {});
  const known = Object.keys(words.problems) as (keyof Words['problems'])[];
  const problems: Problems = Object.fromEntries(
    known.filter((name) => wrong.includes(name)).map((name) => [name, words.problems[name]]),
  );
  const notice = wrong.length === 0 ? <Notice kind="bad">{saidOf(error, words)}</Notice> : undefined;
  const user = wrong.includes('name') && account.user ? { ...account.user, name: form('name') } : account.user;
  return { ...accountPage(asked, { ...account, user }, { problems, notice }), status: error.status };
}

const saidOf = (error: ApiError, words: Words): string =>
  error.details['reason'] === 'old_session' ? words.account.signInAgain : inWords(error, words);

function accountPage(
  asked: Asked,
  account: Account,
  said: { problems?: Problems; notice?: PageAnswer['aside'] } = {},
): PageAnswer {
  const { words, path, request } = asked;
  const done = Object.entries(words.done).find(([name]) => name === request.query['done'])?.[1];
  const notice = said.notice ?? (done && request.method === 'GET' ? <Notice kind="good">{done}</Notice> : undefined);
  const aside = (
    <Form action={path('/sign-out')} class="aside">
      <button type="submit" class="plain">
        {words.account.signOut}
      </button>
    </Form>
  );
  const body = (
    <AccountBody
      account={account}
      sessionsPage={pageOf(request)}
      words={words}
      path={path}
      problems={said.problems ?? {}}
      notice={notice}
    />
  );
  return { title: words.account.title, body, aside, isWide: true, brand: account.brand };
}
