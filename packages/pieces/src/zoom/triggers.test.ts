import { createHmac } from 'node:crypto';
import { type AppWebhookTrigger, routeKeys } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { zoom } from './index.js';

const SECRET = 'app-secret';
const NOW = 1_769_850_000;
const proof = proofOf(SECRET, NOW * 1_000);
const triggers = Object.entries(zoom.triggers ?? {}) as [string, AppWebhookTrigger][];
const EVENTS: Record<string, string> = {
  meeting_started: 'meeting.started',
  meeting_ended: 'meeting.ended',
  recording_completed: 'recording.completed',
  registrant_added: 'meeting.registration_created',
};

const sent = (event: string, changes: object = {}) =>
  JSON.stringify({
    ...{ event, event_ts: 1769850000123 },
    payload: { account_id: 'A1', object: { uuid: 'u==', host_id: 'H1', registrant: { id: 'r1' }, ...changes } },
  });

/** Signs a body as Zoom does: https://developers.zoom.us/docs/api/webhooks/#verify-with-zooms-header */
function signed(body: string, { secret = SECRET, at = NOW } = {}) {
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`;
  return inbound(body, { 'x-zm-signature': signature, 'x-zm-request-timestamp': String(at) });
}

describe.each(triggers)('%s', (name, trigger) => {
  const event = EVENTS[name]!;

  it('reads a signed event', () => {
    const request = signed(sent(event));
    expect(trigger.verify(request, proof)).toBe(true);
    expect(routeKeys(trigger, request)).toEqual(['A1 H1']);
    const id = `${event} u== 1769850000123${name === 'registrant_added' ? ' r1' : ''}`;
    const object = { uuid: 'u==', host_id: 'H1', registrant: { id: 'r1' } };
    expect(trigger.events(request, {})).toEqual([{ id, data: { event, event_ts: 1769850000123, object } }]);
    expect(trigger.events(signed(sent('meeting.deleted')), {})).toEqual([]);
  });

  it('refuses a forged, an old and an unsigned request', () => {
    const body = sent(event);
    expect(trigger.verify(signed(body, { secret: 'other' }), proof)).toBe(false);
    expect(trigger.verify(signed(body, { at: NOW - 301 }), proof)).toBe(false);
    expect(trigger.verify(inbound(body), proof)).toBe(false);
    const { headers } = signed(body);
    expect(trigger.verify(inbound(sent(event, { uuid: 'v' }), headers), proof)).toBe(false);
  });

  it('belongs to the user of its connection', async () => {
    const reply = () => json({ id: 'H1', account_id: 'A1' });
    const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' } as const;
    const { output, asked } = await runTrigger({ piece: zoom, credential, reply }, {}, (context) =>
      trigger.subscribe(context),
    );
    expect([output, asked]).toEqual(['A1 H1', ['GET /v2/users/me']]);
  });

  it('answers the validation of the URL, and signs nothing that could be an event', () => {
    const validation = (plainToken: string) => inbound({ event: 'endpoint.url_validation', payload: { plainToken } });
    const encryptedToken = createHmac('sha256', SECRET).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex');
    expect(trigger.handshake!(validation('qgg8vlvZRS6UYooatFL8Aw'), proof)).toMatchObject({
      body: JSON.stringify({ plainToken: 'qgg8vlvZRS6UYooatFL8Aw', encryptedToken }),
    });
    for (const token of [`v0:${NOW}:${sent(event)}`, `v0:${NOW}:{}`, '', 'x'.repeat(101)])
      expect(trigger.handshake!(validation(token), proof)).toBeUndefined();
    expect(trigger.handshake!(inbound(sent(event)), proof)).toBeUndefined();
  });

  it('throws for an event that it cannot read', () => {
    expect(() => trigger.events(signed('no'), {})).toThrow('not JSON');
    expect(() => trigger.events(signed(JSON.stringify({ event, payload: {} })), {})).toThrow('no meeting');
  });
});
