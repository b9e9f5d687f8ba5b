import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api, apiOf } from '../api.js';
import { type Enabled, type NotifiedTriggers } from '../notified-triggers.js';
import { asGithub, githubSecretOf } from '../trigger-vendors.js';
import { type Ledger } from './ledger.js';

const ORGANIZATIONS = 4;
const AGAIN_MS = 200;
/** Must exceed the duration of every request. A request without a response after this time is sent again. */
const TIMEOUT_MS = 30_000;

/** A webhook address, and the headers that authenticate its provider. */
interface Hook extends Enabled {
  orgId: string;
  headersOf(text: string, delivery: string): Promise<Record<string, string>>;
}

export interface ThirdParties {
  ledger: Ledger;
  sourceIds: string[];
  /** Responses that an outage does not explain. */
  surprises: string[];
  /** Stops sending new events. Resolves when all sent events are acknowledged. */
  stop(): Promise<void>;
}

/** Starts providers that send `perSecond` events per second. Each event is retried, at the next gateway, until it is acknowledged. */
export async function thirdParties(its: NotifiedTriggers, perSecond: number): Promise<ThirdParties> {
  const hooks = await hooksOf(its);
  const apis = its.product.baseUrls.map((baseUrl) => apiOf(baseUrl));
  const [ledger, surprises, underWay]: [Ledger, string[], Set<Promise<void>>] = [new Map(), [], new Set()];
  const startedAt = performance.now();

  async function send(id: number): Promise<void> {
    const hook = hooks[id % hooks.length]!;
    const sent = { orgId: hook.orgId, begunAt: Date.now(), arrivals: [] };
    ledger.set(id, sent);
    const text = JSON.stringify({ id, note: 'something happened' });
    const headers = { 'content-type': 'application/json', ...(await hook.headersOf(text, `${id}`)) };
    for (let turn = id; ; turn++) {
      const answer = await answerOf(apis[turn % apis.length]!, hook.hook, { text, headers });
      if (answer?.status === 200) return void Object.assign(sent, { acknowledgedAt: Date.now() });
      if (answer && !isOutage(answer)) surprises.push(`${id} was answered ${answer.status}`);
      await sleep(AGAIN_MS);
    }
  }

  const clock = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (ledger.size < due) {
      const sending = send(ledger.size).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }, 1_000 / perSecond);
  return {
    ...{ ledger, surprises, sourceIds: hooks.map(({ id }) => id) },
    async stop() {
      clearInterval(clock);
      await Promise.all(underWay);
    },
  };
}

/** Returns the response, or undefined if there was none. */
async function answerOf(
  api: Api,
  hook: string,
  sent: { text: string; headers: Record<string, string> },
): Promise<Answer | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return api.send('POST', hook, { ...sent, signal }).catch(() => undefined);
}

/** Returns whether the event may be stored although the response was lost. The provider sends it again; its delivery id prevents a second event. */
function isOutage({ status, body }: Answer): boolean {
  return status === 503 || status === 504 || body?.details?.reason === 'outcome_unknown';
}

/** Returns two hooks for each organization: a hook that GitHub signs, and a hook that is authenticated with the connection's credential. */
async function hooksOf(its: NotifiedTriggers): Promise<Hook[]> {
  const hooks: Hook[] = [];
  for (let turn = 0; turn < ORGANIZATIONS; turn++) {
    const api = await its.newApi();
    const orgId = (await api.get('/api/v1/organization')).body.organization.id;
    const push = await its.enabled(api, {
      integrationName: 'github',
      triggerName: 'push',
      input: { repo: 'acme/app' },
    });
    const secret = githubSecretOf(its.vendors, push.hook);
    hooks.push({ ...push, orgId, headersOf: (text, delivery) => asGithub(text, secret, delivery) });
    const caught = await its.enabled(api, { integrationName: 'http', triggerName: 'catch_hook' });
    const authorization = `Bearer ${its.credential.text}`;
    hooks.push({ ...caught, orgId, headersOf: async (_text, id) => ({ authorization, 'webhook-id': id }) });
  }
  return hooks;
}
