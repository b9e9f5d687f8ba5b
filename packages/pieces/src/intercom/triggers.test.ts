import { createHmac } from 'node:crypto';
import { type AppWebhookTrigger, type JsonObject, routeKeys } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { intercom } from './index.js';

const SECRET = 'client-secret';
const proof = proofOf(SECRET, 0);
const credential = { type: 'CUSTOM_AUTH', props: { host: 'api', accessToken: 'canary' } } as const;
const triggers = Object.entries(intercom.triggers ?? {}) as [string, AppWebhookTrigger][];
const item = {
  id: '471',
  state: 'open',
  sla_applied: {},
  conversation_parts: { conversation_parts: [{ id: '2', body: 'Yes' }] },
};
const CASES: Record<string, [topic: string, item: JsonObject, data: JsonObject]> = {
  conversation_created: ['conversation.user.created', item, { id: '471', state: 'open' }],
  conversation_replied: [
    'conversation.user.replied',
    item,
    { id: '471', state: 'open', parts: [{ id: '2', body: 'Yes' }] },
  ],
  conversation_closed: ['conversation.admin.closed', item, { id: '471', state: 'open' }],
  contact_created: ['contact.lead.created', { id: 'c1', role: 'lead', avatar: {} }, { id: 'c1', role: 'lead' }],
};

const notification = (topic: string, sent: JsonObject = {}) =>
  JSON.stringify({ type: 'notification_event', app_id: 'w1', id: 'notif_1', topic, data: { item: sent } });
const signed = (body: string, secret = SECRET) =>
  inbound(body, { 'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}` });

describe.each(triggers)('%s', (name, trigger) => {
  const [topic, sent, data] = CASES[name]!;

  it('reads a signed notification of its workspace', () => {
    const request = signed(notification(topic, sent));
    expect(trigger.verify(request, proof)).toBe(true);
    expect(routeKeys(trigger, request)).toEqual(['w1']);
    expect(trigger.events(request, {})).toEqual([{ id: 'notif_1', data }]);
    expect(trigger.events(signed(notification('ping')), {})).toEqual([]);
    expect(trigger.events(signed('{"type":"notification_event","topic":"ping","id":null}'), {})).toEqual([]);
  });

  it('refuses a forged and an unsigned one, and throws for one that it cannot read', () => {
    const body = notification(topic, sent);
    expect(trigger.verify(signed(body, 'other'), proof)).toBe(false);
    expect(trigger.verify(inbound(body), proof)).toBe(false);
    expect(trigger.verify(inbound(`${body} `, signed(body).headers), proof)).toBe(false);
    expect(() => trigger.events(signed('{}'), {})).toThrow('not a notification');
  });

  it('belongs to the workspace of its connection, and answers the check of the URL', async () => {
    const reply = () => json({ app: { id_code: 'w1' } });
    const { output } = await runTrigger({ piece: intercom, credential, reply }, {}, (context) =>
      trigger.subscribe(context),
    );
    expect(output).toBe('w1');
    expect(trigger.handshake!({ ...inbound(''), method: 'HEAD' }, proof)).toEqual({});
    expect(trigger.handshake!(inbound('{}'), proof)).toBeUndefined();
  });
});
