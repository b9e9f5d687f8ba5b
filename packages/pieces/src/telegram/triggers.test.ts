import { type JsonObject, type Trigger, type WebhookTrigger } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { telegram } from './index.js';

const description = readDescription('telegram');
delete description.base;
const { body } = description.operations['POST /setWebhook']!;
// Telegram accepts JSON where no file is sent, and has the secret token since version 6.1: https://core.telegram.org/bots/api#setwebhook
delete body!.type;
Object.assign(body!.schema.properties as object, { secret_token: { type: 'string', pattern: '^[\\w-]{1,256}$' } });
const check = (request: Recorded) => by(description)({ ...request, url: request.url.replace(/^\/bot[^/]+/, '') });

const credential = { type: 'SECRET_TEXT', secretText: '1:canary' } as const;
const webhookUrl = 'https://gateway.example/api/v1/webhooks/telegram/1';
const secret = 'a1b2c3d4';
const NAMES = ['new_message', 'callback_query', 'channel_post'] as const;
const UPDATES = { new_message: 'message', callback_query: 'callback_query', channel_post: 'channel_post' };

const named = (name: string): WebhookTrigger => requireWebhook(telegram.triggers?.[name]);

function requireWebhook(trigger: Trigger | undefined): WebhookTrigger {
  if (trigger?.kind !== 'webhook' || !trigger.events) throw new Error('The trigger is no webhook');
  return trigger;
}

/** Calls a step of a trigger, for a bot with this webhook. */
const step = (name: string, how: 'enable' | 'disable', url = webhookUrl) => {
  const setting = { piece: telegram, credential, reply: () => json({ ok: true, result: { url } }) };
  const subscription = { webhookUrl, secret, state: {} };
  return runTrigger(setting, {}, (context): Promise<unknown> => named(name)[how]({ ...context, ...subscription }));
};

describe.each(NAMES)('%s', (name) => {
  it('registers one webhook for the updates of all triggers', async () => {
    const { output, asked, received } = await step(name, 'enable');
    expect(output).toEqual({ state: {} });
    expect(asked).toEqual([
      `POST /bot1%3Acanary/setWebhook {"url":"${webhookUrl}","secret_token":"${secret}",` +
        '"allowed_updates":["message","callback_query","channel_post"]}',
    ]);
    expect(received.flatMap(check)).toEqual([]);
    expect(named(name).sharesWebhook).toBe(true);
  });

  it('removes its webhook', async () => {
    const { asked, received } = await step(name, 'disable');
    expect(asked).toEqual(['POST /bot1%3Acanary/getWebhookInfo', 'POST /bot1%3Acanary/deleteWebhook {}']);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('leaves another webhook of the bot', async () => {
    expect((await step(name, 'disable', 'https://other.example')).asked).toEqual([
      'POST /bot1%3Acanary/getWebhookInfo',
    ]);
    expect((await step(name, 'disable', '')).asked).toHaveLength(1);
  });

  it('has the events of its own kind of update', () => {
    const update = (kind: string): JsonObject => ({ update_id: 10, [kind]: { id: 'x' } });
    const { events } = named(name);
    for (const other of NAMES) {
      const found = events(inbound(update(UPDATES[other])), {});
      expect(found).toEqual(other === name ? [{ id: '10', data: { id: 'x' } }] : []);
    }
    expect(() => events(inbound({ message: {} }), {})).toThrow('not an update');
    expect(() => events(inbound('x'), {})).toThrow('not an update');
  });

  it.each([
    ['the secret', secret, true],
    ['another secret', 'other', false],
    ['no secret', undefined, false],
    ['an empty secret', '', false],
  ])('verifies a request with %s: %s', (_what, token, expected) => {
    const headers: Record<string, string> = token === undefined ? {} : { 'x-telegram-bot-api-secret-token': token };
    expect(named(name).verify(inbound({ update_id: 1 }, headers), proofOf(secret, 0))).toBe(expected);
    expect(named(name).verify(inbound({ update_id: 1 }, headers), proofOf('', 0))).toBe(false);
  });
});
