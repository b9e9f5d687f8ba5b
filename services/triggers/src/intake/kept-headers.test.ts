import { keptHeaders } from './kept-headers.js';

it('keeps what says what happened, and no secret', () => {
  const kept = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=00' };
  const secret = { 'x-gitlab-token': 'hush', 'x-token': 'Token hush', authorization: 'Basic eA==', cookie: 'a=b' };
  expect(keptHeaders({ ...kept, ...secret }, 'hush')).toEqual(kept);
});
