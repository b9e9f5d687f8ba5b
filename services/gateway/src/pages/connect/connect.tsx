import { ApiError } from '@drawbridge/contracts';
import { type ConnectPage } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Router } from 'express';
import {
  type Asked,
  messagePage,
  type Onward,
  type PageAnswer,
  type PageKit,
  type PageRoute,
  pageRoutes,
} from '../kit/page-kit.js';
import { readForm } from '../kit/form.js';
import { authorize, CALLBACK, comeBack, PROBLEM_PAGE, problemPage } from './provider.js';
import { formPage } from './connect-body.js';
import { donePage } from './end-pages.js';
import { ENDING, openerOf, openVisit, readVisit, type Visit } from './visits.js';
import { ButtonLink } from '../kit/parts.js';
import { unless } from '../../clients.js';

/** The path of the page of a connect session. Its group matches the session id. */
const SESSION = '/connect/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})';

/**
 * Serves `/connect?token=…`, the link of a connect session, and `/connect/<session>`, where the browser continues without the token. Every step ends
 * at the session's own page, which shows its progress, so reloading, going back and a second tab change nothing.
 */
export function connectPages(kit: PageKit): Router {
  const session = new RegExp(`^${SESSION}$`);
  const routes: PageRoute[] = [
    ['get', '/connect', (asked) => enter(kit, asked)],
    ['get', CALLBACK, (asked) => comeBack(kit, asked)],
    ['get', PROBLEM_PAGE, problemPage],
    ['get', session, (asked) => show(kit, asked)],
    ['post', session, (asked) => submit(kit, asked)],
    ['post', new RegExp(`^${SESSION}/cancel$`), (asked) => cancel(kit, asked)],
    ['post', new RegExp(`^${SESSION}/authorize$`), async (asked) => authorize(kit, asked, visitOf(kit, asked))],
  ];
  return pageRoutes(
    kit,
    routes.map(([method, path, answer]) => [method, path, (asked) => unlessOver(asked, answer)]),
  );
}

async function enter({ clients, site }: PageKit, { request, response }: Asked): Promise<Onward> {
  const { token } = request.query;
  if (typeof token !== 'string') throw over();
  const { sessionId } = await clients.connectPages.showConnectPage({ token });
  openVisit({ request, response, site }, sessionId, { token, opener: openerOf(request) });
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  return { to: `/connect/${sessionId}` };
}

async function show(kit: PageKit, asked: Asked): Promise<PageAnswer> {
  const visit = visitOf(kit, asked);
  const shown = await kit.clients.connectPages.showConnectPage({ token: visit.token });
  return pageOf(kit, asked, { shown, visit, type: String(asked.request.query['with'] ?? '') });
}

async function submit(kit: PageKit, asked: Asked): Promise<PageAnswer | Onward> {
  const { token } = visitOf(kit, asked);
  const form = await readForm(asked.request, kit.site);
  const type = form('type');
  const before = await kit.clients.connectPages.showConnectPage({ token });
  const names = ['secretText', 'username', 'password', ...before.fields.map(({ name }) => name)];
  // The prefix `field.` keeps the properties of a credential apart from fields of the form, such as `type`. Browsers convert the line breaks of a
  // pasted file to CRLF, so they are converted back.
  const typed = (name: string): string => form(`field.${name}`).replaceAll('\r\n', '\n');
  const fields = Object.fromEntries(names.map((name) => [name, typed(name)]));
  try {
    const after = await kit.clients.connectPages.submitCredential({ token, type, fields }, ENDING);
    if (!after.problem) return { to: `/connect/${after.sessionId}` };
    return formPage(kit, asked, { shown: after, type, status: after.problem.code === 'away' ? 502 : 400 });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || before.status !== 'PENDING') throw error;
    const wrong = Object.keys((error.details['fields'] as object | undefined) ?? {});
    return formPage(kit, asked, { shown: before, type, wrong, sent: fields, status: 400 });
  }
}

/** Cancels the session. The app that opened it gets the same result as for a user who declines at the provider. */
async function cancel(kit: PageKit, asked: Asked): Promise<Onward> {
  const { token } = visitOf(kit, asked);
  await readForm(asked.request, kit.site);
  const { sessionId } = await kit.clients.connectPages.cancelConnecting({ token });
  return { to: `/connect/${sessionId}` };
}

async function pageOf(
  kit: PageKit,
  asked: Asked,
  { shown, visit, type }: { shown: ConnectPage; visit: Visit; type: string },
): Promise<PageAnswer> {
  if (shown.status === 'PENDING') return formPage(kit, asked, { shown, type });
  const brand = await kit.clients.organizations.getBrand({ orgId: shown.orgId });
  const { words, path } = asked;
  if (shown.status !== 'CONNECTING') return { ...donePage(shown, visit, words), brand };
  const link = <ButtonLink to={path(`/connect/${shown.sessionId}`)} label={words.connect.look} />;
  return messagePage(words.connect.busy, { brand, link });
}

/** Throws INVALID_TOKEN if the link of the session was not opened in this browser. */
function visitOf({ site }: PageKit, { request }: Asked): Visit {
  const visit = readVisit(request, site, String(request.params[0]).toLowerCase());
  if (!visit) throw over();
  return visit;
}

const over = (): ApiError => new ApiError('INVALID_TOKEN', 'No connect session of this browser');

async function unlessOver(asked: Asked, answer: PageRoute[2]): Promise<PageAnswer | Onward> {
  const answered = await answer(asked).catch(unless('INVALID_TOKEN'));
  return answered ?? messagePage(asked.words.connect.over, { status: 404 });
}
