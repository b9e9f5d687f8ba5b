export { type Admin, adminOf, type AdminRun, startAdmin } from './admin.js';
export { CERTIFICATE } from './certificate.js';
export { type Running } from './child.js';
export { type ProviderBehaviour, type FakeProvider, fakeProvider, type RecordedRequest } from './fake-provider.js';
export { freePort } from './free-port.js';
export { startKafka } from './kafka.js';
export { hasKms, type Kms, startKms } from './kms.js';
export { readLogs } from './log-folder.js';
export { processorTime } from './processor-time.js';
export { type NameServer, startNameServer } from './name-server.js';
export {
  type Built,
  type Product,
  SHAPES,
  type Shape,
  startDrawbridge,
  type StartOptions,
} from './start-drawbridge.js';
export { hasRedis, type RedisServer, startRedis } from './redis.js';
export { openServiceDatabase, startDatabaseServer, temporaryDatabase } from './temporary-database.js';
