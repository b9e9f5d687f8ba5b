import { ApiError, cutText } from '@drawbridge/contracts';
import { type ConnectPage } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Asked, messagePage, type Onward, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { readForm } from '../kit/form.js';
import { type Words } from '../words/en.js';
import { formPage } from './connect-body.js';
import { ENDING, readVisit, type Visit } from './visits.js';
import { ButtonLink } from '../kit/parts.js';

export const CALLBACK = '/connect/callback';

/**
 * Sends the browser to the provider with a page instead of a redirect. Browsers also apply `form-action` to redirects after a form, so the content
 * security policy would have to list every host that a provider uses during sign-in.
 */
export async function authorize(kit: PageKit, asked: Asked, visit: Visit): Promise<PageAnswer | Onward> {
  const { clients, site } = kit;
  const { request, words } = asked;
  const form = await readForm(request, site);
  const { token, secret } = visit;
  const shown = await clients.connectPages.showConnectPage({ token });
  if (shown.status !== 'PENDING') return { to: `/connect/${shown.sessionId}` };
  const redirectUri = site.address(request, CALLBACK);
  const account = Object.fromEntries(shown.account.map(({ name }) => [name, form(`field.${name}`).trim()]));
  const begun = await clients.connectPages
    .beginAuthorization({ token, secret, redirectUri, account })
    .catch((error: unknown) => ({ wrong: wrongIn(error, shown) }));
  if ('wrong' in begun) {
    const sent = Object.fromEntries(Object.entries(account).map(([name, text]) => [name, cutText(text, MAX_SHOWN)]));
    return formPage(kit, asked, { shown, type: 'OAUTH2', wrong: begun.wrong, sent, status: 400 });
  }
  const { url } = begun;
  const title = words.connect.leading(shown.integrationDisplayName);
  const body = (
    <section class="card">
      <h1>{title}</h1>
      <a class="button primary" href={url}>
        {words.connect.continueWith(shown.integrationDisplayName)}
      </a>
    </section>
  );
  const brand = await clients.organizations.getBrand({ orgId: shown.orgId });
  const headers = { 'Referrer-Policy': 'no-referrer', Refresh: `0; url=${url}` };
  return { title, body, brand, headers };
}

/** After a problem, the form displays the submitted values again, cut to this length. Longer values are rejected. */
const MAX_SHOWN = 500;

/** Returns the names of the account fields that a VALIDATION_ERROR reports. Rethrows any other error. */
function wrongIn(error: unknown, { account }: ConnectPage): string[] {
  const fields = error instanceof ApiError && error.code === 'VALIDATION_ERROR' ? error.details['fields'] : undefined;
  const wrong = Object.keys((fields as object | undefined) ?? {});
  if (wrong.length === 0 || !wrong.every((name) => account.some((field) => field.name === name))) throw error;
  return wrong;
}

const MAX_QUERY = 8_000;
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Matches the session id at the start of the OAuth parameter `state`. */
const SESSION_ID = new RegExp(`^${ID}(?=\\.)`);

/** Reasons why connecting failed, with the HTTP status of their page. */
const PROBLEMS = {
  elsewhere: 403,
  late: 403,
  replaced: 403,
  long: 400,
  refused: 400,
  away: 502,
  fault: 503,
  over: 404,
};
type Problem = keyof typeof PROBLEMS;

/** The path of a page that shows a problem: `/connect/back/late?session=…`. */
export const PROBLEM_PAGE = new RegExp(`^/connect/back/(${Object.keys(PROBLEMS).join('|')})$`);

/**
 * Handles the redirect from the provider. It always redirects again, to the session's page or to a page with the problem, so that the provider's
 * response is removed from the URL and from the history.
 */
export async function comeBack(kit: PageKit, { request, response }: Asked): Promise<Onward> {
  response.set('Referrer-Policy', 'no-referrer');
  const query = new URL(request.originalUrl, 'http://us.invalid').search.slice(1);
  const [sessionId = ''] = SESSION_ID.exec(new URLSearchParams(query).get('state') ?? '') ?? [];
  // A long query is not truncated: the provider would reject the incomplete authorization code, and the user could not use the code again.
  const problem = query.length > MAX_QUERY ? 'long' : await finish(kit, { request, sessionId, query });
  return { to: problem ? `/connect/back/${problem}?session=${sessionId}` : `/connect/${sessionId}` };
}

interface Back extends Pick<Asked, 'request'> {
  sessionId: string;
  query: string;
}

async function finish({ clients, site }: PageKit, { request, sessionId, query }: Back): Promise<string | undefined> {
  const visit = sessionId && readVisit(request, site, sessionId);
  if (!visit) return 'elsewhere';
  const { token, secret } = visit;
  const redirectUri = site.address(request, CALLBACK);
  try {
    const asked = { token, secret, redirectUri, query };
    return (await clients.connectPages.finishAuthorization(asked, ENDING)).problem?.code;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'INVALID_TOKEN' ? 'over' : 'fault';
  }
}

export async function problemPage({ request, words, path }: Asked): Promise<PageAnswer> {
  const problem = String(request.params[0]) as Problem;
  const sessionId = String(request.query['session']);
  const isKnown = problem !== 'over' && new RegExp(`^${ID}$`).test(sessionId);
  const link = isKnown ? <ButtonLink to={path(`/connect/${sessionId}`)} label={words.connect.beginAgain} /> : undefined;
  return messagePage(said(problem, words), { link, status: PROBLEMS[problem] });
}

function said(problem: Problem, { connect, errors }: Words): { title: string; text: string } {
  if (problem === 'fault') return { title: errors.title, text: errors.UNAVAILABLE };
  return problem === 'refused' ? connect.unusable : connect[problem];
}
