import { createSign, generateKeyPairSync } from 'node:crypto';
import { ProviderError, type JsonObject, type JsonValue, type Registration } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { sendgrid } from './index.js';
import { contactAdded } from './triggers/contact-added.js';
import { emailEvent } from './triggers/email-event.js';

const credential = { type: 'SECRET_TEXT', secretText: 'SG.canary' } as const;
const check = by(readDescription('sendgrid', 'webhooks'), readDescription('sendgrid'));
const webhookUrl = 'https://gateway.example/api/v1/webhooks/sendgrid/1';

/** The test data of SendGrid's verification: packages/eventwebhook/src/eventwebhook.spec.js of sendgrid-nodejs. */
const OFFICIAL = {
  publicKey:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==',
  signature: 'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
  timestamp: '1588788367',
  payload: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
};

describe('the webhook at SendGrid', () => {
  const reply = ({ method, url }: Recorded): Reply => {
    if (method === 'DELETE')
      return url.endsWith('gone')
        ? json({ errors: [{ message: 'Invalid id provided.' }] }, 404)
        : { status: 204, body: '' };
    if (method === 'PATCH') return json({ id: 'new', public_key: OFFICIAL.publicKey });
    if (method === 'POST') return json({ id: 'new', url: webhookUrl, enabled: true }, 201);
    return json({
      max_allowed: 5,
      webhooks: [
        { id: 'other', url: 'https://other.example' },
        { id: 'left', url: webhookUrl },
      ],
    });
  };
  const setting = { piece: sendgrid, credential, reply };
  const enable = (changed = setting) =>
    runTrigger<JsonObject, Registration>(changed, { events: ['delivered', 'spam_report'] }, (context) =>
      emailEvent.enable({ ...context, webhookUrl, secret: 'ours' }),
    );
  const wanted = {
    ...{
      url: webhookUrl,
      enabled: true,
      friendly_name: 'Drawbridge',
      processed: false,
      dropped: false,
      deferred: false,
    },
    ...{ bounce: false, delivered: true, open: false, click: false, spam_report: true, unsubscribe: false },
    ...{ group_unsubscribe: false, group_resubscribe: false },
  };
  const asked = [
    'GET /v3/user/webhooks/event/settings/all',
    'DELETE /v3/user/webhooks/event/settings/left',
    `POST /v3/user/webhooks/event/settings ${JSON.stringify(wanted)}`,
    'PATCH /v3/user/webhooks/event/settings/signed/new {"enabled":true}',
  ];

  it('is created once and signs its requests', async () => {
    const enabled = await enable();
    expect(enabled.output).toEqual({ state: { id: 'new' }, secret: OFFICIAL.publicKey });
    expect(enabled.asked).toEqual(asked);
    expect(enabled.received.flatMap(check)).toEqual([]);
  });

  it('is removed if SendGrid does not sign its requests', async () => {
    const removed: string[] = [];
    const unsigned = (request: Recorded): Reply => {
      if (request.method === 'DELETE') removed.push(request.url);
      return request.method === 'PATCH' ? json({ errors: [{ message: 'access forbidden' }] }, 403) : reply(request);
    };
    await expect(enable({ ...setting, reply: unsigned })).rejects.toThrow('access forbidden');
    const empty = (request: Recorded) =>
      request.method === 'PATCH' ? json({ id: 'new', public_key: '' }) : unsigned(request);
    await expect(enable({ ...setting, reply: empty })).rejects.toBeInstanceOf(ProviderError);
    expect(removed.filter((url) => url.endsWith('/new'))).toHaveLength(2);
  });

  it.each(['new', 'gone'])('is deleted: %s', async (id) => {
    const disabled = await runTrigger<JsonObject, void>(setting, {}, (context) =>
      emailEvent.disable({ ...context, state: { id }, webhookUrl, secret: 'ours' }),
    );
    expect(disabled.asked).toEqual([`DELETE /v3/user/webhooks/event/settings/${id}`]);
    expect(disabled.received.flatMap(check)).toEqual([]);
  });
});

