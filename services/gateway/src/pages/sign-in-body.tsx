import { type SignInWays } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type VNode } from 'preact';
import { Field, Form } from './kit/parts.js';
import { type Words } from './words/en.js';

export interface Shown {
  email?: string;
  next: string;
  notice?: VNode;
  /** What is wrong with the email. */
  problem?: string;
}

interface Props extends Shown {
  ways: SignInWays;
  words: Words;
  path(path: string): string;
}

/** One form; who wants a link instead of a password sends it by another button. */
export function SignInBody({ email, next, notice, problem, ways, words: { signIn }, path }: Props): VNode {
  return (
    <section class="card">
      <h1>{signIn.title}</h1>
      <p class="lead">{signIn.lead}</p>
      {notice}
      <Form action={path('/sign-in')} hidden={{ next }}>
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
        {ways.emailedLinks && (
          <>
            <p class="or">{signIn.or}</p>
            <button type="submit" class="wide" formAction={path('/sign-in/email')}>
              {signIn.mailLink}
            </button>
          </>
        )}
      </Form>
      <p class="quiet after">{signIn.invitedOnly}</p>
    </section>
  );
}
