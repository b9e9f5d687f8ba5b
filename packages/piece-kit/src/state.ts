import type { JsonObject, JsonValue } from './json.js';

export interface StateEntry {
  key: string;
  /** Absent if the list omits values. */
  value?: JsonValue;
  /** Metadata of the entry. Lists contain it even if they omit values. */
  note: JsonObject;
  /** Timestamps in ISO 8601. */
  createdAt: string;
  expiresAt: string | null;
}

export interface NewStateEntry {
  value: JsonValue;
  note?: JsonObject;
  /** The text in which lists search for words. */
  text?: string;
  /** If absent, the entry never expires. `keep` retains the expiry of the entry that it replaces. */
  expires?: { inSeconds: number } | 'keep';
}

export interface StateQuery {
  /** Returns only entries with keys that begin with this prefix. */
  prefix?: string;
  /** Returns only entries that contain all these words in their text. */
  words?: string;
  /** Sorts by key, or by time of creation. */
  order: 'key' | 'oldest' | 'newest';
  /** The `next` of the previous page. */
  after?: string;
  limit: number;
  /** Set to include values. */
  values: boolean;
}

export interface StatePage {
  entries: StateEntry[];
  /** The cursor of the next page, or undefined after the last page. */
  next?: string;
}

/**
 * The storage of an integration for one owner: an end user, a workspace, or an `externalId` that the caller chose. The action does not receive its
 * owner, and cannot access any other storage. Throws StateError if a quota is exceeded.
 */
export interface State {
  get(key: string): Promise<StateEntry | undefined>;
  /** Stores the result of `change` under a lock. If `change` throws, the entry stays unchanged. */
  update: UpdateState;
  /** Runs several updates in one transaction. `work` must await only these updates. */
  together<T>(work: (update: UpdateState) => Promise<T>): Promise<T>;
  /** Stores an entry under a new unique key. */
  add(entry: NewStateEntry): Promise<StateEntry>;
  list(query: StateQuery): Promise<StatePage>;
  /** Returns false if the entry does not exist. */
  delete(key: string): Promise<boolean>;
  /** Returns the number of deleted entries. */
  clear(): Promise<number>;
}

export type UpdateState = (key: string, change: (old: StateEntry | undefined) => NewStateEntry) => Promise<StateEntry>;

/** Thrown if the state is unavailable, a quota is exceeded, or the owner was deleted. The message is for the caller. */
export class StateError extends Error {
  override readonly name = 'StateError';

  constructor(
    readonly code:
      'QUOTA_EXCEEDED' | 'TOO_BUSY' | 'UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'WORKSPACE_DELETED' | 'END_USER_DELETED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
