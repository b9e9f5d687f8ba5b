import { redirectProblems } from './connect-sessions.js';

it.each(['https://app.example/done', 'http://127.0.0.1:3000/?x=1#y', 'https://app.example'])(
  'leads on to %s',
  (successRedirectUri) => {
    expect(redirectProblems({ successRedirectUri })).toEqual({});
  },
);

it.each([
  '/done',
  'app.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://ann:secret@app.example',
  'https://',
  ' https://app.example',
  'https://app.ex\r\nample',
])('does not lead on to %s', (errorRedirectUri) => {
  expect(Object.keys(redirectProblems({ errorRedirectUri, successRedirectUri: undefined }))).toEqual([
    'errorRedirectUri',
  ]);
});
