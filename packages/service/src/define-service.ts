import { type ServiceName } from '@drawbridge/contracts';
import {
  type ClientOptions,
  type CountedTable,
  type Database,
  openDatabase,
  poolMetrics,
  type PrismaClientLike,
  totalsOf,
} from '@drawbridge/database';
import {
  type Bus,
  denials,
  type Effects,
  type EmptyWorkspace,
  EVENT_TABLES,
  eventRules,
  isPublisher,
  openBus,
  type Outbox,
  outbox,
  outboxLag,
  outboxRelay,
  retention,
  type RetentionRule,
  subscribe,
  topicOf,
  WORKSPACE_TABLES,
  type WorkspaceGuard,
  workspaceGuard,
  workspaceRule,
} from '@drawbridge/events';
import {
  type Background,
  type Config,
  type FindWorkspace,
  guarded,
  lookUpWorkspace,
  type Metric,
  type Service,
  type ServiceContext,
  type ServiceFactory,
  type Variables,
} from '@drawbridge/rpc';
import { DATA_VARIABLES } from './variables.js';

/** The parts of a service with a database. Its name is also the name of its PostgreSQL schema, its topic and its consumer group. */
interface ServiceParts<Client, V extends Variables, Guarded extends EmptyWorkspace | undefined> {
  name: ServiceName;
  /** Environment variables that only this service reads. */
  variables?: V;
  database: {
    /** Creates the service's own generated client: `(options) => new PrismaClient(options)`. */
    client(options: ClientOptions): Client;
    /** The folder of `<stamp>_<name>/migration.sql`. */
    migrations: string;
    /** Models without data of tenants. */
    shared?: readonly string[];
    /** Tables with a list per organization that includes a total. Triggers maintain the totals. */
    counted?: readonly CountedTable[];
  };
  /**
   * Purges a deleted workspace. Required for a service that stores data of workspaces. The service then also has a guard, which rejects writes to
   * deleted workspaces.
   */
  emptyWorkspace?: Guarded;
  /** Called after the database is opened, before the service receives calls or events. */
  assemble(opened: ServiceResources<Client, V, Guarded>): ServiceAssembly | Promise<ServiceAssembly>;
}

/** The dependencies of a service's parts. */
export interface ServiceResources<Client, V extends Variables, Guarded>
  extends Database<Client>, ServiceContext<V & DataVariables> {
  outbox: Outbox;
  guard: Guarded extends EmptyWorkspace ? WorkspaceGuard : undefined;
}

interface ServiceAssembly {
  rpcs: Service['rpcs'];
  /** Set only by the service that stores the workspaces. */
  findWorkspace?: FindWorkspace;
  /** The functions that consume events of other services, by the type of the event's payload. */
  consumers?: Effects;
  /** Started after the relay and stopped before it. */
  background?: Background[];
  metrics?: Service['metrics'];
  /** Returns the degraded functions, in addition to late events. */
  degraded?: Service['degraded'];
  /** Retention rules for the service's own tables. */
  expiring?: RetentionRule[];
  close?(): Promise<void>;
}

type DataVariables = typeof DATA_VARIABLES;

/** A service that can be opened with a shared bus, or with a separate bus. */
export interface DataService<Client, V extends Variables> extends ServiceFactory<V & DataVariables> {
  open(host: ServiceContext<V & DataVariables>, shared?: { bus: Bus }): Promise<Service>;
  /** Opens only the database, for tools and tests. */
  openDatabase(url: string): Promise<Database<Client>>;
}

/** Builds a service from its assembly: database, outbox and relay, inbox, retention, workspace guard, readiness and shutdown. */
export function defineService<
  Client extends PrismaClientLike,
  V extends Variables = {},
  Guarded extends EmptyWorkspace | undefined = undefined,
>(parts: ServiceParts<Client, V, Guarded>): DataService<Client, V> {
  const { name, variables = {} as V, emptyWorkspace } = parts;
  const { client, migrations, shared = [], counted = [] } = parts.database;
  const shipped = [...EVENT_TABLES, ...(emptyWorkspace ? WORKSPACE_TABLES : []), ...totalsOf(counted)];
  const openOwn = (url: string): Promise<Database<Client>> =>
    openDatabase({ url, schema: name, client, migrations, shared, shipped });
  return {
    name,
    variables: { ...DATA_VARIABLES, ...variables },
    openDatabase: openOwn,
    async open(host, shared) {
      const { DATABASE_URL, ...config } = host.config as Config<DataVariables>;
      const bus = shared?.bus ?? openBus(config, host.log);
      const database = await openOwn(DATABASE_URL);
      const assembled = database.ready().then(() => assembleService(parts, { host, bus, database }));
      const service = await assembled.catch(async (error: unknown) => {
        await database.close();
        throw error;
      });
      // The bus does not affect the service's readiness: without the brokers, events stay in the outbox and requests are served.
      return shared ? service : { ...service, background: [bus, ...service.background] };
    },
  };
}

async function assembleService<Client, V extends Variables, Guarded extends EmptyWorkspace | undefined>(
  { name, emptyWorkspace, assemble }: ServiceParts<Client, V, Guarded>,
  { host, bus, database }: { host: ServiceContext<V & DataVariables>; bus: Bus; database: Database<Client> },
) {
  const { log } = host;
  const { pool } = database;
  const relay = outboxRelay({ pool, schema: name, topic: topicOf(name), bus, log });
  const guard = emptyWorkspace && workspaceGuard({ pool, schema: name, log, empty: emptyWorkspace });
  const opened = { ...host, ...database, outbox: outbox(name, relay), guard } as ServiceResources<Client, V, Guarded>;
  const { rpcs, consumers = {}, metrics = [], expiring = [], close, ...own } = await assemble(opened);
  const refused = denials({ service: name, pool, log });
  const find = own.findWorkspace ?? lookUpWorkspace(host.network);

  if (guard && consumers.workspaceDeleted)
    throw new Error(`${name}: use emptyWorkspace instead of a handler for workspaceDeleted`);
  subscribe({ bus, service: name, pool }, guard ? { ...consumers, workspaceDeleted: guard.markDeleted } : consumers);
  const rules = [...eventRules(name), ...(guard ? [workspaceRule(name)] : []), ...expiring];
  const lag = outboxLag(pool, name);
  const background = [
    ...(isPublisher(name) ? [relay] : []),
    refused,
    ...(guard ? [guard] : []),
    retention({ pool, log, rules }),
    ...(own.background ?? []),
  ];
  return {
    name,
    rpcs: rpcs.map((rpc) => guarded(rpc, { find, onDenied: refused.note })),
    background,
    metrics: [poolMetrics, ...lag.metrics, ...(guard ? [guard.metric] : []), jobMetric(name, background), ...metrics],
    ready: () => database.ready(),
    degraded: async () => [...(await lag.degraded()), ...((await own.degraded?.()) ?? [])],
    close: async () => {
      await close?.();
      await database.close();
    },
  };
}

/** Returns a metric of the rows that failed individually in each background job and are retried later. */
function jobMetric(service: ServiceName, background: readonly Background[]): Metric {
  const jobs = background.flatMap((work) => work.jobs ?? []);
  return {
    name: 'drawbridge_job_rows_put_aside',
    help: 'Rows that a background job could not work on and tries again later, by job.',
    type: 'gauge',
    read: () => jobs.map(({ name, putAside }) => ({ labels: { service, job: name }, value: putAside() })),
  };
}
