import { eventsFor } from './read-event.js';

const authorizations = [{ team_id: 'T1', user_id: 'UBOT' }];
const said = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event_time: 1, authorizations };
const message = { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1.1' };
const request = {
  method: 'POST',
  url: '/api/v1/webhooks/slack/app',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ ...said, event: message })),
};
const asking = { integrationName: 'slack', triggerName: 'new_message', routeKey: 'T1 UBOT', input: {} };

it('tells a source what it asked for', () => {
  expect(eventsFor(asking, request)).toEqual([{ id: 'Ev1', data: { ...message, team_id: 'T1', event_time: 1 } }]);
});

it.each([
  ['it is about another workspace of the third party', { routeKey: 'T2 UBOT' }],
  ['it has the token of another app in that workspace', { routeKey: 'T1 UOTHER' }],
  ['it asked about another channel', { input: { channel: 'C2' } }],
  ['it asked for another thing', { triggerName: 'reaction_added' }],
  ['its piece has no such trigger any more', { triggerName: 'gone' }],
  ['its piece is gone', { integrationName: 'gone' }],
])('tells it nothing where %s', (_why, changes) => {
  expect(eventsFor({ ...asking, ...changes }, request)).toEqual([]);
});

it.each(['application/json', '', 'text/plain'])(
  'throws for what is no event: a push of type %j that is no JSON',
  (type) => {
    const push = { integrationName: 'github', triggerName: 'push', routeKey: null, input: { repo: 'acme/app' } };
    const headers = { 'content-type': type, 'x-github-event': 'push', 'x-github-delivery': '1' };
    expect(() => eventsFor(push, { ...request, headers, body: Buffer.from('no') })).toThrow('the body is not JSON');
  },
);
