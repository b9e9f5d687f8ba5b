import { type VNode } from 'preact';
import { Field, Form } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { HERE } from './enter.js';

interface Props {
  /** Whether the person is identified already; they can still choose another account. */
  isSomebody: boolean;
  isMailed: boolean;
  /** The query of the authorization request. */
  query: string;
  words: Words;
  path(path: string): string;
}

/** Shows the ways to identify oneself: by an account, and by e-mail. */
export function WhoBody({ isSomebody, isMailed, query, words, path }: Props): VNode {
  const its = words.authorize;
  const next = `/sign-in?next=${encodeURIComponent(HERE + query)}`;
  return (
    <section class="card" aria-labelledby="who">
      <h2 id="who">{isSomebody ? its.whoElse : its.who}</h2>
      {!isSomebody && (
        <div class="ways">
          <a class="button primary" href={path(next)}>
            {its.signIn}
          </a>
          {isMailed && <p class="or">{its.or}</p>}
        </div>
      )}
      {isMailed ? (
        <Form action={path(`${HERE}/email${query}`)}>
          <Field name="email" label={its.email} type="email" autocomplete="email" />
          <button type="submit" class="wide">
            {its.sendCode}
          </button>
        </Form>
      ) : (
        <p class="quiet after">{its.noMail}</p>
      )}
    </section>
  );
}
