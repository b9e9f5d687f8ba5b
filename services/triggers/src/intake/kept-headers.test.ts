import { createHash } from 'node:crypto';
import { keptHeaders } from './kept-headers.js';

const kept = { 'content-type': 'application/json', 'x-github-event': 'push', 'webhook-id': '7', 'x-empty': '' };

it('keeps what says what happened, and no secret', () => {
  const secret = { 'x-gitlab-token': 'hush 7', 'x-token': 'Token hush 7', authorization: 'Basic eA==', cookie: 'a=b' };
  expect(keptHeaders({ ...kept, ...secret }, 'hush 7')).toEqual(kept);
});

it('keeps nothing whose hash proves who sent it', () => {
  const proof = `x-key=${createHash('sha256').update('hush').digest('hex')} :address=00`;
  expect(keptHeaders({ ...kept, 'x-key': 'hush' }, proof)).toEqual(kept);
});