describe('a request', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const secret = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const now = 1_767_225_600_000;
  const time = String(now / 1_000);
  const events = [
    { email: 'ann@acme.example', event: 'delivered', sg_event_id: 'e1', timestamp: 1_767_225_590 },
    { email: 'bob@acme.example', event: 'bounce', sg_event_id: 'e2', timestamp: 1_767_225_591 },
  ];
  // SendGrid separates events with line breaks, which the signature covers.
  const payload = `[${events.map((event) => JSON.stringify(event)).join(',\r\n')}]\r\n`;
  const sign = (at: string, body = payload): string =>
    createSign('sha256').update(at).update(body).sign(privateKey).toString('base64');
  const signed = (signature: string | undefined, at = time, body = payload) =>
    inbound(body, {
      ...(signature !== undefined && { 'x-twilio-email-event-webhook-signature': signature }),
      'x-twilio-email-event-webhook-timestamp': at,
    });
  const ago = (seconds: number): string => String(now / 1_000 - seconds);

  it('of the test data of SendGrid is accepted', () => {
    const { timestamp, signature, payload: body } = OFFICIAL;
    const proof = proofOf(OFFICIAL.publicKey, Number(timestamp) * 1_000);
    expect(emailEvent.verify(signed(signature, timestamp, body), proof)).toBe(true);
    expect(emailEvent.verify(signed(signature, timestamp, `${body} `), proof)).toBe(false);
    expect(emailEvent.verify(signed(signature, timestamp, body), { ...proof, secret })).toBe(false);
  });

  it.each<[string, ReturnType<typeof signed>, boolean]>([
    ['signed', signed(sign(time)), true],
    ['signed and repeated for a day', signed(sign(ago(86_400)), ago(86_400)), true],
    ['older', signed(sign(ago(100_000)), ago(100_000)), false],
    ['with a newer time than the signed one', signed(sign(ago(100_000))), false],
    ['with another body', signed(sign(time), time, payload.replace('bounce', 'delivered')), false],
    ['unsigned', signed(undefined), false],
    ['with an empty signature', signed(''), false],
    ['with no signature in DER', signed('aGk='), false],
    ['without a time', inbound(payload, { 'x-twilio-email-event-webhook-signature': sign('') }), false],
  ])('%s', (_, request, expected) => expect(emailEvent.verify(request, proofOf(secret, now))).toBe(expected));

  it('causes one event for each that it has, with the id that a repetition has too', () => {
    expect(emailEvent.events(signed(sign(time)), {})).toEqual([
      { id: 'e1', data: events[0] },
      { id: 'e2', data: events[1] },
    ]);
    expect(emailEvent.events(inbound(payload, { 'content-type': '' }), {})).toHaveLength(2);
    expect(emailEvent.events(inbound('[]'), {})).toEqual([]);
    expect(() => emailEvent.events(inbound('{}'), {})).toThrow('is not a JSON list');
    expect(() => emailEvent.events(inbound('not JSON'), {})).toThrow('is not a JSON list');
    expect(() => emailEvent.events(inbound('[{}]'), {})).toThrow('has no sg_event_id');
  });
});

describe('contact_added', () => {
  const contact = (id: string, second: number) => ({
    id,
    email: `${id}@acme.example`,
    created_at: `2026-01-01T00:00:0${second}Z`,
    list_ids: [],
  });
  const poll = async (result: JsonObject[], cursor?: JsonValue) => {
    const setting = { piece: sendgrid, credential, reply: () => json({ result, contact_count: result.length }) };
    const { output, asked, received } = await runTrigger<JsonObject, Awaited<ReturnType<typeof contactAdded.poll>>>(
      setting,
      {},
      (context) => contactAdded.poll({ ...context, cursor }),
    );
    expect(asked).toEqual(['GET /v3/marketing/contacts']);
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, ids: output.events.map(({ id }) => id) };
  };

  it('reports each contact once, oldest first, in whatever order SendGrid lists them', async () => {
    const first = await poll([contact('a', 1), contact('b', 3), contact('c', 2)]);
    expect(first.events).toEqual([]);
    const grown = [contact('a', 1), contact('aa', 5), contact('b', 3), contact('c', 2), contact('d', 4)];
    const next = await poll(grown, first.cursor);
    expect(next.events).toEqual([
      { id: 'd', data: contact('d', 4) },
      { id: 'aa', data: contact('aa', 5) },
    ]);
    expect(await poll(grown, first.cursor)).toEqual(next);
    expect((await poll(grown, next.cursor)).events).toEqual([]);
  });

  it('finds contacts of the same second', async () => {
    const first = await poll([contact('b', 1)]);
    const second = await poll([contact('a', 1), contact('b', 1)], first.cursor);
    const third = await poll([contact('a', 1), contact('b', 1), contact('c', 1)], second.cursor);
    expect([second.ids, third.ids]).toEqual([['a'], ['c']]);
  });

  it('starts with an empty list', async () => {
    const first = await poll([]);
    expect((await poll([contact('a', 1)], first.cursor)).ids).toEqual(['a']);
  });
});
