import { type JsonObject, type WebhookRequest, type WebhookTrigger } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { microsoftOutlook } from './index.js';
import { eventChanged } from './triggers/event-changed.js';
import { newEvent } from './triggers/new-event.js';
import { newMail } from './triggers/new-mail.js';

const described = by(readDescription('microsoft-outlook'));
const check = (request: Recorded): string[] => described(toGraphNotation(request));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
const secret = 'b0f1'.repeat(16);
const webhookUrl = 'https://drawbridge.example/api/v1/webhooks/microsoft-outlook/1';
const proof = proofOf(secret, Date.UTC(2026, 0, 1));
const HOUR = 3_600_000;

const triggers = [
  ['new_mail', newMail, {}, { changeType: 'created', resource: "me/mailFolders('inbox')/messages" }],
  ['new_mail', newMail, { folderId: 'AQ=' }, { changeType: 'created', resource: "me/mailFolders('AQ=')/messages" }],
  ['new_event', newEvent, {}, { changeType: 'created', resource: 'me/events' }],
  ['event_changed', eventChanged, {}, { changeType: 'updated,deleted', resource: 'me/events' }],
] as const;

describe.each(triggers)('the subscription of %s', (_, trigger: WebhookTrigger, input, watched) => {
  const registered = { webhookUrl, secret, state: { id: 'sub 1' } };
  const now = Date.UTC(2026, 0, 1);
  const later = new Date(now + 70 * HOUR).toISOString();
  const created = { ...watched, notificationUrl: webhookUrl, clientState: secret, expirationDateTime: later };
  const setting = (reply: (request: Recorded) => Reply) => ({ piece: microsoftOutlook, credential, reply });
  const made = json({ id: 'sub 2', expirationDateTime: later });

  const clock = Date.now;
  beforeEach(() => void (Date.now = () => now));
  afterEach(() => void (Date.now = clock));

  it('is created once after repeated enabling, and renewed after half of its time', async () => {
    const listed = [
      { id: 'other', notificationUrl: 'https://other.example' },
      { id: 'old', notificationUrl: webhookUrl },
    ];
    const setup = setting(({ method }) => (method === 'GET' ? json({ value: listed }) : made));
    const { output, asked, received } = await runTrigger(setup, input, (context) =>
      trigger.enable({ ...context, webhookUrl, secret }),
    );
    expect(output).toEqual({ state: { id: 'sub 2' }, renewAt: new Date(now + 35 * HOUR).toISOString() });
    expect(asked).toEqual([
      'GET /v1.0/subscriptions',
      'DELETE /v1.0/subscriptions/old',
      `POST /v1.0/subscriptions ${JSON.stringify(created)}`,
    ]);
    expect(received.at(-1)?.headers['prefer']).toBe('IdType="ImmutableId"');
    expect(received.flatMap(check)).toEqual([]);
  });

  it('is renewed', async () => {
    const { output, asked, received } = await runTrigger(
      setting(() => made),
      input,
      (context) => trigger.renew?.({ ...context, ...registered }) ?? Promise.reject(new Error('It has no renew')),
    );
    expect(output).toEqual({ state: { id: 'sub 2' }, renewAt: new Date(now + 35 * HOUR).toISOString() });
    expect(asked).toEqual([`PATCH /v1.0/subscriptions/sub%201 {"expirationDateTime":"${later}"}`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('is created again if it ended before its renewal', async () => {
    const gone = json({ error: { code: 'ResourceNotFound', message: 'Gone' } }, 404);
    const { output, asked } = await runTrigger(
      setting(({ method }) => (method === 'PATCH' ? gone : made)),
      input,
      (context) => trigger.renew?.({ ...context, ...registered }) ?? Promise.reject(new Error('It has no renew')),
    );
    expect(output).toMatchObject({ state: { id: 'sub 2' } });
    expect(asked.slice(1)).toEqual([`POST /v1.0/subscriptions ${JSON.stringify(created)}`]);
  });

  it('stays as it is if Microsoft refuses its renewal', async () => {
    const refusal = json({ error: { code: 'ExtensionError', message: 'Try later' } }, 400);
    const renewing = runTrigger(
      setting(() => refusal),
      input,
      (context) => trigger.renew?.({ ...context, ...registered }) ?? Promise.reject(new Error('It has no renew')),
    );
    await expect(renewing).rejects.toMatchObject({ status: 400, code: 'ExtensionError', message: 'Try later' });
  });

  it.each([204, 404])('is removed when the trigger is disabled, if Microsoft responds with %i', async (status) => {
    const { asked, received } = await runTrigger(
      setting(() => ({ status, body: '' })),
      input,
      (context) => trigger.disable({ ...context, ...registered }),
    );
    expect(asked).toEqual(['DELETE /v1.0/subscriptions/sub%201']);
    expect(received.flatMap(check)).toEqual([]);
  });
});

it('fails if Microsoft returns no id of the subscription', async () => {
  const setup = { piece: microsoftOutlook, credential, reply: () => json({ value: [] }) };
  const enabling = runTrigger(setup, {}, (context) => newEvent.enable({ ...context, webhookUrl, secret }));
  await expect(enabling).rejects.toThrow('without an id');
});

describe.each([newMail, newEvent, eventChanged])('a request', (trigger: WebhookTrigger) => {
  it('that validates the address is answered with its token as plain text', () => {
    const request = { ...inbound('', { 'content-type': 'text/plain; charset=utf-8' }) };
    const url = `${request.url}?validationToken=Validation%3A+Testing%3Ca%3E%2B1`;
    expect(trigger.handshake?.({ ...request, url }, proof)).toEqual({
      headers: { 'content-type': 'text/plain' },
      body: 'Validation: Testing<a>+1',
    });
  });

  it.each(['', '?', '?validationToken=', '?other=1'])('with the query %j is no validation', (query) => {
    const request = inbound({ value: [] });
    expect(trigger.handshake?.({ ...request, url: request.url + query }, proof)).toBeUndefined();
  });

  it.each<[string, unknown, boolean]>([
    ['one notification', { value: [{ clientState: secret }] }, true],
    ['several notifications', { value: [{ clientState: secret }, { clientState: secret }] }, true],
    ['another secret', { value: [{ clientState: secret.replace('b', 'c') }] }, false],
    ['a shorter secret', { value: [{ clientState: secret.slice(1) }] }, false],
    ['one forged notification', { value: [{ clientState: secret }, { clientState: 'x' }] }, false],
    ['no secret', { value: [{}] }, false],
    ['a secret of another type', { value: [{ clientState: [secret] }] }, false],
    ['no notifications', { value: [] }, false],
    ['no list', { value: { clientState: secret } }, false],
    ['no JSON', '{"value":', false],
  ])('with %s is verified by its secret', (_, body, expected) => {
    expect(trigger.verify(inbound(body), proof)).toBe(expected);
    expect(trigger.verify(inbound(body), { ...proof, secret: '' })).toBe(false);
  });
});

describe('a notification', () => {
  const item = { '@odata.type': '#Microsoft.Graph.Message', '@odata.etag': 'W/"1"', id: 'AAk' };
  /** The example of the documentation: https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#change-notification-example */
  const notification = (changeType: string, resourceData: JsonObject | undefined = item) => ({
    ...{ id: 'lsgTZMr9KwAAA', subscriptionId: 'sub', subscriptionExpirationDateTime: '2026-03-19T22:11:09.952Z' },
    ...{ clientState: secret, changeType, resource: 'users/u@t/messages/AAk', tenantId: 't', resourceData },
  });
  const eventsOf = (trigger: WebhookTrigger, ...value: object[]) =>
    trigger.events(inbound({ value }) as WebhookRequest, {});
  const data = (changeType: string) => ({ id: 'AAk', changeType, resource: 'users/u@t/messages/AAk', tenantId: 't' });

  it.each([newMail, newEvent])('about a new item is one event, also if it is repeated', (trigger) => {
    expect(eventsOf(trigger, notification('created'))).toEqual([{ id: 'AAk created', data: data('created') }]);
    const again = notification('created', { ...item, '@odata.etag': 'W/"2"' });
    expect(eventsOf(trigger, again)[0]?.id).toBe('AAk created');
  });

  it('about a change is an event for each version of the item', () => {
    const second = notification('updated', { ...item, '@odata.etag': 'W/"2"' });
    expect(eventsOf(eventChanged, notification('updated'), second, notification('deleted'))).toEqual([
      { id: 'AAk updated W/"1"', data: data('updated') },
      { id: 'AAk updated W/"2"', data: data('updated') },
      { id: 'AAk deleted', data: data('deleted') },
    ]);
  });

  it('of another kind, about the subscription or without an id is no event', () => {
    const lifecycle = { subscriptionId: 'sub', clientState: secret, lifecycleEvent: 'missed' };
    expect(eventsOf(newMail, notification('updated'), lifecycle, notification('created', {}))).toEqual([]);
    expect(eventsOf(eventChanged, notification('created'))).toEqual([]);
  });

  it('keeps the secret out of its event', () => {
    expect(JSON.stringify(eventsOf(newMail, notification('created')))).not.toContain(secret);
  });
});
