import { render } from 'preact-render-to-string';
import { authorizeEn } from '../words/authorize-en.js';
import { type Words } from '../words/en.js';
import { WhoBody } from './identify.js';

const words = { authorize: authorizeEn } as unknown as Words;
const shown = (isSignedIn: boolean, isSomebody: boolean): string =>
  render(WhoBody({ isSignedIn, isSomebody, isMailed: false, query: '?a=b', words, path: (path) => path }));
const SIGN_IN = 'href="/sign-in?next=%2Foauth%2Fauthorize%3Fa%3Db"';

describe('without email', () => {
  it('a user who is unknown can only sign in', () => {
    expect(shown(false, false)).toContain(SIGN_IN);
    expect(shown(false, false)).toContain(authorizeEn.noMail);
  });

  it('a user with an account can use another account', () => {
    const html = shown(true, true);
    expect(html).toContain('action="/sign-out?next=%2Foauth%2Fauthorize%3Fa%3Db"');
    expect(html).toContain('Use another account');
    expect(html).not.toContain(authorizeEn.noMail);
  });

  it('a user with an email address can sign in', () => {
    expect(shown(false, true)).toContain(SIGN_IN);
    expect(shown(false, true)).not.toContain(authorizeEn.noMail);
  });
});
