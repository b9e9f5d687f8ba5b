import { type SignInProvider } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type ShownInvitation } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { type VNode } from 'preact';
import { type Asked } from './kit/page-kit.js';
import { Field, Form, Notice } from './kit/parts.js';
import { ProviderLinks } from './sign-in.js';

export interface SignUpProblems {
  name?: string;
  newPassword?: string;
}

interface Shown extends Pick<Asked, 'words' | 'path'> {
  invitation: ShownInvitation & { token: string };
  title: string;
  name?: string;
  problems?: SignUpProblems;
  notice?: string;
  providers: SignInProvider[];
}

/** Shows a visitor without a session a form that creates an account, and a link to sign-in. */
export function SignUpForm({ invitation, words, path, title, name, problems = {}, notice, providers }: Shown): VNode {
  const { signUp: its } = words;
  const next = `/sign-up?invitation=${invitation.token}`;
  return (
    <section class="card">
      <h1>{title}</h1>
      <p class="lead">{its.lead(invitation.email)}</p>
      {notice && <Notice kind="bad">{notice}</Notice>}
      <Form action={path('/sign-up')} hidden={{ invitation: invitation.token, username: invitation.email }}>
        <Field name="name" label={its.name} value={name} autocomplete="name" isFirst={!name} problem={problems.name} />
        <Field
          name="newPassword"
          label={its.password}
          type="password"
          autocomplete="new-password"
          hint={words.account.newPasswordHint}
          problem={problems.newPassword}
        />
        <button type="submit" class="primary">
          {its.submit}
        </button>
        {providers.length > 0 && <p class="or">{words.signIn.or}</p>}
        <ProviderLinks providers={providers} next={next} words={words} path={path} />
      </Form>
      <p class="quiet after">
        {its.haveAccount} <a href={path(`/sign-in?next=${encodeURIComponent(next)}`)}>{its.signIn}</a>
      </p>
    </section>
  );
}

/** Shows the form for a user who is signed in with the invited email address. */
export function JoinForm({ invitation, words, path, title, notice }: Shown): VNode {
  return (
    <section class="card">
      <h1>{title}</h1>
      <p class="lead">{words.signUp.lead(invitation.email)}</p>
      {notice && <Notice kind="bad">{notice}</Notice>}
      <Form action={path('/sign-up/join')} hidden={{ invitation: invitation.token }}>
        <button type="submit" class="primary">
          {words.signUp.join}
        </button>
      </Form>
    </section>
  );
}

/** Shows the page for a user who is signed in with another email address. */
export function JoinAsOther({ invitation, words, path, title, own }: Shown & { own: string }): VNode {
  return (
    <section class="card">
      <h1>{title}</h1>
      <Notice kind="bad">{words.signUp.forOther(invitation.email, own)}</Notice>
      <Form action={path('/sign-out')}>
        <button type="submit">{words.account.signOut}</button>
      </Form>
    </section>
  );
}
