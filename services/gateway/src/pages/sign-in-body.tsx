import { type SignInProvider, type SignInWays } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type VNode } from 'preact';
import { Field, Form } from './kit/parts.js';
import { type Words } from './words/en.js';

export interface Shown {
  email?: string;
  next: string;
  notice?: VNode;
  /** The problem with the e-mail address. */
  problem?: string;
}

interface Props extends Shown {
  ways: SignInWays;
  words: Words;
  path(path: string): string;
}

/** Uses one form; its second button requests a link by e-mail instead of sending the password. */
export function SignInBody({ email, next, notice, problem, ways, words, path }: Props): VNode {
  const { signIn } = words;
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
        {(ways.emailedLinks || ways.providers.length > 0) && <p class="or">{signIn.or}</p>}
        {ways.emailedLinks && (
          <button type="submit" class="wide" formAction={path('/sign-in/email')}>
            {signIn.mailLink}
          </button>
        )}
        <ProviderLinks providers={ways.providers} next={next} words={words} path={path} />
      </Form>
      <p class="quiet after">{signIn.invitedOnly}</p>
    </section>
  );
}

interface LinksProps {
  providers: SignInProvider[];
  next: string;
  words: Words;
  path(path: string): string;
}

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
