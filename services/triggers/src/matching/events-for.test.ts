import { eventsFor } from './events-for.js';

const said = { type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event_time: 1 };
const message = { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1.1' };
const request = {
  method: 'POST',
  url: '/api/v1/webhooks/slack/app',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ ...said, event: message })),
};
const asking = { integrationName: 'slack', triggerName: 'new_message', routeKey: 'T1', input: {} };

it('tells a source what it asked for', () => {
  expect(eventsFor(asking, request)).toEqual([{ id: 'Ev1', data: { ...message, team_id: 'T1', event_time: 1 } }]);
});

it.each([
  ['it is about another workspace of the third party', { routeKey: 'T2' }],
  ['it asked about another channel', { input: { channel: 'C2' } }],
  ['it asked for another thing', { triggerName: 'reaction_added' }],
  ['its piece has no such trigger any more', { triggerName: 'gone' }],
  ['its piece is gone', { integrationName: 'gone' }],
])('tells it nothing where %s', (_why, changes) => {
  expect(eventsFor({ ...asking, ...changes }, request)).toEqual([]);
});
