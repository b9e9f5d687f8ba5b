import { type Router } from 'express';
import { browserOf, readForm, returnTo } from './kit/form.js';
import { type Asked, messagePage, type PageAnswer, type PageKit, pageRoutes } from './kit/page-kit.js';
import { ButtonLink, Form } from './kit/parts.js';
import { unless } from '../clients.js';

/**
 * Serves `/sign-in/link?token=…`, the target of a link in an email. Opening it changes nothing, because email scanners open links; the button on the
 * page signs in.
 */
export function signInLinkPages(kit: PageKit): Router {
  return pageRoutes(kit, [
    ['get', '/sign-in/link', (asked) => linkPage(kit, asked)],
    ['post', '/sign-in/link', (asked) => useLink(kit, asked)],
  ]);
}

async function linkPage({ clients }: PageKit, asked: Asked): Promise<PageAnswer> {
  const { words, path, request } = asked;
  const link = { token: String(request.query['token'] ?? ''), next: returnTo(request.query['next']) };
  const { signIn } = words;
  const found = await clients.signInLinks.showSignInLink({ token: link.token }).catch(unless('NOT_FOUND'));
  if (!found) return usedPage(asked, link.next);
  const body = (
    <section class="card">
      <h1>{signIn.title}</h1>
      <p class="lead">{signIn.asWhom(found.email)}</p>
      <Form action={path('/sign-in/link')} hidden={{ ...link }}>
        <button type="submit" class="primary">
          {signIn.submit}
        </button>
      </Form>
    </section>
  );
  return { title: signIn.title, body };
}

async function useLink(kit: PageKit, asked: Asked): Promise<PageAnswer | { to: string }> {
  const { clients, cookie, site } = kit;
  const { request, response } = asked;
  const form = await readForm(request, site);
  const [token, next] = [form('token'), returnTo(form('next'))];
  const wanted = { token, browser: browserOf(kit, asked) };
  const used = await clients.signInLinks.useSignInLink(wanted).catch(unless('NOT_FOUND'));
  if (!used) return usedPage(asked, next);
  cookie.set(response, used.token);
  return { to: used.passwordRemoved ? '/account?done=proven' : next };
}

function usedPage({ words, path }: Asked, next: string): PageAnswer {
  const { linkUsed: title, linkUsedLead: text, again } = words.signIn;
  const link = <ButtonLink to={path(`/sign-in?next=${encodeURIComponent(next)}`)} label={again} />;
  return messagePage({ title, text }, { status: 404, link });
}
