import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_TABLE, type ServiceName } from '@drawbridge/contracts';
import { type Network, memoize, type ReferenceClock } from '@drawbridge/rpc';
import { Router } from 'express';

/** The API cannot work without these services. An outage of any other service only affects its own endpoints. */
const REQUIRED = new Set<ServiceName>(['members', 'catalog', 'connections', 'approvals', 'execution']);
const DEPENDENCIES = SERVICE_TABLE.gateway.mayCall;
/** Readiness is cached for this time, so that frequent probes cause no load. */
const REMEMBER_MS = 1_000;
const ANSWER_MS = 2_000;

interface Readiness {
  status: 'ok' | 'degraded' | 'unavailable';
  /** Required services that are not ready, and `gateway` if its clock is wrong. */
  unready: ServiceName[];
  /** Services that have reported a problem but work, and optional services that are not ready. The core of the API works without them. */
  degraded: ServiceName[];
  /** The reasons that degraded services reported, such as `members: events are 95 s late`. */
  reasons: string[];
}

/**
 * Serves /healthz (200 while the process runs) and /readyz. /readyz returns 503 if a required service does not report in time that it is ready, or if
 * the clock of this machine is wrong, because every service then rejects the calls of this gateway. /readyz?exclude=services does not check the
 * services: a load balancer that checked them would remove all gateways at once when one service fails, and with them the paths that still work.
 */
export function health(network: Pick<Network, 'ready'>, clock: Pick<ReferenceClock, 'isSkewed'>): Router {
  const readinessNow = memoize({ ttlMs: REMEMBER_MS }, async () => toReadiness(await answersOf(network), clock));
  const router = Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const readiness = request.query['exclude'] === 'services' ? toReadiness([], clock) : await readinessNow('all');
    response.status(readiness.status === 'unavailable' ? 503 : 200).json(readiness);
  });
  return router;
}

function toReadiness(answers: readonly Answer[], clock: Pick<ReferenceClock, 'isSkewed'>): Readiness {
  const failing = answers.filter(({ degraded }) => !degraded).map(({ service }) => service);
  const late = answers.flatMap(({ service, degraded = [] }) => (degraded.length > 0 ? [{ service, degraded }] : []));
  const required = failing.filter((service) => REQUIRED.has(service));
  const unready: ServiceName[] = clock.isSkewed() ? ['gateway', ...required] : required;
  const degraded = [...failing.filter((service) => !REQUIRED.has(service)), ...late.map(({ service }) => service)];
  const reasons = late.flatMap(({ service, degraded: why }) => why.map((reason) => `${service}: ${reason}`));
  const status = unready.length > 0 ? 'unavailable' : degraded.length > 0 ? 'degraded' : 'ok';
  return { status, unready, degraded, reasons };
}

interface Answer {
  service: ServiceName;
  /** The problems of a service that is ready; empty if it has none. Undefined if the service is not ready or did not respond in time. */
  degraded?: string[] | undefined;
}

function answersOf(network: Pick<Network, 'ready'>): Promise<Answer[]> {
  const tooLate = sleep(ANSWER_MS, undefined, { ref: false });
  const ask = async (service: ServiceName): Promise<Answer> => {
    const degraded = await Promise.race([network.ready(service), tooLate]).catch(() => undefined);
    return { service, degraded };
  };
  return Promise.all(DEPENDENCIES.map(ask));
}
