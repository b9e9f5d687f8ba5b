import { ApiError } from '@drawbridge/contracts';
import { type ShownInvitation } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { type Router } from 'express';
import { browserOf, readForm } from './kit/form.js';
import { inWords } from './kit/page-error.js';
import { type Asked, messagePage, type PageAnswer, type PageKit, pageRoutes } from './kit/page-kit.js';
import { JoinAsOther, JoinForm, SignUpForm, type SignUpProblems } from './sign-up-body.js';
import { type Words } from './words/en.js';
import { unless } from '../clients.js';

const JOINED = { to: '/account?done=joined' };

/** Serves `/sign-up?invitation=<token>`, the target of the link in an invitation. */
export function signUpPages(kit: PageKit): Router {
  return pageRoutes(kit, [
    ['get', '/sign-up', (asked) => invitationPage(kit, asked, String(asked.request.query['invitation'] ?? ''))],
    ['post', '/sign-up', (asked) => signUp(kit, asked)],
    ['post', '/sign-up/join', (asked) => join(kit, asked)],
  ]);
}

interface Said {
  name?: string;
  problems?: SignUpProblems;
  /** An error that concerns the whole form. */
  notice?: string;
  status?: number;
}

/** Shows how to join, or the reason why the invitation cannot be used. */
async function invitationPage(kit: PageKit, asked: Asked, token: string, said: Said = {}): Promise<PageAnswer> {
  const { words, path, request } = asked;
  const found = await invitationOf(kit, token);
  if (found instanceof ApiError)
    return messagePage({ title: words.signUp.needed, text: reasonOf(found, words) }, { status: found.status });
  const title = words.signUp.title(found.organizationName);
  const own = await ownEmail(kit, request);
  const { providers } = await kit.clients.sessions.listSignInWays({});
  const shown = { ...said, providers, invitation: { ...found, token }, words, path, title };
  const body =
    own === undefined ? (
      <SignUpForm {...shown} />
    ) : own === found.email ? (
      <JoinForm {...shown} />
    ) : (
      <JoinAsOther {...shown} own={own} />
    );
  return { title, body, status: said.status, brand: found.brand };
}

async function invitationOf({ clients }: PageKit, invitationToken: string): Promise<ShownInvitation | ApiError> {
  if (invitationToken === '') return new ApiError('NOT_FOUND', 'No invitation', { details: { reason: 'none' } });
  return clients.signUps.showInvitation({ invitationToken }).catch((error: unknown) => {
    if (error instanceof ApiError && ['NOT_FOUND', 'EXPIRED'].includes(error.code)) return error;
    throw error;
  });
}

function reasonOf({ code, details }: ApiError, { signUp: its }: Words): string {
  if (code === 'EXPIRED') return its.expired;
  return details['reason'] === 'none' ? its.neededLead : its.gone;
}

/** Returns the email address of the signed-in user. */
async function ownEmail({ clients, cookie }: PageKit, request: Asked['request']): Promise<string | undefined> {
  const token = cookie.read(request);
  if (!token) return undefined;
  const account = await clients.accounts.getAccount({ token, sessionsPage: 0 }).catch(unless('UNAUTHENTICATED'));
  return account?.user?.email;
}

async function signUp(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { request, response, words } = asked;
  const form = await readForm(request, kit.site);
  const [invitationToken, name] = [form('invitation'), form('name')];
  try {
    const wanted = { invitationToken, name, newPassword: form('newPassword'), browser: browserOf(kit, asked) };
    kit.cookie.set(response, (await kit.clients.signUps.signUp(wanted)).token);
    return JOINED;
  } catch (error) {
    return invitationPage(kit, asked, invitationToken, { name, ...refusalOf(error, words) });
  }
}

async function join(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const form = await readForm(asked.request, kit.site);
  const invitationToken = form('invitation');
  try {
    await kit.clients.signUps.joinOrganization({ token: kit.cookie.read(asked.request) ?? '', invitationToken });
    return JOINED;
  } catch (error) {
    return invitationPage(kit, asked, invitationToken, refusalOf(error, asked.words));
  }
}

/** Converts an error response to messages of the form. Rethrows server errors. */
function refusalOf(error: unknown, words: Words): Said {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  const { status, code, details } = error;
  const wrong = Object.keys((details['fields'] as object | undefined) ?? {});
  const problems = {
    name: wrong.includes('name') ? words.problems.name : undefined,
    newPassword: wrong.includes('newPassword') ? words.problems.newPassword : undefined,
  };
  if (wrong.length > 0) return { status, problems };
  if (details['reason'] === 'sender_may_not') return { status, notice: words.signUp.gone };
  return { status, notice: code === 'DUPLICATE' ? words.signUp.exists : inWords(error, words) };
}
