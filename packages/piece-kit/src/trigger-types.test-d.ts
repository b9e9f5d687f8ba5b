// Type tests of triggers: the compiler reports an error if a marked line becomes valid.
import { shortText, staticDropdown, trigger, type PollingTrigger, type Trigger, type WebhookTrigger } from './index.js';

const about = { displayName: 'Said', description: 'A user said it.', sample: { text: 'x' } };
const props = { room: shortText('Room', { required: true }), state: staticDropdown('State', ['open', 'closed']) };
const inbound = { verify: () => true, events: () => [] };

export const hooked: WebhookTrigger = trigger({
  ...about,
  kind: 'webhook',
  props,
  enable: async ({ input, webhookUrl, secret }) => {
    const room: string = input.room;
    const state: 'open' | 'closed' | undefined = input.state;
    // @ts-expect-error an optional property may be absent
    const always: string = input.state;
    // @ts-expect-error an unknown key
    void input.rooom;
    return { state: { room, state: state ?? always, webhookUrl, secret } };
  },
  disable: async ({ http, state }) => void (await http.json({ method: 'DELETE', path: `/${String(state['id'])}` })),
  handshake: (request) => (request.headers['x-event'] === 'ping' ? {} : undefined),
  verify: (request, { secret, now }) => request.headers['x-secret'] === secret && now > 0,
  events: ({ body }, { room, state }) => [{ id: room, data: { bytes: body.length, isOpen: state === 'open' } }],
});

export const polled: PollingTrigger = trigger({
  ...about,
  kind: 'polling',
  props: { room: shortText('Room', { required: true }) },
  poll: async ({ input, cursor }) => ({ events: [], cursor: cursor ?? input.room }),
});

export const routed: Trigger = trigger({
  ...about,
  ...inbound,
  kind: 'app-webhook',
  props,
  route: () => undefined,
  subscribe: async ({ input, auth }) => auth?.type ?? input.room,
});

const enabled = { enable: async () => ({ state: {} }), disable: async () => undefined };
// @ts-expect-error without `verify`, anyone who knows the URL could send events
trigger({ ...about, ...enabled, kind: 'webhook', props: {}, events: () => [] });
// @ts-expect-error a registration needs a function to delete it
trigger({ ...about, ...inbound, kind: 'webhook', props: {}, enable: enabled.enable });
// @ts-expect-error an app webhook needs `route` to find its subscribers
trigger({ ...about, ...inbound, kind: 'app-webhook', props: {}, subscribe: async () => 'team' });
// @ts-expect-error a poll must return the cursor of the next poll
trigger({ ...about, kind: 'polling', props: {}, poll: async () => ({ events: [] }) });
// @ts-expect-error a trigger needs a sample for its users
trigger({ displayName: 'Said', description: 'Said.', kind: 'polling', props: {}, poll: polled.poll });
// @ts-expect-error an unknown kind
trigger({ ...about, kind: 'socket', props: {} });
// @ts-expect-error -- a refresher must be a property of the trigger
trigger({ ...about, kind: 'polling', props: { room: dropdown('Room', { refreshers: ['house'] }) }, poll: polled.poll });
