export { arrayParameter, arraysOf, columnsOf, type ElementType } from './array-parameters.js';
export {
  actorOf,
  auditEvent,
  type AuditedChange,
  type AuditedUser,
  denialEvent,
  unaskedEvent,
  denials,
  shortened,
} from './audit-event.js';
export { together } from './batch-writes.js';
export { type Bus, type Log, type Message, topicOf } from './bus.js';
export { type AfterCommit, type Effects, type EventOf, subscribe } from './consume-once.js';
export { inTransaction, withLockedRows } from './in-transaction.js';
export { openBus } from './open-bus.js';
export {
  type EventPayload,
  eventValues,
  insertEvent,
  insertEvents,
  type NewEvent,
  newEvent,
  isPublisher,
} from './outbox.js';
export { type Outbox, outbox } from './outbox-writer.js';
export { outboxLag } from './outbox-lag.js';
export { outboxRelay } from './outbox-relay.js';
export { PutAside } from './skip-failing-rows.js';
export {
  deleteOfWorkspace,
  purgeBySteps,
  type EmptyWorkspace,
  type WorkspaceGuard,
  workspaceGuard,
} from './workspace-guard.js';
export { replayEvents } from './replay-events.js';
export { type Repeating, repeat } from './repeat.js';
export { eventRules, olderThan, retention, type RetentionRule, workspaceRule } from './retention.js';
export { EVENT_TABLES, WORKSPACE_TABLES } from './tables.js';
