/** Inherits nothing from the caller: PGDATA and LD_LIBRARY_PATH would change the server, LC_* its messages. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** Values by their names in postgresql.conf. */
export type ServerSettings = Record<string, string>;

/** Settings for one machine, small when idle. Durability (fsync, synchronous_commit, full_page_writes) keeps its default, which is on. */
const SETTINGS: ServerSettings = {
  // One product opens at most ten connections per service with a database, and as many again for listeners and for people.
  max_connections: '60',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  huge_pages: 'off',
  // Saves three processes; asynchronous reads gain nothing on a database that fits in memory.
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  autovacuum_worker_slots: '1',
  autovacuum_max_workers: '1',
  // This server has no replica and no archive.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  // Callers receive their errors; in the log they would only leak values of rows.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // The consumer of these lines adds its own time.
  log_line_prefix: '',
};

export function settingFlags(changed: ServerSettings): string[] {
  return Object.entries({ ...SETTINGS, ...changed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
