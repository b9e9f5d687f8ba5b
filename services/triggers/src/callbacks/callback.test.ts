import { bodyOf, headersOf, type OpenDelivery } from './callback.js';

const delivery: OpenDelivery = {
  ...{
    id: 'd',
    orgId: 'o',
    workspaceId: 'w',
    attempt: 1,
    tries: 1,
    eventId: 'e',
    sendBy: 0,
    payload: '{"a":[1,null]}',
    simulate: false,
    sourceId: 's',
    target: 's',
    bytes: 14,
  },
  ...{ createdAt: new Date(0), integrationName: 'github', integrationAlias: null, triggerName: 'push', endUserId: 'u' },
  ...{ callbackUrl: 'https://a.example', callbackMetadata: { b: 1 }, isWanted: true },
};

it('contains the event and its end user, and no detail of the organization or of the delivery', () => {
  expect(JSON.parse(bodyOf(delivery))).toEqual({
    ...{ id: 'e', type: 'trigger.event', triggerSourceId: 's', integrationName: 'github', integrationAlias: null },
    ...{ triggerName: 'push', workspaceId: 'w', endUserId: 'u', simulate: false, callbackMetadata: { b: 1 } },
    ...{ payload: { a: [1, null] }, createdAt: '1970-01-01T00:00:00.000Z' },
  });
});

it('contains the payload as it was written, and null after it was deleted', () => {
  const payload = '{ "twice": 1.50, "twice": "\\u0001" }';
  expect(bodyOf({ ...delivery, payload })).toContain(`"payload":${payload},"createdAt"`);
  expect(JSON.parse(bodyOf({ ...delivery, payload: null }))).toMatchObject({ payload: null });
});

it("sends the caller's headers, but none in place of ours", () => {
  const callbackHeaders = { Authorization: 'Bearer x', 'X-Svc-Delivery': 'mine' };
  expect(headersOf(delivery, 2, { callbackHeaders })).toEqual({
    ...{ authorization: 'Bearer x', 'x-svc-trigger': 's', 'x-svc-delivery': 'd', 'x-svc-attempt': '2' },
  });
});
