// Shapes: kafka
import { type Api } from './support/api.js';
import { expectError } from './support/expect.js';
import { eventually } from './support/eventually.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers, waitingInbound } from './support/notified-triggers.js';
import { SLACK_SECRET } from './support/fakes.js';
import { asSlack, now, SLACK_INSTALLATION } from './support/trigger-vendors.js';

const APP = '/api/v1/webhooks/slack/app';
const MESSAGES = { integrationName: 'slack', triggerName: 'new_message' };

let its: NotifiedTriggers;
let mine: Api;
let theirs: Api;

beforeAll(async () => {
  its = await notifiedTriggers();
  [mine, theirs] = [await its.newApi(), await its.newApi()];
});
afterAll(() => its?.stop());

let sent = 0;
const event = (fields: object, by: object = SLACK_INSTALLATION): string =>
  JSON.stringify({
    ...{ type: 'event_callback', authorizations: [by], event_id: `Ev${++sent}`, event_time: 1 },
    team_id: SLACK_INSTALLATION.team_id,
    event: { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: `${sent}.1`, ...fields },
  });

const post = async (text: string, headers = asSlack(text)): Promise<number> =>
  (await its.send(APP, text, headers)).status;

/** Waits until all received webhooks are processed. */
const settled = (): Promise<void> =>
  eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));

const textsAt = ({ path }: Enabled): string[] => its.receiver.at(path).map(({ body }) => body.payload.text);

it('an app event reaches every matching source, in every organization', async () => {
  const [one, filtered] = [
    await its.enabled(mine, MESSAGES),
    await its.enabled(mine, { ...MESSAGES, input: { channel: 'C2' } }),
  ];
  const [other, reactions] = [
    await its.enabled(theirs, MESSAGES),
    await its.enabled(theirs, { ...MESSAGES, triggerName: 'reaction_added' }),
  ];
  expect(one.hook).toBe(APP);
  expect(await post(event({ text: 'to all' }))).toBe(200);
  const ofAnother = { text: 'of another app' };
  expect(await post(event(ofAnother, { ...SLACK_INSTALLATION, user_id: 'U9' }))).toBe(200);
  expect(await post(event({ text: 'elsewhere', channel: 'C2' }))).toBe(200);
  await Promise.all([its.callbacks(one.path, 2), its.callbacks(other.path, 2), its.callbacks(filtered.path, 1)]);
  await settled();
  expect([textsAt(one).sort(), textsAt(filtered), textsAt(reactions)]).toEqual([
    ['elsewhere', 'to all'],
    ['elsewhere'],
    [],
  ]);
});

it('an app event reaches no disabled source, and the others once although it is sent repeatedly', async () => {
  const [gone, stays] = [await its.enabled(mine, MESSAGES), await its.enabled(theirs, MESSAGES)];
  expect((await mine.post('/api/v1/triggers/disable', { triggerSourceId: gone.id })).status).toBe(200);
  const text = event({ text: 'again and again' });
  expect(await Promise.all([post(text), post(text), post(text)])).toEqual([200, 200, 200]);
  await its.callbacks(stays.path, 1);
  await settled();
  expect(textsAt(stays)).toEqual(['again and again']);
  expect(textsAt(gone)).toEqual([]);
});

it('the challenge of an app is answered only with a signature', async () => {
  const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc<b>' });
  const answer = await its.send(APP, challenge, asSlack(challenge));
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: 'abc<b>' });
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expectError(await its.send(APP, challenge), 401, 'UNAUTHENTICATED');
});

it.each<[string, (text: string) => Record<string, string>]>([
  ['expired', (text) => asSlack(text, SLACK_SECRET, now() - 301)],
  ["another app's", (text) => asSlack(text, 'another')],
  ['of another body', (text) => asSlack(`${text} `)],
])('an app event is refused if its signature is %s', async (_how, sign) => {
  const text = event({});
  expectError(await its.send(APP, text, sign(text)), 401, 'UNAUTHENTICATED');
});
