import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_TABLE, type ServiceName } from '@drawbridge/contracts';
import { type Network, memoize } from '@drawbridge/rpc';
import { Router } from 'express';

const DEPENDENCIES = SERVICE_TABLE.gateway.mayCall;
/** However many ask: a probe must not become a load. */
const REMEMBER_MS = 1_000;
const ANSWER_MS = 2_000;

/** /healthz: the process lives. /readyz: every service behind it answers, in time, that it can work. */
export function health(network: Pick<Network, 'ready'>): Router {
  const unreadyNow = memoize({ ttlMs: REMEMBER_MS }, () => findUnready(network));
  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const unready = await unreadyNow('all');
    response
      .status(unready.length === 0 ? 200 : 503)
      .json({ status: unready.length === 0 ? 'ok' : 'unavailable', unready });
  });
  return router;
}

async function findUnready(network: Pick<Network, 'ready'>): Promise<ServiceName[]> {
  const tooLate = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
    throw new Error('No answer in time');
  });
  const answers = await Promise.allSettled(
    DEPENDENCIES.map((service) => Promise.race([network.ready(service), tooLate])),
  );
  return DEPENDENCIES.filter((_service, index) => answers[index]?.status === 'rejected');
}
