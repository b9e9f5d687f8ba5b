// Shapes: local
import { eventually } from './support/eventually.js';
import { polledProduct, type PolledProduct } from './support/polled-product.js';

const CHOSEN = 'chosen-canary-3f9a';
const LATE = 'late-canary-7d21';

let at: PolledProduct;

beforeAll(async () => void (at = await polledProduct()));
afterAll(() => at?.stop());

/** Sends a request to the path of a webhook URL, as a provider does. */
function send(webhookUrl: string, headers: Record<string, string>, body: object = {}): Promise<Response> {
  const url = at.product.baseUrl + new URL(webhookUrl).pathname;
  const json = { 'content-type': 'application/json', ...headers };
  return fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
}

describe('a provider that chooses the secret in a handshake', () => {
  const shaken: number[] = [];
  let webhookUrl: string;

  beforeAll(() => {
    // The handshake arrives while the subscribe request waits for its response.
    at.thirdParty.on('POST /handshakes', async ({ body }) => {
      webhookUrl = (body as { url: string }).url;
      for (const secret of [CHOSEN, LATE]) {
        const answer = await send(webhookUrl, { 'x-hook-secret': secret });
        shaken.push(answer.status);
        if (answer.ok) expect(answer.headers.get('x-hook-secret')).toBe(secret);
      }
      return { body: { id: 1 } };
    });
  });

  it('signs events with the secret of its first handshake, and the URL that it got', async () => {
    const source = await at.newSource({ triggerName: 'shaken' });
    expect(shaken).toEqual([200, 401]);
    expect((await send(webhookUrl, { 'x-sent': `${CHOSEN} ${webhookUrl}` }, { id: '7' })).status).toBe(200);
    expect((await send(webhookUrl, { 'x-sent': `${LATE} ${webhookUrl}` }, { id: '8' })).status).toBe(401);
    expect((await source.delivered(1)).length).toBe(1);
  });

  it('cannot change the secret once the trigger is enabled', async () => {
    await eventually(async () => expect((await send(webhookUrl, { 'x-hook-secret': LATE })).status).toBe(401));
    expect((await send(webhookUrl, { 'x-sent': `${CHOSEN} ${webhookUrl}` }, { id: '9' })).status).toBe(200);
  });

  it('has its secret in no log', () => {
    expect(at.product.logs()).not.toContain(CHOSEN);
  });
});
