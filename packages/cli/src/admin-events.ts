import { SERVICE_TABLE, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { replayEvents } from '@drawbridge/events';
import { type Command } from 'commander';
import { runOnDatabase } from './run-on-database.js';
import * as factories from './service-factories.js';

type Publisher = Exclude<ServiceName, 'gateway'>;

const PUBLISHING = SERVICES.filter((name): name is Publisher => SERVICE_TABLE[name].hasDatabase);

/** Adds `drawbridge admin events`: the events between services. */
export function addEvents(admin: Command): void {
  admin
    .command('events')
    .description('the events between services')
    .command('replay')
    .description(
      'Publishes the events of a service again, at most those of 6 days. A consumer applies each event once.',
    )
    .requiredOption('--service <name>', PUBLISHING.join(', '))
    .requiredOption('--from <timestamp>', 'such as 2026-11-22T19:00:00Z')
    .action((options: { service: Publisher; from: string }) =>
      runOnDatabase({ options, variables: {} }, async (databaseUrl) => {
        const { service, from } = options;
        const database = await factories[service].openDatabase(databaseUrl);
        const replayed = replayEvents(database.pool, { schema: service, from: new Date(from) });
        return { service, ...(await replayed.finally(() => database.close())) };
      }),
    );
}
