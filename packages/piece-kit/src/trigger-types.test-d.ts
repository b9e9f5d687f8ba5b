// Proofs that a trigger can't be declared without what its kind needs: the compiler fails when one of the marked lines becomes legal.
import { shortText, staticDropdown, trigger, type PollingTrigger, type Trigger, type WebhookTrigger } from './index.js';

const about = { displayName: 'Said', description: 'Somebody said it.', sample: { text: 'x' } };
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
// @ts-expect-error whoever knows the address could send events
trigger({ ...about, ...enabled, kind: 'webhook', props: {}, events: () => [] });
// @ts-expect-error what is registered can be ended
trigger({ ...about, ...inbound, kind: 'webhook', props: {}, enable: enabled.enable });
// @ts-expect-error nobody would know whom it is about
trigger({ ...about, ...inbound, kind: 'app-webhook', props: {}, subscribe: async () => 'team' });
// @ts-expect-error a poll says where the next one begins
trigger({ ...about, kind: 'polling', props: {}, poll: async () => ({ events: [] }) });
// @ts-expect-error who builds on it needs a sample
trigger({ displayName: 'Said', description: 'Said.', kind: 'polling', props: {}, poll: polled.poll });
// @ts-expect-error no kind of the kit
trigger({ ...about, kind: 'socket', props: {} });
// @ts-expect-error -- a property is refreshed by one that the trigger has
trigger({ ...about, kind: 'polling', props: { room: dropdown('Room', { refreshers: ['house'] }) }, poll: polled.poll });
