import {
  authorizationHeader,
  piece,
  runTrigger,
  type SendRequest,
  shortText,
  trigger,
  type Trigger,
  type TriggerStep,
} from './index.js';

const about = { displayName: 'It happens', description: 'Something happens.', sample: { id: 1 } };
const props = { repo: shortText('Repository', { required: true }) };
const inbound = { verify: () => true, events: () => [] };
const registered = { webhookUrl: 'https://gateway.example/hook', secret: 's3cr3t' };

const TRIGGERS: Record<string, Trigger> = {
  called: trigger({
    ...{ ...about, ...inbound, kind: 'webhook', props },
    enable: async ({ http, input, webhookUrl, secret }) => {
      const json = { url: webhookUrl, secret };
      const made = (await http.json({ method: 'POST', path: `/${input.repo}/hooks`, json })) as { id: number };
      return { state: { id: made.id } };
    },
    disable: async ({ http, state }) => {
      await http.json({ method: 'DELETE', path: `/hooks/${state['id'] as number}` });
    },
    renew: async ({ state }) => ({ state: { id: (state['id'] as number) + 1 }, renewAt: '2026-01-31T09:00:00Z' }),
  }),
  lasting: trigger({
    ...{ ...about, ...inbound, kind: 'webhook', props },
    enable: async () => ({ state: {} }),
    disable: async () => undefined,
  }),
  polled: trigger({
    ...{ ...about, kind: 'polling', props },
    poll: async ({ cursor }) => ({ events: [{ id: '1', data: { after: cursor ?? null } }], cursor: 'next' }),
  }),
  shared: trigger({
    ...{ ...about, ...inbound, kind: 'app-webhook', props },
    route: () => undefined,
    subscribe: async ({ auth }) => `team of ${auth?.type}`,
  }),
};

const acme = piece({
  ...{ name: 'acme', displayName: 'Acme', description: 'Acme.', categories: ['CORE'] },
  origin: 'https://api.acme.example',
  auth: { types: ['SECRET_TEXT'], required: true },
  http: { authorize: authorizationHeader },
  actions: {},
  triggers: TRIGGERS,
});

async function go(name: string, step: TriggerStep) {
  const sent: SendRequest[] = [];
  const send = async (request: SendRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: new TextEncoder().encode('{"id":7}'), url: request.url };
  };
  const credential = { type: 'SECRET_TEXT', secretText: 'key' } as const;
  const answer = await runTrigger(acme, name, step, { input: { repo: 'app' }, credential, send });
  return { answer, sent: sent.map(({ method, url, headers }) => ({ method, url, by: headers?.['authorization'] })) };
}

it('registers with the credential and the input of the trigger', async () => {
  expect(await go('called', { kind: 'enable', ...registered })).toEqual({
    answer: { state: { id: 7 } },
    sent: [{ method: 'POST', url: 'https://api.acme.example/app/hooks', by: 'Bearer key' }],
  });
});

it('unregisters the webhook', async () => {
  const { answer, sent } = await go('called', { kind: 'disable', ...registered, state: { id: 7 } });
  expect({ answer, sent }).toMatchObject({ answer: {}, sent: [{ method: 'DELETE' }] });
});

it('renews it', async () => {
  const { answer } = await go('called', { kind: 'renew', ...registered, state: { id: 7 } });
  expect(answer).toEqual({ state: { id: 8 }, renewAt: '2026-01-31T09:00:00Z' });
});

it('polls from a cursor, and from none', async () => {
  const { answer } = await go('polled', { kind: 'poll', cursor: { at: 1 } });
  expect(answer).toEqual({ events: [{ id: '1', data: { after: { at: 1 } } }], cursor: 'next' });
  expect((await go('polled', { kind: 'poll' })).answer).toMatchObject({ events: [{ data: { after: null } }] });
});

it('returns the account of an app', async () => {
  expect((await go('shared', { kind: 'subscribe' })).answer).toEqual({ routeKey: 'team of SECRET_TEXT' });
});

it.each<[string, TriggerStep, string]>([
  ['nothing', { kind: 'subscribe' }, 'acme has no trigger nothing'],
  ['toString', { kind: 'subscribe' }, 'acme has no trigger toString'],
  ['polled', { kind: 'subscribe' }, 'A trigger of kind polling cannot run subscribe'],
  ['called', { kind: 'poll' }, 'A trigger of kind webhook cannot run poll'],
  ['shared', { kind: 'enable', ...registered }, 'A trigger of kind app-webhook cannot run enable'],
  ['lasting', { kind: 'renew', ...registered, state: {} }, 'A trigger of kind webhook cannot run renew'],
])('refuses an unsupported step of %s: %j', async (name, step, message) => {
  await expect(go(name, step)).rejects.toThrow(message);
});
