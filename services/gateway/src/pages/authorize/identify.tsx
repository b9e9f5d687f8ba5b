import { ApiError } from '@drawbridge/contracts';
import { type VNode } from 'preact';
import { queryOf } from '../../mcp/oauth/authorization-request.js';
import { browserOf, readForm } from '../kit/form.js';
import { inWords } from '../kit/page-error.js';
import { type Asked, messagePage, type Onward, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { Field, Form, Notice, ButtonLink, Section } from '../kit/parts.js';
import { type Entered, HERE } from './enter.js';

interface Props extends Pick<Asked, 'words' | 'path'> {
  isSignedIn: boolean;
  /** True if the user is already identified, by an account or by an email address. They can still choose another one. */
  isSomebody: boolean;
  isMailed: boolean;
  /** The query of the authorization request. */
  query: string;
}

/** Shows the ways in which the user can identify: sign in with an account, or enter a code from an email. */
export function WhoBody({ isSignedIn, isSomebody, isMailed, query, words, path }: Props): VNode {
  const its = words.authorize;
  const next = `?next=${encodeURIComponent(HERE + query)}`;
  return (
    <Section id="who" title={isSomebody ? its.whoElse : its.who}>
      <div class="ways">
        {isSignedIn ? (
          <Form action={path(`/sign-out${next}`)}>
            <button type="submit" class="wide">
              {its.otherAccount}
            </button>
          </Form>
        ) : (
          <a class={isSomebody ? 'button wide' : 'button primary'} href={path(`/sign-in${next}`)}>
            {its.signIn}
          </a>
        )}
        {isMailed && <p class="or">{its.or}</p>}
      </div>
      {isMailed ? (
        <Form action={path(`${HERE}/email${query}`)}>
          <Field name="email" label={its.email} type="email" autocomplete="email" />
          <button type="submit" class="wide">
            {its.sendCode}
          </button>
        </Form>
      ) : (
        !isSomebody && <p class="quiet after">{its.noMail}</p>
      )}
    </Section>
  );
}

/** Sends a code by email. The response is the same for every valid address, so it does not reveal which addresses have an account. */
export async function sendCode(
  kit: PageKit,
  { asked, authorization, person, brand }: Entered,
): Promise<PageAnswer | Onward> {
  const { request, words } = asked;
  const form = await readForm(request, kit.site);
  const { orgId, workspaceId: placeId } = authorization;
  const said = { flowHash: person.flowHash, orgId, placeId, organizationName: brand.name, language: words.language };
  try {
    await kit.limits.countAnonymous(request.ip);
    const { network, id: browserId } = browserOf(kit, asked);
    await kit.clients.identities.sendEmailCode({ ...said, network, browserId, email: form('email') });
    return { to: `${HERE}/code${queryOf(request)}` };
  } catch (error) {
    if (!(error instanceof ApiError) || !['VALIDATION_ERROR', 'RATE_LIMITED'].includes(error.code)) throw error;
    const why = error.code === 'RATE_LIMITED' ? inWords(error, words) : words.problems.email;
    const text = <Notice kind="bad">{why}</Notice>;
    const link = <ButtonLink to={asked.path(HERE + queryOf(request))} label={words.authorize.another} />;
    return messagePage({ title: words.authorize.sendCode, text }, { link, brand, status: error.status });
  }
}

export function codePage({ asked, brand }: Pick<Entered, 'asked' | 'brand'>, problem?: string): PageAnswer {
  const { words, path, request } = asked;
  const its = words.authorize;
  const query = queryOf(request);
  const body: VNode = (
    <section class="card">
      <h1>{its.codeTitle}</h1>
      <p class="lead">{its.codeLead}</p>
      <Form action={path(`${HERE}/code${query}`)}>
        <Field name="code" label={its.code} autocomplete="one-time-code" problem={problem} isFirst />
        <button type="submit" class="primary">
          {its.check}
        </button>
      </Form>
      <p class="after">
        <a href={path(HERE + query)}>{its.another}</a>
      </p>
    </section>
  );
  return { title: its.codeTitle, body, brand, status: problem === undefined ? 200 : 400 };
}

export async function checkCode(kit: PageKit, entered: Entered): Promise<PageAnswer | Onward> {
  const { request, words } = entered.asked;
  const form = await readForm(request, kit.site);
  const { isProven } = await kit.clients.identities.proveEmail({
    flowHash: entered.person.flowHash,
    code: form('code').slice(0, 20),
  });
  return isProven ? { to: HERE + queryOf(request) } : codePage(entered, words.authorize.wrong);
}
