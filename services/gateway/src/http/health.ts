import { SERVICES } from '@drawbridge/contracts';
import { type Network } from '@drawbridge/rpc';
import { Router } from 'express';

const DEPENDENCIES = SERVICES.filter((service) => service !== 'gateway');

/** /healthz: the process lives. /readyz: every service behind it answers that it can work. */
export function health(network: Network): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (_request, response) => {
    const answers = await Promise.allSettled(DEPENDENCIES.map((service) => network.ready(service)));
    const unready = DEPENDENCIES.filter((_service, index) => answers[index]?.status === 'rejected');
    response
      .status(unready.length === 0 ? 200 : 503)
      .json({ status: unready.length === 0 ? 'ok' : 'unavailable', unready });
  });
  return router;
}
