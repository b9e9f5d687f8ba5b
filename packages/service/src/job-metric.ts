import { type ServiceName } from '@drawbridge/contracts';
import { type Background, type Metric } from '@drawbridge/rpc';

/** Returns a metric of the rows that each background job has put aside: they failed on their own and are retried later. */
export function jobMetric(service: ServiceName, background: readonly Background[]): Metric {
  const jobs = background.flatMap((work) => work.jobs ?? []);
  return {
    name: 'drawbridge_job_rows_put_aside',
    help: 'Rows that a background job could not work on and tries again later, by job.',
    type: 'gauge',
    read: () => jobs.map(({ name, putAside }) => ({ labels: { service, job: name }, value: putAside() })),
  };
}
